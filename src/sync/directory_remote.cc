#include "sync/directory_remote.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/id.h"
#include "base/parent_path.h"
#include "disk/real_file_system.h"
#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kCharterFile = "holdfast-remote.json";
constexpr std::string_view kTemporary = ".tmp-";
constexpr std::size_t kSeqDigits = 10;

std::string padded(std::uint64_t seq) {
  std::string text = std::to_string(seq);
  return std::string(kSeqDigits - std::min(kSeqDigits, text.size()), '0') + text;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::string stream_path(const StreamId& stream) {
  return "streams/" + stream.device + "/" + std::to_string(stream.epoch);
}
std::string chunk_folder(std::string_view device, std::string_view name) {
  return "chunks/" + std::string(device) + "/" + std::string(name.substr(0, 2));
}

// The end of the two header lines at the front; npos if there is no header of valid size.
std::size_t header_end(std::string_view bytes) {
  const std::string_view front = bytes.substr(0, kMaxSegmentHeader);
  const std::size_t first = front.find('\n');
  const std::size_t second = first == std::string_view::npos ? first : front.find('\n', first + 1);
  return second == std::string_view::npos ? second : second + 1;
}

class DirectoryRemote final : public Remote,
                              public SweepsRemote,
                              public NamesPlaces,
                              public NoticesObstacles,
                              public KeepsDamage,
                              public KnowsItsWriters {
 public:
  DirectoryRemote(FileSystem& files, std::unique_ptr<Directory> directory)
      : files_(files), directory_(std::move(directory)) {}

  std::string place() const override { return "dir:" + directory_->path(); }
  std::string segment_place(const StreamId& stream, std::uint64_t seq) const override {
    const std::string name = stream_path(stream) + "/" + padded(seq);
    return directory_->path() + "/" + name + (directory_->exists(name + ".stub") ? ".stub" : ".seg");
  }
  std::string chunk_place(std::string_view device, std::string_view name) const override {
    return directory_->path() + "/" + chunk_folder(device, name) + "/" + std::string(name);
  }

  Result<std::optional<std::string>> obstacle(const Context&, const StreamId& stream, std::uint64_t seq) override {
    HOLDFAST_TRY(check_device(stream.device));
    HOLDFAST_LET(one, segment(stream, seq));
    if (one) return std::nullopt;
    for (const std::string_view ending : {".stub", ".seg"}) {
      const std::string name = stream_path(stream) + "/" + padded(seq) + std::string(ending);
      const auto there = directory_->stat(name);
      if (there || there.error().code != Code::not_found) return directory_->path() + "/" + name;
    }
    return std::nullopt;
  }

  Result<std::optional<std::string>> after_gap(const Context&, const StreamId& stream, std::uint64_t seq) override {
    HOLDFAST_TRY(check_device(stream.device));
    HOLDFAST_LET(all, numbers_in(stream));
    const auto next = std::ranges::upper_bound(all, seq);
    if (next == all.end() || *next == seq + 1) return std::nullopt;
    return segment_place(stream, *next);
  }

  Result<bool> is_read_only(const Context&, const StreamId& stream) override {
    HOLDFAST_TRY(check_device(stream.device));
    for (std::string folder : {stream_path(stream), "chunks/" + stream.device}) {
      while (!folder.empty() && !directory_->exists(folder)) folder = parent_of(folder);
      const auto allowed = directory_->check_writable(folder);
      if (!allowed && (allowed.error().code == Code::permission_denied || allowed.error().code == Code::read_only))
        return true;
    }
    return false;
  }

  Result<bool> has_streams(const Context&) override {
    HOLDFAST_LET(devices, names("streams"));
    return std::ranges::any_of(devices, [](const std::string& name) { return is_device_id(name); });
  }

  Result<std::optional<std::string>> charter(const Context&) override {
    return read(std::string(kCharterFile), kMaxCharter);
  }

  Result<RemoteOutcome> found(const Context&, std::string_view charter) override {
    if (charter.size() > kMaxCharter) return fail(Code::too_large, "a charter is too large");
    if (const auto allowed = directory_->check_writable("");
        !allowed && (allowed.error().code == Code::permission_denied || allowed.error().code == Code::read_only))
      return fail(
          Code::sync_transport_failed,
          "there is no remote there yet, and this machine may not create one: the directory is read-only for it",
          directory_->path());
    HOLDFAST_LET(made, create("", kCharterFile, charter));
    return made ? RemoteOutcome::done : RemoteOutcome::lost;
  }

  Result<std::vector<RemoteStream>> heads(const Context& context) override {
    std::vector<RemoteStream> all;
    HOLDFAST_LET(devices, names("streams"));
    for (const std::string& device : devices) {
      if (!is_device_id(device)) continue;
      HOLDFAST_LET(epochs, names("streams/" + device));
      std::vector<std::uint64_t> numbers;
      for (const std::string& epoch : epochs)
        if (const auto number = number_in(epoch); number && std::to_string(*number) == epoch && *number > 0)
          numbers.push_back(*number);
      std::ranges::sort(numbers);
      for (const std::uint64_t epoch : numbers) {
        HOLDFAST_TRY(context.check());
        HOLDFAST_LET(head, head_of({device, epoch}));
        if (head.seq > 0) all.push_back({{device, epoch}, std::move(head)});
      }
    }
    return all;
  }

  Result<RemoteOutcome> publish(const Context&, const StreamId& stream, const StreamHead& expected,
                                std::span<const StreamSegment> segments) override {
    HOLDFAST_TRY(check(stream, expected, segments));
    HOLDFAST_LET(head, head_of(stream));
    if (head != expected) return RemoteOutcome::lost;
    bool first = true;
    for (const StreamSegment& one : segments) {
      auto made = create(stream_path(stream), padded(one.seq) + ".seg", one.header + *one.body);
      if (!made && first) return fail(std::move(made).error());
      if (!made || (!*made && !first)) return RemoteOutcome::unclear;
      if (!*made) return RemoteOutcome::lost;
      first = false;
    }
    return RemoteOutcome::done;
  }

  Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                std::uint64_t seq) override {
    std::vector<StreamSegment> found;
    std::size_t bytes = 0;
    while (true) {
      HOLDFAST_TRY(context.check());
      HOLDFAST_LET(one, segment(stream, ++seq));
      if (!one) break;
      bytes += one->header.size() + (one->body ? one->body->size() : 0);
      if (bytes > kMaxRemoteBatch && !found.empty()) break;
      found.push_back(std::move(*one));
    }
    return found;
  }

  Result<RemoteOutcome> erase_bodies(const Context&, const StreamId& stream,
                                     std::span<const std::uint64_t> seqs) override {
    const std::string folder = stream_path(stream);
    for (const std::uint64_t seq : seqs) {
      const std::string name = folder + "/" + padded(seq);
      HOLDFAST_LET(one, segment(stream, seq));
      if (!one) {
        // A damaged file has no header to keep, and may still have the body.
        for (const std::string_view ending : {".stub", ".seg"})
          if (const auto there = directory_->stat(name + std::string(ending)); there && there->kind == FileKind::file)
            HOLDFAST_TRY(gone(name + std::string(ending)));
        continue;
      }
      if (one->body) HOLDFAST_TRY(create(folder, padded(seq) + ".stub", one->header));
      HOLDFAST_TRY(gone(name + ".seg"));
    }
    if (directory_->exists(folder)) HOLDFAST_TRY(directory_->sync_directory(folder));
    return RemoteOutcome::done;
  }

  Result<RemoteOutcome> store_chunks(const Context& context, std::string_view device,
                                     std::span<const RemoteChunk> chunks) override {
    std::size_t bytes = 0;
    for (const RemoteChunk& one : chunks) {
      if (!is_hash_name(one.name)) return fail(Code::unsafe_path, "not the name of a chunk: " + one.name);
      if (one.bytes.size() > kMaxRemoteChunk || (bytes += one.bytes.size()) > kMaxRemoteBatch)
        return fail(Code::too_large, "chunks over the limits of a remote");
    }
    HOLDFAST_TRY(check_device(device));
    for (const RemoteChunk& one : chunks) {
      HOLDFAST_TRY(context.check());
      const std::string folder = chunk_folder(device, one.name);
      // A truncated copy has a different size.
      if (const auto there = directory_->stat(folder + "/" + one.name); there && there->size != one.bytes.size())
        HOLDFAST_TRY(gone(folder + "/" + one.name));
      HOLDFAST_TRY(create(folder, one.name, one.bytes));
    }
    return RemoteOutcome::done;
  }

  Result<std::vector<std::optional<std::string>>> read_chunks(const Context& context, std::string_view device,
                                                              std::span<const std::string> names) override {
    HOLDFAST_TRY(check_device(device));
    std::vector<std::optional<std::string>> found;
    for (const std::string& name : names) {
      HOLDFAST_TRY(context.check());
      if (!is_hash_name(name)) return fail(Code::unsafe_path, "not the name of a chunk: " + name);
      HOLDFAST_LET(bytes, read(chunk_folder(device, name) + "/" + name, kMaxRemoteChunk));
      found.push_back(std::move(bytes));
    }
    return found;
  }

  Result<RemoteOutcome> erase_chunks(const Context&, std::string_view device,
                                     std::span<const std::string> names) override {
    HOLDFAST_TRY(check_device(device));
    std::set<std::string> folders;
    for (const std::string& name : names) {
      if (!is_hash_name(name)) return fail(Code::unsafe_path, "not the name of a chunk: " + name);
      const std::string folder = chunk_folder(device, name);
      HOLDFAST_LET(removed, remove(std::string(folder).append("/").append(name)));
      if (removed) folders.insert(folder);
    }
    for (const std::string& folder : folders) HOLDFAST_TRY(directory_->sync_directory(folder));
    return RemoteOutcome::done;
  }

  // Only below its own names: temporary files of other devices look the same.
  Result<void> sweep(const Context& context, std::string_view device) override {
    HOLDFAST_TRY(check_device(device));
    for (const std::string_view folder : {"streams/", "chunks/"}) {
      const std::string its = std::string(folder) + std::string(device);
      HOLDFAST_LET(inner, names(its));
      for (const std::string& name : inner) {
        HOLDFAST_TRY(context.check());
        const std::string below = std::string(its).append("/").append(name);
        const auto entries = directory_->list(below);
        if (!entries) continue;
        bool removed = false;
        for (const DirectoryEntry& entry : *entries) {
          if (entry.kind != FileKind::file || !entry.name.starts_with(kTemporary)) continue;
          HOLDFAST_TRY(gone(std::string(below).append("/").append(entry.name)));
          removed = true;
        }
        if (removed) HOLDFAST_TRY(directory_->sync_directory(below));
      }
    }
    return {};
  }

  Result<RemoteOutcome> erase_device(const Context&, std::string_view device) override {
    HOLDFAST_TRY(check_device(device));
    for (const std::string folder : {"streams", "chunks"}) {
      HOLDFAST_TRY(clear(folder + "/" + std::string(device)));
      if (directory_->exists(folder)) HOLDFAST_TRY(directory_->sync_directory(folder));
    }
    return RemoteOutcome::done;
  }

 private:
  static Result<void> check_device(std::string_view device) {
    if (!is_device_id(device)) return fail(Code::unsafe_path, "not a device id: " + std::string(device));
    return {};
  }
  static Result<void> check(const StreamId& stream, const StreamHead& expected,
                            std::span<const StreamSegment> segments) {
    HOLDFAST_TRY(check_device(stream.device));
    std::size_t bytes = 0;
    std::uint64_t next = expected.seq;
    for (const StreamSegment& one : segments) {
      if (!one.body || one.header.size() > kMaxSegmentHeader || one.body->size() > kMaxSegmentBody ||
          (bytes += one.header.size() + one.body->size()) > kMaxRemoteBatch)
        return fail(Code::too_large, "segments over the limits of a remote");
      if (one.seq != ++next) return fail(Code::invalid_argument, "segments do not follow one another");
      if (header_end(one.header) != one.header.size())
        return fail(Code::invalid_argument, "a header must be two lines");
    }
    return {};
  }
  static Error unreachable(Error error) {
    if (error.code == Code::not_found || error.code == Code::io_error || error.code == Code::permission_denied)
      error.code = Code::sync_transport_failed;
    if (error.code == Code::disk_full) {
      error.code = Code::sync_transport_failed;
      error.message = "the remote is full: " + error.message;
    }
    return error;
  }

  // Empty if there is no such directory.
  Result<std::vector<std::string>> names(const std::string& path) {
    const auto entries = directory_->list(path);
    std::vector<std::string> names;
    if (!entries && entries.error().code == Code::not_found) return names;
    if (!entries) return fail(unreachable(entries.error()));
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }

  // Reads at most that many bytes; a larger file, or something that is not a file, counts as absent.
  Result<std::optional<std::string>> read(const std::string& path, std::size_t most) {
    const auto stat = directory_->stat(path);
    if (!stat && stat.error().code == Code::not_found) return std::optional<std::string>();
    if (!stat) return fail(unreachable(stat.error()));
    if (stat->kind != FileKind::file || stat->size > most) return std::optional<std::string>();
    auto file = directory_->open(path, OpenMode::read);
    if (!file && file.error().code == Code::not_found) return std::optional<std::string>();
    if (!file) return fail(unreachable(std::move(file).error()));
    std::string bytes(static_cast<std::size_t>(stat->size), '\0');
    HOLDFAST_LET(size, (*file)->read_at(0, bytes));
    bytes.resize(size);
    return std::optional(std::move(bytes));
  }

  Result<std::optional<StreamSegment>> segment(const StreamId& stream, std::uint64_t seq) {
    const std::string name = stream_path(stream) + "/" + padded(seq);
    HOLDFAST_LET(stub, read(name + ".stub", kMaxSegmentHeader));
    HOLDFAST_LET(bytes, stub ? Result<std::optional<std::string>>(stub)
                             : read(name + ".seg", kMaxSegmentHeader + kMaxSegmentBody));
    if (!bytes) return std::optional<StreamSegment>();
    const std::size_t end = header_end(*bytes);
    if (end == std::string::npos || (stub && end != bytes->size())) return std::optional<StreamSegment>();
    StreamSegment one{seq, sha256_hex(std::string_view(*bytes).substr(0, bytes->find('\n'))), bytes->substr(0, end),
                      std::nullopt};
    if (!stub) one.body = bytes->substr(end);
    return std::optional(std::move(one));
  }

  // The numbers of all files that have the name of a segment, in order.
  Result<std::vector<std::uint64_t>> numbers_in(const StreamId& stream) {
    HOLDFAST_LET(all, names(stream_path(stream)));
    std::vector<std::uint64_t> seqs;
    for (const std::string& name : all) {
      const std::string_view text = name;
      const std::size_t dot = text.find('.');
      if (dot != kSeqDigits || (text.substr(dot) != ".seg" && text.substr(dot) != ".stub")) continue;
      if (const auto seq = number_in(text.substr(0, dot))) seqs.push_back(*seq);
    }
    std::ranges::sort(seqs);
    seqs.erase(std::ranges::unique(seqs).begin(), seqs.end());
    return seqs;
  }

  Result<StreamHead> head_of(const StreamId& stream) {
    HOLDFAST_TRY(check_device(stream.device));
    HOLDFAST_LET(seqs, numbers_in(stream));
    std::uint64_t last = 0;
    while (last < seqs.size() && seqs[last] == last + 1) ++last;
    // An incomplete segment counts as missing.
    for (; last > 0; --last) {
      HOLDFAST_LET(one, segment(stream, last));
      if (one) return StreamHead{last, one->hash};
    }
    return StreamHead();
  }

  Result<void> ensure(const std::string& folder) {
    if (folder.empty() || directory_->exists(folder)) return {};
    HOLDFAST_TRY(ensure(std::string(parent_of(folder))));
    if (auto made = directory_->make_directory(folder); !made && made.error().code != Code::already_exists)
      return fail(unreachable(std::move(made).error()));
    return directory_->sync_directory(parent_of(folder));
  }

  // Creates a whole, durable file or none. Returns false if the name exists.
  Result<bool> create(const std::string& folder, std::string_view name, std::string_view bytes) {
    HOLDFAST_TRY(ensure(folder));
    const std::string before = folder.empty() ? std::string() : folder + "/";
    const std::string to = before + std::string(name);
    if (directory_->exists(to)) return false;
    const std::string temporary = before + std::string(kTemporary) + base32_letters(files_.entropy(), kMaxIdLetters);
    const auto write = [&]() -> Result<bool> {
      HOLDFAST_LET(file, directory_->open(temporary, OpenMode::create_update));
      HOLDFAST_TRY(file->write_at(0, bytes));
      HOLDFAST_TRY(file->sync());
      auto linked = directory_->make_link(temporary, to);
      if (!linked && linked.error().code == Code::already_exists) return false;
      // USB sticks and some shares have no hard links; there the name is taken without an atomic check.
      if (!linked && !directory_->exists(to)) HOLDFAST_TRY(directory_->rename(temporary, to));
      return true;
    };
    auto made = write();
    (void)directory_->remove(temporary);
    if (!made) return fail(unreachable(std::move(made).error()));
    HOLDFAST_TRY(directory_->sync_directory(folder));
    return made;
  }

  // Returns false if there was nothing to remove.
  Result<bool> remove(const std::string& path) {
    auto removed = directory_->remove(path);
    if (!removed && removed.error().code != Code::not_found) return fail(unreachable(std::move(removed).error()));
    return removed.has_value();
  }
  Result<void> gone(const std::string& path) {
    HOLDFAST_TRY(remove(path));
    return {};
  }

  Result<void> clear(const std::string& path) {
    const auto entries = directory_->list(path);
    if (!entries && entries.error().code == Code::not_found) return {};
    if (!entries) return fail(unreachable(entries.error()));
    for (const DirectoryEntry& entry : *entries) {
      const std::string inner = path + "/" + entry.name;
      HOLDFAST_TRY(entry.kind == FileKind::directory ? clear(inner) : gone(inner));
    }
    return directory_->remove_directory(path);
  }

  FileSystem& files_;
  const std::unique_ptr<Directory> directory_;
};

}  // namespace

Result<std::unique_ptr<Remote>> open_directory_remote(FileSystem& files, const std::string& path) {
  // The directory may belong to somebody else, or to a team: everything read there is verified, whoever wrote it.
  auto* const shared = dynamic_cast<OpensShared*>(&files);
  auto directory = shared != nullptr ? shared->open_shared(path) : files.open_directory(path, false);
  if (!directory)
    return fail(Code::sync_transport_failed,
                (directory.error().code == Code::not_found ? "the directory of the remote is not there: "
                                                           : "the directory of the remote cannot be used: ") +
                    directory.error().message,
                path);
  return std::make_unique<DirectoryRemote>(files, std::move(*directory));
}

}  // namespace holdfast::inline v1
