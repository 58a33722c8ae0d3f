#include "disk/memory_file_system.h"

#include <cerrno>
#include <utility>

#include "base/parent_path.h"
#include "base/safe_name.h"
#include "disk/file_error.h"
#include "disk/free_space.h"
#include "disk/memory_tree.h"
#include "disk/real_file_system.h"

namespace holdfast::inline v1 {
namespace {

using namespace memory;
using TreePtr = std::shared_ptr<Tree>;

class MemoryFile final : public File {
 public:
  MemoryFile(TreePtr tree, NodePtr node, OpenMode mode, std::string path)
      : tree_(std::move(tree)), node_(std::move(node)), mode_(mode), path_(std::move(path)) {}
  ~MemoryFile() override {
    const ScopedLock lock(tree_->mutex);
    drop_lock();
    if (--node_->handles == 0) node_->base.reset();
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const ScopedLock lock(tree_->mutex);
    return read(*node_, offset, into);
  }

  Result<std::size_t> append(std::string_view bytes) override {
    if (mode_ != OpenMode::append && mode_ != OpenMode::create_append) return wrong_mode("appending");
    const ScopedLock lock(tree_->mutex);
    if (!tree_->spend(bytes.size())) return no_space();
    node_->bytes.append(bytes);
    tree_->touch(*node_);
    append_end_ = node_->size();
    return bytes.size();
  }

  std::uint64_t append_end() const override { return append_end_; }

  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    if (mode_ != OpenMode::update && mode_ != OpenMode::create_update) return wrong_mode("writing in place");
    const ScopedLock lock(tree_->mutex);
    if (!tree_->spend(bytes.size() + (node_->base == nullptr ? 0 : node_->base_size))) return no_space();
    HOLDFAST_TRY(detach(*node_));
    if (node_->bytes.size() < offset + bytes.size()) node_->bytes.resize(offset + bytes.size());
    node_->bytes.replace(offset, bytes.size(), bytes);
    tree_->touch(*node_);
    return {};
  }

  Result<void> truncate(std::uint64_t size) override {
    if (mode_ == OpenMode::read) return wrong_mode("truncating");
    const ScopedLock lock(tree_->mutex);
    if (size > node_->size() && !tree_->spend(size - node_->size())) return no_space();
    if (size >= node_->base_size) {
      node_->bytes.resize(size - node_->base_size);
    } else {
      node_->base_size = size;
      node_->bytes.clear();
    }
    tree_->touch(*node_);
    return {};
  }

  Result<void> sync() override { return {}; }

  Result<void> set_mode(std::uint32_t mode) override {
    const ScopedLock lock(tree_->mutex);
    node_->mode = mode & 07777u;
    node_->ctime = tree_->tick();
    return {};
  }

  Result<FileStat> stat() override {
    const ScopedLock lock(tree_->mutex);
    return stat_of(*node_);
  }

  // Like flock: changing the kind of a lock first releases the old one.
  Result<bool> try_lock(LockKind kind) override {
    const ScopedLock lock(tree_->mutex);
    drop_lock();
    for (const auto& [owner, held] : node_->locks) {
      if (kind == LockKind::exclusive || held == LockKind::exclusive) return false;
    }
    node_->locks.emplace_back(this, kind);
    return true;
  }

  void unlock() override {
    const ScopedLock lock(tree_->mutex);
    drop_lock();
  }

 private:
  Failure wrong_mode(std::string_view use) const {
    return fail(Code::invalid_argument, "the file was not opened for " + std::string(use), path_);
  }
  Failure no_space() const { return fail(file_error(ENOSPC, "cannot write to", path_)); }
  void drop_lock() {
    std::erase_if(node_->locks, [this](const auto& held) { return held.first == this; });
  }

  const TreePtr tree_;
  const NodePtr node_;
  const OpenMode mode_;
  const std::string path_;
  std::uint64_t append_end_ = 0;
};

bool is_inside(const Node* dir, const Node* tree) {
  for (; dir != nullptr; dir = dir->parent) {
    if (dir == tree) return true;
  }
  return false;
}

class MemoryDirectory final : public Directory {
 public:
  MemoryDirectory(TreePtr tree, NodePtr node, std::string path)
      : tree_(std::move(tree)), node_(std::move(node)), path_(std::move(path)) {}

  const std::string& path() const override { return path_; }

  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    NodePtr node;
    if (mode == OpenMode::create_append || mode == OpenMode::create_update) {
      Place place;
      if (const int error = missing(path, place); error != 0) return no("cannot create", path, error);
      node = tree_->make(FileKind::file);
      tree_->name(*place.dir, place.name, node);
    } else {
      const int error = mode == OpenMode::read ? follow(*tree_, node_, path, node) : find(node_, path, node);
      if (error != 0) return no("cannot open", path, error);
      if (node->kind == FileKind::symlink) return no("cannot open", path, ELOOP);
      if (node->kind != FileKind::file) return fail(Code::unsafe_path, "not a plain file", absolute(path));
      if (mode != OpenMode::read && node->links != 1)
        return fail(Code::unsafe_path, "the file has more than one link", absolute(path));
      HOLDFAST_TRY(open_base(*node, mode));
    }
    ++node->handles;
    return std::make_unique<MemoryFile>(tree_, std::move(node), mode, absolute(path));
  }

  Result<FileStat> stat(std::string_view path) override {
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(path, "cannot examine"));
    return stat_of(*node);
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view path) override {
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(path, "cannot list"));
    if (node->kind == FileKind::symlink) return no("cannot list", path, ELOOP);
    if (node->kind != FileKind::directory) return no("cannot list", path, ENOTDIR);
    return entries_of(node, path);
  }

  Result<std::vector<DirectoryEntry>> list_to_read(std::string_view path) override {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    NodePtr node;
    if (const int error = follow(*tree_, node_, path, node); error != 0) return no("cannot list", path, error);
    if (node->kind != FileKind::directory) return no("cannot list", path, ENOTDIR);
    HOLDFAST_LET(entries, entries_of(node, path));
    for (DirectoryEntry& entry : entries) {
      NodePtr target;
      if (entry.kind == FileKind::symlink && follow(*tree_, node, entry.name, target) == 0) entry.kind = target->kind;
    }
    return entries;
  }

  Result<FileStat> stat_to_read(std::string_view path) override {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    NodePtr node;
    if (const int error = follow(*tree_, node_, path, node); error != 0) return no("cannot examine", path, error);
    return stat_of(*node);
  }

  Result<void> check_writable(std::string_view path) override {
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(path, "cannot write to"));
    if (const int error = memory::check_writable(*node); error != 0) return no("cannot write to", path, error);
    return {};
  }

  Result<std::string> read_symlink(std::string_view path) override {
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(path, "cannot read the symbolic link"));
    if (node->kind != FileKind::symlink) return no("cannot read the symbolic link", path, EINVAL);
    return node->bytes;
  }

  Result<void> make_directory(std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    Place place;
    if (const int error = missing(path, place); error != 0) return no("cannot create the directory", path, error);
    tree_->name(*place.dir, place.name, tree_->make(FileKind::directory));
    return {};
  }

  Result<void> make_symlink(std::string_view target, std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    if (target.empty() || target.contains('\0'))
      return fail(Code::invalid_argument, "not a valid target for a symbolic link", absolute(path));
    const ScopedLock lock(tree_->mutex);
    Place place;
    if (const int error = missing(path, place); error != 0) return no("cannot create the symbolic link", path, error);
    const NodePtr node = tree_->make(FileKind::symlink);
    node->bytes = target;
    tree_->name(*place.dir, place.name, node);
    return {};
  }

  Result<void> make_link(std::string_view from, std::string_view to) override {
    HOLDFAST_TRY(check_relative_path(from));
    HOLDFAST_TRY(check_relative_path(to));
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(from, "cannot link"));
    if (node->kind == FileKind::directory) return no("cannot link", from, EPERM);
    Place place;
    if (const int error = missing(to, place); error != 0) return no("cannot link", to, error);
    tree_->name(*place.dir, place.name, node);
    return {};
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    HOLDFAST_TRY(check_relative_path(from));
    HOLDFAST_TRY(check_relative_path(to));
    const ScopedLock lock(tree_->mutex);
    Place source, target;
    int error = at(from, source);
    if (error == 0 && !source.node) error = ENOENT;
    if (error == 0) error = at(to, target);
    if (error == 0) error = refused(source, target);
    if (error != 0) return no("cannot rename", from, error);
    if (source.node == target.node) return {};
    if (target.node) tree_->unname(*target.dir, target.name);
    tree_->unname(*source.dir, source.name);
    tree_->name(*target.dir, target.name, source.node);
    return {};
  }

  Result<void> remove(std::string_view path) override {
    return take_away(path, "cannot remove",
                     [](const Node& node) { return node.kind == FileKind::directory ? EISDIR : 0; });
  }

  Result<void> remove_directory(std::string_view path) override {
    return take_away(path, "cannot remove the directory", [](const Node& node) {
      if (node.kind != FileKind::directory) return ENOTDIR;
      return has_names(node) ? ENOTEMPTY : 0;
    });
  }

  Result<void> sync_directory(std::string_view path) override {
    const ScopedLock lock(tree_->mutex);
    HOLDFAST_LET(node, look(path, "cannot sync the directory"));
    if (node->kind != FileKind::directory) return no("cannot sync the directory", path, ENOTDIR);
    return {};
  }

 private:
  // A name in a directory, and the node behind it, if any.
  struct Place {
    NodePtr dir;
    std::string_view name;
    NodePtr node;
  };

  std::string absolute(std::string_view path) const {
    std::string out = path_;
    if (path.empty()) return out;
    if (!out.ends_with('/')) out.push_back('/');
    return out.append(path);
  }

  Failure no(std::string_view what, std::string_view path, int error) const {
    return fail(file_error(error, what, absolute(path)));
  }

  // Opens the file that `node` is a view of, in the same mode, for the checks that this makes.
  static Result<void> open_base(Node& node, OpenMode mode) {
    if (!node.origin) return {};
    HOLDFAST_LET(opened, node.origin->directory->open(node.origin->path, mode));
    if (node.base == nullptr && node.base_size > 0) {
      if (mode != OpenMode::read) {
        HOLDFAST_LET(reading, node.origin->directory->open(node.origin->path, OpenMode::read));
        opened = std::move(reading);
      }
      node.base = std::move(opened);
    }
    return {};
  }

  Result<std::vector<DirectoryEntry>> entries_of(const NodePtr& node, std::string_view path) const {
    if (const int error = load_names(node); error != 0) return no("cannot list", path, error);
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, child] : node->names)
      if (child != nullptr) entries.push_back({name, child->kind});
    return entries;
  }

  // Returns the node at `path`, which may be "".
  Result<NodePtr> look(std::string_view path, std::string_view what) const {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    NodePtr node;
    if (const int error = find(node_, path, node); error != 0) return no(what, path, error);
    return node;
  }

  int at(std::string_view path, Place& place) const {
    const auto [folder, name] = split_last(path);
    if (const int error = find(node_, folder, place.dir); error != 0) return error;
    place.name = name;
    const int error = step(place.dir, name, place.node);
    return error == ENOENT ? 0 : error;
  }

  int missing(std::string_view path, Place& place) const {
    if (const int error = at(path, place); error != 0) return error;
    // No names can be created in a directory that was removed.
    if (place.dir->links == 0) return ENOENT;
    return place.node ? EEXIST : memory::check_writable(*place.dir);
  }

  static int refused(const Place& source, const Place& target) {
    if (target.dir->links == 0) return ENOENT;
    for (const NodePtr& dir : {source.dir, target.dir})
      if (const int error = memory::check_writable(*dir); error != 0) return error;
    const bool directory = source.node->kind == FileKind::directory;
    if (directory && is_inside(target.dir.get(), source.node.get())) return EINVAL;
    if (!target.node || target.node == source.node) return 0;
    if (directory && target.node->kind != FileKind::directory) return ENOTDIR;
    if (!directory && target.node->kind == FileKind::directory) return EISDIR;
    if (!directory) return 0;
    if (const int error = load_names(target.node); error != 0) return error;
    return has_names(*target.node) ? ENOTEMPTY : 0;
  }

  template <typename Refusal>
  Result<void> take_away(std::string_view path, std::string_view what, const Refusal& refusal) {
    HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    Place place;
    int error = at(path, place);
    if (error == 0) error = place.node ? memory::check_writable(*place.dir) : ENOENT;
    if (error == 0 && place.node->kind == FileKind::directory) error = load_names(place.node);
    if (error == 0) error = refusal(*place.node);
    if (error != 0) return no(what, path, error);
    tree_->unname(*place.dir, place.name);
    return {};
  }

  const TreePtr tree_;
  const NodePtr node_;
  const std::string path_;
};

// A directory that exists only in memory would be created on the file system of the one above it.
template <typename Ask>
auto ask_below(std::string_view path, const Ask& ask) {
  auto answer = ask(path);
  while (!answer && answer.error().code == Code::not_found && path.size() > 1) {
    path = absolute_parent(path);
    answer = ask(path);
  }
  return answer;
}

class MemoryFileSystem final : public Overlay, public OpensForeign, public OpensShared, public ReportsFreeSpace {
 public:
  MemoryFileSystem(FileSystem* below, std::uint64_t budget) : tree_(std::make_shared<Tree>(below, budget)) {}

  bool is_full() const override {
    const ScopedLock lock(tree_->mutex);
    return tree_->full;
  }

  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    return open_for(path, create ? TopUse::create : TopUse::write);
  }
  Result<std::unique_ptr<Directory>> open_to_read(std::string_view path) override {
    return open_for(path, TopUse::read);
  }
  Result<std::unique_ptr<Directory>> open_shared(std::string_view path) override {
    return open_for(path, TopUse::shared);
  }

  Result<FileSystemKind> kind_of(std::string_view path) override {
    HOLDFAST_TRY(below_root(path));
    FileSystemKind here{"memory", false};
    if (tree_->below == nullptr) return here;
    auto kind = ask_below(path, [this](std::string_view at) { return tree_->below->kind_of(at); });
    return kind && !kind->name.empty() ? *std::move(kind) : std::move(here);
  }

  Result<std::uint64_t> free_bytes(std::string_view path) override {
    HOLDFAST_TRY(below_root(path));
    if (tree_->below == nullptr) return UINT64_MAX;
    return ask_below(path, [this](std::string_view at) { return free_bytes_at(*tree_->below, at); });
  }

  std::uint64_t entropy() override { return real_file_system().entropy(); }

 private:
  Result<std::unique_ptr<Directory>> open_for(std::string_view path, TopUse use) {
    HOLDFAST_LET(below, below_root(path));
    const ScopedLock lock(tree_->mutex);
    if (tree_->below != nullptr) {
      const std::string absolute = "/" + std::string(below);
      HOLDFAST_LET(top, tree_->top(absolute, use));
      return std::make_unique<MemoryDirectory>(tree_, std::move(top), absolute);
    }
    NodePtr node;
    int error = follow(*tree_, tree_->root, below, node);
    if (error == ENOENT && use == TopUse::create) error = make_all(below, node);
    if (error == 0 && node->kind != FileKind::directory) error = ENOTDIR;
    if (error != 0) return fail(file_error(error, "cannot open the directory", path));
    return std::make_unique<MemoryDirectory>(tree_, std::move(node), "/" + std::string(below));
  }

  // Returns the path without leading and trailing slashes.
  static Result<std::string_view> below_root(std::string_view path) {
    if (!path.starts_with('/')) return fail(Code::invalid_argument, "the path must be absolute", std::string(path));
    std::string_view below = path.substr(1);
    while (below.ends_with('/')) below.remove_suffix(1);
    if (!below.empty()) HOLDFAST_TRY(check_relative_path(below));
    return below;
  }

  int make_all(std::string_view below, NodePtr& node) HOLDFAST_REQUIRES(tree_->mutex) {
    node = tree_->root;
    while (!below.empty()) {
      const NodePtr dir = node;
      const std::string_view name = take_component(below);
      int error = follow(*tree_, dir, name, node);
      if (error == ENOENT && !dir->names.contains(name)) {
        node = tree_->make(FileKind::directory);
        tree_->name(*dir, name, node);
        error = 0;
      }
      if (error != 0) return error;
    }
    return 0;
  }

  const TreePtr tree_;
};

}  // namespace

std::unique_ptr<FileSystem> make_memory_file_system() {
  return std::make_unique<MemoryFileSystem>(nullptr, UINT64_MAX);
}

std::unique_ptr<Overlay> make_overlay(FileSystem& below, std::uint64_t budget) {
  return std::make_unique<MemoryFileSystem>(&below, budget);
}

}  // namespace holdfast::inline v1
