#include "disk/memory_tree.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/parent_path.h"
#include "base/time.h"
#include "disk/file_error.h"
#include "disk/real_file_system.h"

namespace holdfast::inline v1::memory {
namespace {

constexpr int kMaxLinks = 40;  // as on Linux: more symbolic links in one path count as a loop

int errno_of(const Error& error) {
  if (error.os_error != 0) return error.os_error;
  switch (error.code) {
    case Code::not_found: return ENOENT;
    case Code::read_only: return EROFS;
    default: return EACCES;
  }
}

std::string joined(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && !path.ends_with('/')) path.push_back('/');
  return path.append(name);
}

// Makes the node of a name that only the origin of `dir` has.
int find_in_origin(Node& dir, std::string_view name, NodePtr& found) {
  const Origin origin{dir.origin->directory, joined(dir.origin->path, name)};
  const auto stat = origin.directory->stat(origin.path);
  if (!stat) return errno_of(stat.error());
  auto node = std::make_shared<Node>();
  node->kind = stat->kind;
  node->device = stat->device;
  node->number = stat->inode;
  node->links = stat->kind == FileKind::directory ? 1 : stat->links;
  node->mode = stat->mode;
  node->owner = stat->owner;
  node->mtime = stat->mtime_ns;
  node->ctime = stat->ctime_ns;
  if (stat->kind == FileKind::file) node->base_size = stat->size;
  if (stat->kind == FileKind::directory) node->parent = &dir;
  if (stat->kind == FileKind::symlink) {
    auto target = origin.directory->read_symlink(origin.path);
    if (!target) return errno_of(target.error());
    node->bytes = *std::move(target);
  }
  node->origin = origin;
  dir.names.emplace(name, node);
  found = std::move(node);
  return 0;
}

// The directory above a top, which is a top too.
int parent_of_top(Tree& tree, const Node& top, NodePtr& found) HOLDFAST_REQUIRES(tree.mutex) {
  for (const auto& [path, one] : tree.tops) {
    if (one.node.get() != &top) continue;
    auto above = tree.top(std::string(absolute_parent(path)), TopUse::read);
    if (!above) return errno_of(above.error());
    found = *std::move(above);
    return 0;
  }
  return ENOENT;
}

bool must_be_trusted(TopUse use) { return use == TopUse::write || use == TopUse::create; }

Result<std::unique_ptr<Directory>> open_below(FileSystem& files, std::string_view path, TopUse use) {
  auto* const shared = use == TopUse::shared ? dynamic_cast<OpensShared*>(&files) : nullptr;
  if (shared != nullptr) return shared->open_shared(path);
  auto* const foreign = use == TopUse::read ? dynamic_cast<OpensForeign*>(&files) : nullptr;
  return foreign != nullptr ? foreign->open_to_read(path) : files.open_directory(path, false);
}

// Fails as creating that directory would, as far as this can be told from the first one above it that exists.
Result<void> check_creatable(FileSystem& files, std::string_view path) {
  std::string_view above = absolute_parent(path);
  auto opened = open_below(files, above, TopUse::read);
  while (!opened && opened.error().code == Code::not_found && above.size() > 1) {
    path = std::exchange(above, absolute_parent(above));
    opened = open_below(files, above, TopUse::read);
  }
  if (!opened) return {};
  const auto writable = (*opened)->check_writable("");
  int error = writable ? 0 : errno_of(writable.error());
  // Root may write to /proc as far as its permissions say, but nothing can be created there.
  if (const auto kind = files.kind_of(above); error == 0 && kind && kind->name == "proc") error = ENOENT;
  if (error != 0) return fail(file_error(error, "cannot create the directory", path));
  return {};
}

}  // namespace

Tree::Tree(FileSystem* under, std::uint64_t most) : below(under), budget(most), root(make(FileKind::directory)) {
  root->links = 1;
}

std::int64_t Tree::tick() {
  last_time = std::max(last_time + 1, unix_ns(std::chrono::system_clock::now()));
  return last_time;
}

NodePtr Tree::make(FileKind kind) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->number = ++last_number;
  node->mode = kind == FileKind::directory ? 0700 : kind == FileKind::symlink ? 0777 : 0600;
  node->mtime = node->ctime = tick();
  return node;
}

void Tree::name(Node& dir, std::string_view name, const NodePtr& node) {
  dir.names.insert_or_assign(std::string(name), node);
  ++node->links;
  if (node->kind == FileKind::directory) node->parent = &dir;
  touch(dir);
}

void Tree::unname(Node& dir, std::string_view name) {
  const auto entry = dir.names.find(name);
  const NodePtr node = entry->second;
  if (dir.origin) {
    entry->second = nullptr;
  } else {
    dir.names.erase(entry);
  }
  --node->links;
  node->parent = nullptr;
  node->ctime = tick();
  touch(dir);
}

bool Tree::spend(std::uint64_t bytes) {
  if (budget - written < bytes) {
    full = true;
    return false;
  }
  written += bytes;
  return true;
}

Result<NodePtr> Tree::top(const std::string& path, TopUse use) {
  const auto known = tops.find(path);
  if (known != tops.end() && (known->second.trusted || !must_be_trusted(use))) return known->second.node;
  auto opened = open_below(*below, path, use);
  const bool creates = known == tops.end() && use == TopUse::create;
  if (!opened && !(creates && opened.error().code == Code::not_found)) return fail(std::move(opened).error());
  if (!opened) HOLDFAST_TRY(check_creatable(*below, path));
  if (known != tops.end()) {
    known->second.trusted = true;
    return known->second.node;
  }
  NodePtr node = make(FileKind::directory);
  node->links = 1;
  if (opened) node->origin = {std::shared_ptr<Directory>(*std::move(opened)), ""};
  tops.emplace(path, Top{node, must_be_trusted(use)});
  return node;
}

int step(const NodePtr& dir, std::string_view name, NodePtr& found) {
  if (dir->kind == FileKind::symlink) return ELOOP;
  if (dir->kind != FileKind::directory) return ENOTDIR;
  const auto entry = dir->names.find(name);
  if (entry == dir->names.end()) return dir->origin ? find_in_origin(*dir, name, found) : ENOENT;
  if (entry->second == nullptr) return ENOENT;
  found = entry->second;
  return 0;
}

int find(NodePtr from, std::string_view path, NodePtr& found) {
  found = std::move(from);
  while (!path.empty()) {
    const NodePtr dir = found;
    if (const int error = step(dir, take_component(path), found); error != 0) return error;
  }
  return 0;
}

int follow(Tree& tree, NodePtr from, std::string_view path, NodePtr& found) {
  std::string rest(path);
  found = std::move(from);
  for (int links = 0; !rest.empty();) {
    std::string_view view = rest;
    const std::string_view name = take_component(view);
    const NodePtr dir = found;
    std::string left(view);
    if (name == "..") {
      if (dir->parent != nullptr) {
        found = dir->parent->shared_from_this();
      } else if (dir != tree.root) {
        if (const int error = parent_of_top(tree, *dir, found); error != 0) return error;
      }
    } else if (!name.empty() && name != ".") {
      if (const int error = step(dir, name, found); error != 0) return error;
      if (found->kind == FileKind::symlink) {
        if (++links > kMaxLinks) return ELOOP;
        std::string target = found->bytes;
        found = dir;
        if (!left.empty()) target.append("/").append(left);
        if (target.starts_with('/') && tree.below != nullptr) {
          const auto [folder, last] = split_last(target);
          auto top = tree.top(folder.empty() ? "/" : std::string(folder), TopUse::read);
          if (!top) return errno_of(top.error());
          found = *std::move(top);
          target = last;
        } else if (target.starts_with('/')) {
          found = tree.root;
        }
        left = std::move(target);
      }
    }
    rest = std::move(left);
  }
  return 0;
}

int load_names(const NodePtr& dir) {
  if (!dir->origin) return 0;
  const auto entries = dir->origin->directory->list(dir->origin->path);
  if (!entries) return errno_of(entries.error());
  for (const DirectoryEntry& entry : *entries) {
    NodePtr node;
    if (dir->names.contains(entry.name)) continue;
    if (const int error = find_in_origin(*dir, entry.name, node); error != 0 && error != ENOENT) return error;
  }
  return 0;
}

bool has_names(const Node& dir) {
  return std::ranges::any_of(dir.names, [](const auto& entry) { return entry.second != nullptr; });
}

int check_writable(const Node& dir) {
  if (!dir.origin) return 0;
  const auto writable = dir.origin->directory->check_writable(dir.origin->path);
  return writable ? 0 : errno_of(writable.error());
}

Result<void> detach(Node& file) {
  if (file.base == nullptr) return {};
  std::string all(file.base_size, '\0');
  HOLDFAST_LET(count, file.base->read_at(0, all));
  all.resize(count);
  file.bytes.insert(0, all);
  file.base = nullptr;
  file.base_size = 0;
  return {};
}

Result<std::size_t> read(Node& file, std::uint64_t offset, std::span<char> into) {
  std::size_t count = 0;
  if (offset < file.base_size && file.base != nullptr) {
    const auto part = into.first(std::min<std::uint64_t>(into.size(), file.base_size - offset));
    HOLDFAST_LET(got, file.base->read_at(offset, part));
    count = got;
    if (count < part.size()) return count;
  }
  const std::uint64_t at = offset + count - file.base_size;
  if (count == into.size() || at >= file.bytes.size()) return count;
  return count + file.bytes.copy(into.data() + count, into.size() - count, at);
}

FileStat stat_of(const Node& node) {
  return {.kind = node.kind,
          .device = node.device,
          .inode = node.number,
          .size = node.size(),
          .links = node.kind == FileKind::directory ? node.links * 2 : node.links,
          .mode = node.mode,
          .owner = node.owner,
          .mtime_ns = node.mtime,
          .ctime_ns = node.ctime};
}

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

}  // namespace holdfast::inline v1::memory
