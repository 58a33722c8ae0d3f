// The files and directories of a file system in memory, and how paths are resolved in it.
//
// A node may be a view of a file or directory of another file system, its origin: names and bytes are
// read from there until they are changed here. Nothing is ever changed there.
//
// Thread-safety: the tree's mutex guards everything, including the nodes.
#pragma once

#include <holdfast/file_system.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace holdfast::inline v1::memory {

struct Origin {
  std::shared_ptr<Directory> directory;
  std::string path;  // relative to `directory`; "" is the directory itself
};

struct Node : std::enable_shared_from_this<Node> {
  FileKind kind = FileKind::file;
  std::uint64_t device = 1;
  std::uint64_t number = 0;
  std::uint64_t links = 0;  // number of names
  std::uint32_t mode = 0;
  std::uint32_t owner = 0;
  std::int64_t mtime = 0;
  std::int64_t ctime = 0;
  std::optional<Origin> origin;
  // The contents of a file: `base_size` bytes of `base`, the file of its origin, while it is open; then `bytes`. Or
  // the target of a symbolic link.
  std::shared_ptr<File> base;
  std::uint64_t base_size = 0;
  std::uint64_t handles = 0;  // open ones; `base` is closed with the last
  std::string bytes;
  // Of a directory; those of its origin appear when they are looked up. nullptr for one of them that was removed.
  std::map<std::string, std::shared_ptr<Node>, std::less<>> names;
  Node* parent = nullptr;                               // of a directory that has a name
  std::vector<std::pair<const void*, LockKind>> locks;  // lock holders

  std::uint64_t size() const { return base_size + bytes.size(); }
};
using NodePtr = std::shared_ptr<Node>;

// A directory of the file system below that was opened by its path; a tree of its own.
struct Top {
  NodePtr node;
  bool trusted = false;  // the file system below let it be opened for writing
};

// How a top is opened. Only the last two fail if it belongs to another user; `create` accepts a missing directory that
// could be created, and it exists here from then on.
enum class TopUse { read, shared, write, create };

struct Tree {
  Tree(FileSystem* below, std::uint64_t budget);

  FileSystem* const below;     // the file system of the origins; nullptr if nothing has one
  const std::uint64_t budget;  // how many bytes may be written
  Mutex mutex;
  std::uint64_t written HOLDFAST_GUARDED_BY(mutex) = 0;
  bool full HOLDFAST_GUARDED_BY(mutex) = false;  // something did not fit into the budget
  std::uint64_t last_number HOLDFAST_GUARDED_BY(mutex) = 0;
  std::int64_t last_time HOLDFAST_GUARDED_BY(mutex) = 0;
  NodePtr root HOLDFAST_GUARDED_BY(mutex);                                  // "/"
  std::map<std::string, Top, std::less<>> tops HOLDFAST_GUARDED_BY(mutex);  // with `below`; by their paths

  // Returns a later time than any call before, so every change is visible in the times.
  std::int64_t tick() HOLDFAST_REQUIRES(mutex);
  NodePtr make(FileKind kind) HOLDFAST_REQUIRES(mutex);
  void touch(Node& node) HOLDFAST_REQUIRES(mutex) { node.mtime = node.ctime = tick(); }
  void name(Node& dir, std::string_view name, const NodePtr& node) HOLDFAST_REQUIRES(mutex);
  void unname(Node& dir, std::string_view name) HOLDFAST_REQUIRES(mutex);
  // Takes so many bytes from the budget; returns false, and sets `full`, if they are not left.
  bool spend(std::uint64_t bytes) HOLDFAST_REQUIRES(mutex);
  // Fails with what the file system below reports.
  Result<NodePtr> top(const std::string& path, TopUse use) HOLDFAST_REQUIRES(mutex);
};

// These return 0 or an errno.

// The node of a name in a directory.
int step(const NodePtr& dir, std::string_view name, NodePtr& found);
// Finds the node at a path below `from`, or `from` itself for ""; does not follow symbolic links.
int find(NodePtr from, std::string_view path, NodePtr& found);
// The same, but follows symbolic links everywhere, also out of a top.
int follow(Tree& tree, NodePtr from, std::string_view path, NodePtr& found) HOLDFAST_REQUIRES(tree.mutex);
// Looks up all names of a directory's origin.
int load_names(const NodePtr& dir);
bool has_names(const Node& dir);  // of a directory whose names are loaded
// Whether the origin of a directory, if it has one, would let names in it be changed.
int check_writable(const Node& dir);

// Makes all of a file's contents `bytes`, so any of them can be changed.
Result<void> detach(Node& file);
Result<std::size_t> read(Node& file, std::uint64_t offset, std::span<char> into);

FileStat stat_of(const Node& node);
std::string_view take_component(std::string_view& path);
std::pair<std::string_view, std::string_view> split_last(std::string_view path);

}  // namespace holdfast::inline v1::memory
