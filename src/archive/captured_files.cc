#include "archive/captured_files.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.h"
#include "base/mutex.h"
#include "layout/title_file.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

using VersionPtr = std::shared_ptr<const FileVersion>;

// The shown files of one store.
struct Shown {
  std::map<std::string, VersionPtr, std::less<>> files;
  std::map<std::string, std::string, std::less<>> made;  // bytes of generated files, which were never captured as such
  std::map<std::string, std::map<std::string, FileKind>, std::less<>> folders;
  std::map<std::string, HoldsCopies::CopyNote, std::less<>> noted;  // of sessions

  void add(const std::string& path, const VersionPtr& version) {
    files[path] = version;
    name(path);
  }
  void make(const std::string& path, std::string bytes) {
    made[path] = std::move(bytes);
    name(path);
  }

 private:
  void name(std::string_view rest) {
    FileKind kind = FileKind::file;
    while (true) {
      const std::size_t slash = rest.rfind('/');
      const std::string_view folder = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
      folders[std::string(folder)].emplace(slash == std::string_view::npos ? rest : rest.substr(slash + 1), kind);
      if (folder.empty()) return;
      rest = folder;
      kind = FileKind::directory;
    }
  }
};

struct Slot {
  Mutex mutex;
  std::shared_ptr<const Shown> shown HOLDFAST_GUARDED_BY(mutex) = std::make_shared<Shown>();

  std::shared_ptr<const Shown> now() {
    const ScopedLock lock(mutex);
    return shown;
  }
};

Failure refused(std::string_view path) {
  return fail(Code::read_only, "the archive is read-only; run holdfast restore ID to bring a session back",
              std::string(path));
}

Failure missing(std::string_view path) { return fail(Code::not_found, "not in the archive", std::string(path)); }

}  // namespace

struct CapturedFiles::Shared {
  static constexpr std::uint64_t kYear = 31'536'000'000'000'000;
  static constexpr std::int64_t kLongAgo = 946'684'800'000'000'000;
  std::unique_ptr<Archive> archive;
  std::uint32_t owner = 0;
  std::uint64_t device = 0;
  // Guards the packs, the members below and what files keep; held while a chunk is read.
  Mutex mutex{LockRank::line_writer};
  std::map<std::string, std::shared_ptr<Slot>, std::less<>> slots HOLDFAST_GUARDED_BY(mutex);

  std::shared_ptr<Slot> slot(const std::string& path) {
    const ScopedLock lock(mutex);
    auto& found = slots[path];
    if (!found) found = std::make_shared<Slot>();
    return found;
  }
  std::map<std::string, std::string, std::less<>> lost HOLDFAST_GUARDED_BY(mutex);  // blocks found lost, and why

  // A lost block is read as NULs.
  Result<std::string> read(const FileBlock& block) HOLDFAST_REQUIRES(mutex) {
    auto bytes = archive->packs().read(block.name);
    if (bytes && bytes->size() != block.size)
      bytes = fail(Code::corrupt, "chunk " + block.name + " does not have the size recorded in its capture");
    if (bytes) {
      lost.erase(block.name);
      return bytes;
    }
    const Error& error = bytes.error();
    if (error.code != Code::corrupt && error.code != Code::not_found && error.code != Code::io_error) return bytes;
    lost[block.name] = error.message + (error.path.empty() ? "" : " (" + error.path + ")");
    return std::string(block.size, '\0');
  }
  std::vector<CopyGap> gaps(const FileVersion& version) {
    const ScopedLock lock(mutex);
    std::vector<CopyGap> found;
    std::uint64_t at = 0;
    for (const FileBlock& block : version.blocks) {
      const auto known = lost.find(block.name);
      if (known != lost.end() && !found.empty() && found.back().offset + found.back().length == at)
        found.back().length += block.size;
      else if (known != lost.end())
        found.push_back({at, block.size, known->second});
      at += block.size;
    }
    return found;
  }

  FileStat stat_of(const FileVersion& version) const {
    return {.kind = FileKind::file,
            .device = device,
            .inode = version.inode,
            .size = version.size,
            .links = 1,
            .mode = 0600,
            .owner = owner,
            .mtime_ns = version.mtime_ns,
            .ctime_ns = version.ctime_ns};
  }
  FileStat stat_of_made(std::string_view path, std::string_view bytes) const {
    const std::int64_t time = kLongAgo + static_cast<std::int64_t>(xxh3_64(bytes) % kYear);
    return {.kind = FileKind::file,
            .device = device,
            .inode = xxh3_64(path, 2) >> 1U,
            .size = bytes.size(),
            .links = 1,
            .mode = 0600,
            .owner = owner,
            .mtime_ns = time,
            .ctime_ns = time};
  }
  // Times in the past that change with the content of the directory.
  FileStat stat_of(std::string_view path, const std::map<std::string, FileKind>& names) const {
    std::uint64_t hash = xxh3_64(path, 1);
    const std::uint64_t inode = hash >> 1U;
    for (const auto& [name, kind] : names) hash = xxh3_64(name, hash + static_cast<std::uint64_t>(kind));
    const std::int64_t time = kLongAgo + static_cast<std::int64_t>(hash % kYear);
    return {.kind = FileKind::directory,
            .device = device,
            .inode = inode,
            .links = 1,
            .mode = 0700,
            .owner = owner,
            .mtime_ns = time,
            .ctime_ns = time};
  }
};

namespace {

using SharedPtr = std::shared_ptr<CapturedFiles::Shared>;

// Operations that no captured file supports.
class ReadOnlyFile : public File {
 public:
  Result<std::size_t> append(std::string_view) override { return refused({}); }
  Result<void> write_at(std::uint64_t, std::string_view) override { return refused({}); }
  Result<void> truncate(std::uint64_t) override { return refused({}); }
  Result<void> sync() override { return refused({}); }
  Result<void> set_mode(std::uint32_t) override { return refused({}); }
  Result<bool> try_lock(LockKind) override { return refused({}); }
  void unlock() override {}
};

class MadeFile final : public ReadOnlyFile {
 public:
  MadeFile(const FileStat& stat, std::string bytes) : stat_(stat), bytes_(std::move(bytes)) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    if (offset >= bytes_.size()) return std::size_t{0};
    return bytes_.copy(into.data(), into.size(), static_cast<std::size_t>(offset));
  }
  Result<FileStat> stat() override { return stat_; }
  std::uint64_t append_end() const override { return bytes_.size(); }

 private:
  const FileStat stat_;
  const std::string bytes_;
};

class CapturedFile final : public ReadOnlyFile {
 public:
  CapturedFile(SharedPtr shared, VersionPtr version) : shared_(std::move(shared)), version_(std::move(version)) {
    std::uint64_t at = 0;
    for (const FileBlock& block : version_->blocks) {
      starts_.push_back(at);
      at += block.size;
    }
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    std::size_t done = 0;
    const ScopedLock lock(shared_->mutex);
    while (done < into.size() && offset < version_->size) {
      const auto block = static_cast<std::size_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin()) - 1;
      if (block != kept_) {
        HOLDFAST_LET(bytes, shared_->read(version_->blocks[block]));
        bytes_ = std::move(bytes);
        kept_ = block;
      }
      const auto from = static_cast<std::size_t>(offset - starts_[block]);
      const std::size_t count = std::min(into.size() - done, bytes_.size() - from);
      bytes_.copy(into.data() + done, count, from);
      done += count;
      offset += count;
    }
    return done;
  }
  Result<FileStat> stat() override { return shared_->stat_of(*version_); }

  std::uint64_t append_end() const override { return version_->size; }

 private:
  const SharedPtr shared_;
  const VersionPtr version_;
  std::vector<std::uint64_t> starts_;
  // The last block read.
  std::size_t kept_ HOLDFAST_GUARDED_BY(shared_->mutex) = SIZE_MAX;
  std::string bytes_ HOLDFAST_GUARDED_BY(shared_->mutex);
};

class CapturedDirectory final : public Directory, public HasCopyGaps {
 public:
  CapturedDirectory(SharedPtr shared, std::shared_ptr<Slot> slot, std::string path)
      : shared_(std::move(shared)), slot_(std::move(slot)), path_(std::move(path)) {}

  const std::string& path() const override { return path_; }

  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    if (mode != OpenMode::read) return refused(path);
    const auto shown = slot_->now();
    if (const auto made = shown->made.find(path); made != shown->made.end())
      return std::make_unique<MadeFile>(shared_->stat_of_made(path, made->second), made->second);
    const auto found = shown->files.find(path);
    if (found == shown->files.end()) return missing(path);
    return std::make_unique<CapturedFile>(shared_, found->second);
  }
  Result<FileStat> stat(std::string_view path) override {
    const auto shown = slot_->now();
    if (const auto made = shown->made.find(path); made != shown->made.end())
      return shared_->stat_of_made(path, made->second);
    if (const auto found = shown->files.find(path); found != shown->files.end())
      return shared_->stat_of(*found->second);
    if (const auto found = shown->folders.find(path); found != shown->folders.end())
      return shared_->stat_of(path, found->second);
    if (path.empty()) return shared_->stat_of(path, {});
    return missing(path);
  }
  std::vector<CopyGap> gaps(std::string_view path) override {
    const auto shown = slot_->now();
    const auto found = shown->files.find(path);
    return found == shown->files.end() ? std::vector<CopyGap>() : shared_->gaps(*found->second);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view path) override {
    const auto shown = slot_->now();
    const auto found = shown->folders.find(path);
    if (found == shown->folders.end() && !path.empty()) return missing(path);
    std::vector<DirectoryEntry> entries;
    if (found != shown->folders.end()) {
      for (const auto& [name, kind] : found->second) entries.push_back({name, kind});
    }
    return entries;
  }
  Result<std::string> read_symlink(std::string_view path) override {
    return fail(Code::invalid_argument, "not a symbolic link", std::string(path));
  }

  Result<void> make_directory(std::string_view path) override { return refused(path); }
  Result<void> make_link(std::string_view, std::string_view to) override { return refused(to); }
  Result<void> make_symlink(std::string_view, std::string_view path) override { return refused(path); }
  Result<void> rename(std::string_view, std::string_view to) override { return refused(to); }
  Result<void> remove(std::string_view path) override { return refused(path); }
  Result<void> remove_directory(std::string_view path) override { return refused(path); }
  Result<void> check_writable(std::string_view path) override { return refused(path); }
  Result<void> sync_directory(std::string_view path) override { return refused(path); }

 private:
  const SharedPtr shared_;
  const std::shared_ptr<Slot> slot_;
  const std::string path_;
};

}  // namespace

CapturedFiles::CapturedFiles(FileSystem& real, std::string path, std::unique_ptr<Archive> archive)
    : real_(real), path_(std::move(path)), shared_(std::make_shared<Shared>()) {
  if (const auto stat = archive->directory().stat("")) {
    shared_->owner = stat->owner;
    shared_->device = stat->device;
  }
  shared_->archive = std::move(archive);
}

CapturedFiles::~CapturedFiles() = default;

void CapturedFiles::renew(std::unique_ptr<Archive> archive) {
  const ScopedLock lock(shared_->mutex);
  shared_->archive = std::move(archive);
}

const CaptureState& CapturedFiles::state() const { return shared_->archive->state(); }

bool CapturedFiles::holds(const CapturedSession& session) const {
  const ScopedLock lock(shared_->mutex);
  const Packs& packs = shared_->archive->packs();
  return std::ranges::all_of(session.head, [&](const auto& file) {
    return std::ranges::all_of(file.second->blocks,
                               [&](const FileBlock& block) { return packs.find(block.name) != nullptr; });
  });
}

std::string CapturedFiles::path_of(std::string_view archive, std::string_view layout, std::string_view store,
                                   Shelf shelf) {
  return std::string(archive) + (shelf == Shelf::kept ? "/@@" : "/@") + std::string(layout) + std::string(store);
}

bool CapturedFiles::is_in(std::string_view archive, std::string_view path) {
  return !archive.empty() && path.starts_with(archive) && path.substr(archive.size()).starts_with("/@");
}

void CapturedFiles::show(const std::string& layout, const std::string& store, const std::set<std::string>& ids,
                         Shelf shelf, bool more) {
  const auto slot = shared_->slot(path_of(path_, layout, store, shelf));
  auto shown = more ? std::make_shared<Shown>(*slot->now()) : std::make_shared<Shown>();
  const auto& sessions = state().sessions;
  const TitleFile* const title_file = title_file_of(layout);
  std::string titles;
  for (const std::string& id : ids) {
    const auto session = sessions.find({layout, store, id});
    if (session == sessions.end()) continue;
    for (const auto& [place, version] : session->second.head) shown->add(place.path, version);
    const bool is_new = !shown->noted.contains(id);
    shown->noted[id] = {session->second.row, session->second.shown_at == session->second.at, session->second.lacks()};
    if (title_file == nullptr || !is_new) continue;
    const JsonView row(session->second.row);
    if (const auto title = row.find("title").as_string(); title && !title->empty())
      titles += title_file->line(id, *title, row.find("updated_at").as_string().value_or(""));
  }
  if (title_file != nullptr && !titles.empty()) {
    const auto before = shown->made.find(title_file->path);
    shown->make(std::string(title_file->path), before == shown->made.end() ? titles : before->second + titles);
  }
  const ScopedLock lock(slot->mutex);
  slot->shown = std::move(shown);
}

std::optional<HoldsCopies::CopyNote> CapturedFiles::noted(std::string_view root, std::string_view id) {
  if (!is_in(path_, root)) return std::nullopt;
  const auto shown = shared_->slot(std::string(root))->now();
  const auto found = shown->noted.find(id);
  return found == shown->noted.end() ? std::nullopt : std::optional(found->second);
}

Result<std::unique_ptr<Directory>> CapturedFiles::open_directory(std::string_view path, bool create) {
  // The caches of a store are elsewhere.
  if (!is_in(path_, path)) return real_.open_directory(path, create);
  if (create) return refused(path);
  return std::make_unique<CapturedDirectory>(shared_, shared_->slot(std::string(path)), std::string(path));
}

Result<FileSystemKind> CapturedFiles::kind_of(std::string_view path) {
  return is_in(path_, path) ? Result<FileSystemKind>(FileSystemKind{"archive"}) : real_.kind_of(path);
}
std::uint64_t CapturedFiles::entropy() { return real_.entropy(); }

}  // namespace holdfast::inline v1
