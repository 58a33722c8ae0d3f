#include "disk/memory_file_system.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "base/safe_name.h"
#include "disk/file_error.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMaxLinks = 40;  // as on Linux: more symbolic links in one path count as a loop

struct Node : std::enable_shared_from_this<Node> {
  FileKind kind = FileKind::file;
  std::uint64_t number = 0;
  std::uint64_t links = 0;  // number of names
  std::uint32_t mode = 0;
  std::int64_t mtime = 0;
  std::int64_t ctime = 0;
  std::string bytes;                                                // contents of a file, or target of a symbolic link
  std::map<std::string, std::shared_ptr<Node>, std::less<>> names;  // of a directory
  Node* parent = nullptr;                                           // of a directory that has a name
  std::vector<std::pair<const void*, LockKind>> locks;              // lock holders
};
using NodePtr = std::shared_ptr<Node>;

// The mutex guards everything, including the nodes.
struct Tree {
  Mutex mutex;
  std::uint64_t last_number HOLDFAST_GUARDED_BY(mutex) = 0;
  std::int64_t last_time HOLDFAST_GUARDED_BY(mutex) = 0;
  NodePtr root HOLDFAST_GUARDED_BY(mutex);

  Tree() : root(make(FileKind::directory)) { root->links = 1; }

  // Returns a later time than any call before, so every change is visible in the times.
  std::int64_t tick() HOLDFAST_REQUIRES(mutex) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    last_time = std::max<std::int64_t>(last_time + 1, std::chrono::nanoseconds(now).count());
    return last_time;
  }

  NodePtr make(FileKind kind) HOLDFAST_REQUIRES(mutex) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->number = ++last_number;
    node->mode = kind == FileKind::directory ? 0700 : kind == FileKind::symlink ? 0777 : 0600;
    node->mtime = node->ctime = tick();
    return node;
  }

  void touch(Node& node) HOLDFAST_REQUIRES(mutex) { node.mtime = node.ctime = tick(); }

  void name(Node& dir, std::string_view name, const NodePtr& node) HOLDFAST_REQUIRES(mutex) {
    dir.names.insert_or_assign(std::string(name), node);
    ++node->links;
    if (node->kind == FileKind::directory) node->parent = &dir;
    touch(dir);
  }

  void unname(Node& dir, std::string_view name) HOLDFAST_REQUIRES(mutex) {
    const auto entry = dir.names.find(name);
    const NodePtr node = entry->second;
    dir.names.erase(entry);
    --node->links;
    node->parent = nullptr;
    node->ctime = tick();
    touch(dir);
  }
};
using TreePtr = std::shared_ptr<Tree>;

std::string_view take_component(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view first = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return first;
}

std::pair<std::string_view, std::string_view> split_last(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

int step(const NodePtr& dir, std::string_view name, NodePtr& found) {
  if (dir->kind == FileKind::symlink) return ELOOP;
  if (dir->kind != FileKind::directory) return ENOTDIR;
  const auto entry = dir->names.find(name);
  if (entry == dir->names.end()) return ENOENT;
  found = entry->second;
  return 0;
}

// Finds the node at a path below `from`, or `from` itself for ""; does not follow symbolic links.
int find(NodePtr from, std::string_view path, NodePtr& found) {
  found = std::move(from);
  while (!path.empty()) {
    const NodePtr dir = found;
    if (const int error = step(dir, take_component(path), found); error != 0) return error;
  }
  return 0;
}

// The same, but follows symbolic links everywhere; absolute targets start at `root`.
int follow(const NodePtr& root, NodePtr from, std::string_view path, NodePtr& found) {
  std::string rest(path);
  found = std::move(from);
  for (int links = 0; !rest.empty();) {
    std::string_view view = rest;
    const std::string_view name = take_component(view);
    const NodePtr dir = found;
    std::string left(view);
    if (name == "..") {
      if (dir != root && dir->parent == nullptr) return ENOENT;
      if (dir != root) found = dir->parent->shared_from_this();
    } else if (!name.empty() && name != ".") {
      if (const int error = step(dir, name, found); error != 0) return error;
      if (found->kind == FileKind::symlink) {
        if (++links > kMaxLinks) return ELOOP;
        std::string target = found->bytes;
        found = target.starts_with('/') ? root : dir;
        if (!left.empty()) target.append("/").append(left);
        left = std::move(target);
      }
    }
    rest = std::move(left);
  }
  return 0;
}

FileStat stat_of(const Node& node) {
  return {.kind = node.kind,
          .device = 1,
          .inode = node.number,
          .size = node.bytes.size(),
          .links = node.kind == FileKind::directory ? node.links * 2 : node.links,
          .mode = node.mode,
          .owner = 0,
          .mtime_ns = node.mtime,
          .ctime_ns = node.ctime};
}

class MemoryFile final : public File {
 public:
  MemoryFile(TreePtr tree, NodePtr node, OpenMode mode, std::string path)
      : tree_(std::move(tree)), node_(std::move(node)), mode_(mode), path_(std::move(path)) {}
  ~MemoryFile() override { unlock(); }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const ScopedLock lock(tree_->mutex);
    return offset < node_->bytes.size() ? node_->bytes.copy(into.data(), into.size(), offset) : 0;
  }

  Result<std::size_t> append(std::string_view bytes) override {
    if (mode_ != OpenMode::append && mode_ != OpenMode::create_append) return wrong_mode("appending");
    const ScopedLock lock(tree_->mutex);
    node_->bytes.append(bytes);
    tree_->touch(*node_);
    append_end_ = node_->bytes.size();
    return bytes.size();
  }

  std::uint64_t append_end() const override { return append_end_; }

  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    if (mode_ != OpenMode::update && mode_ != OpenMode::create_update) return wrong_mode("writing in place");
    const ScopedLock lock(tree_->mutex);
    if (node_->bytes.size() < offset + bytes.size()) node_->bytes.resize(offset + bytes.size());
    node_->bytes.replace(offset, bytes.size(), bytes);
    tree_->touch(*node_);
    return {};
  }

  Result<void> truncate(std::uint64_t size) override {
    if (mode_ == OpenMode::read) return wrong_mode("truncating");
    const ScopedLock lock(tree_->mutex);
    node_->bytes.resize(size);
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
      const int error = mode == OpenMode::read ? follow(tree_->root, node_, path, node) : find(node_, path, node);
      if (error != 0) return no("cannot open", path, error);
      if (node->kind == FileKind::symlink) return no("cannot open", path, ELOOP);
      if (node->kind != FileKind::file) return fail(Code::unsafe_path, "not a plain file", absolute(path));
      if (mode != OpenMode::read && node->links != 1)
        return fail(Code::unsafe_path, "the file has more than one link", absolute(path));
    }
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
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, child] : node->names) entries.push_back({name, child->kind});
    return entries;
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
      return node.names.empty() ? 0 : ENOTEMPTY;
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
    return place.node ? EEXIST : 0;
  }

  static int refused(const Place& source, const Place& target) {
    if (target.dir->links == 0) return ENOENT;
    const bool directory = source.node->kind == FileKind::directory;
    if (directory && is_inside(target.dir.get(), source.node.get())) return EINVAL;
    if (!target.node || target.node == source.node) return 0;
    if (directory && target.node->kind != FileKind::directory) return ENOTDIR;
    if (!directory && target.node->kind == FileKind::directory) return EISDIR;
    return target.node->names.empty() ? 0 : ENOTEMPTY;
  }

  template <typename Refusal>
  Result<void> take_away(std::string_view path, std::string_view what, const Refusal& refusal) {
    HOLDFAST_TRY(check_relative_path(path));
    const ScopedLock lock(tree_->mutex);
    Place place;
    int error = at(path, place);
    if (error == 0) error = place.node ? refusal(*place.node) : ENOENT;
    if (error != 0) return no(what, path, error);
    tree_->unname(*place.dir, place.name);
    return {};
  }

  const TreePtr tree_;
  const NodePtr node_;
  const std::string path_;
};

class MemoryFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    HOLDFAST_LET(below, below_root(path));
    const ScopedLock lock(tree_->mutex);
    NodePtr node;
    int error = follow(tree_->root, tree_->root, below, node);
    if (error == ENOENT && create) error = make_all(below, node);
    if (error == 0 && node->kind != FileKind::directory) error = ENOTDIR;
    if (error != 0) return fail(file_error(error, "cannot open the directory", path));
    return std::make_unique<MemoryDirectory>(tree_, std::move(node), "/" + std::string(below));
  }

  Result<FileSystemKind> kind_of(std::string_view path) override {
    HOLDFAST_TRY(below_root(path));
    return FileSystemKind{"memory", false};
  }

  std::uint64_t entropy() override { return real_file_system().entropy(); }

 private:
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
      int error = follow(tree_->root, dir, name, node);
      if (error == ENOENT && !dir->names.contains(name)) {
        node = tree_->make(FileKind::directory);
        tree_->name(*dir, name, node);
        error = 0;
      }
      if (error != 0) return error;
    }
    return 0;
  }

  const TreePtr tree_ = std::make_shared<Tree>();
};

}  // namespace

std::unique_ptr<FileSystem> make_memory_file_system() { return std::make_unique<MemoryFileSystem>(); }

}  // namespace holdfast::inline v1
