#include "store/opened_roots.h"

namespace holdfast::inline v1 {
namespace {

// The path from the first root to another root inside it was not chosen by the user but is part of the data, perhaps
// of a checkout: a link on it could lead anywhere (I-16).
Result<void> check_inside(const Root& first, std::string_view path) {
  if (!path.starts_with(first.path() + "/")) return {};
  const std::string_view below = path.substr(first.path().size() + 1);
  for (std::size_t slash = 0; slash != std::string_view::npos;) {
    slash = below.find('/', slash + 1);
    const std::string_view part = below.substr(0, slash);
    if (part.empty()) continue;
    const auto link = first.directory().read_symlink(part);
    if (link)
      return fail(Code::unsafe_path, "a symbolic link to " + *link + " is in the place of a folder; nothing is written",
                  first.path() + "/" + std::string(part));
    if (link.error().code == Code::unsafe_path) return fail(link.error());
  }
  return {};
}

}  // namespace

Result<OpenedRoots> OpenedRoots::open(const Context& context, FileSystem& file_system, const Layout& layout,
                                      const StoreOptions& options) {
  for (const auto& [name, path] : options.roots) {
    bool known = name.empty();
    for (const RootName& root : layout.roots()) known = known || root.name == name;
    if (!known)
      return fail(Code::invalid_argument, "layout " + std::string(layout.name()) + " has no root called " + name, path);
  }
  OpenedRoots opened;
  opened.writable_ = options.write;
  for (const RootName& root : layout.roots()) {
    const bool is_first = &root == layout.roots().data();
    auto given = options.roots.find(root.name);
    if (given == options.roots.end() && is_first) given = options.roots.find("");
    opened.directories_.emplace(std::string(root.name), nullptr);
    std::string path = given == options.roots.end() ? std::string() : given->second;
    const std::string_view below = root.below_first;
    if (path.empty() && !below.empty() && opened.first_) path = opened.first_->path() + "/" + std::string(below);
    if (path.empty()) {
      if (root.required) return fail(Code::invalid_argument, "no directory given for " + std::string(root.meaning));
      continue;
    }
    if (opened.first_ && path == opened.first_->path()) {
      opened.directories_[std::string(root.name)] = &opened.first_->directory();
      opened.roots_.emplace(std::string(root.name), opened.first_);
      continue;
    }
    if (options.write && opened.first_) HOLDFAST_TRY(check_inside(*opened.first_, path));
    RootOptions how;
    how.side = root.side;
    how.create = options.create && (root.make || given == options.roots.end());
    how.write = options.write;
    auto made = Root::open(context, file_system, path, how);
    if (!made) {
      const Code code = made.error().code;
      const bool without = code == Code::not_found || (!root.make && code == Code::permission_denied);
      if (root.required || !without) return fail(std::move(made).error());
      opened.failed_.emplace(std::string(root.name), std::move(made).error());
      continue;
    }
    opened.directories_[std::string(root.name)] = &(*made)->directory();
    if (is_first) opened.first_ = *made;
    opened.roots_.emplace(std::string(root.name), std::move(*made));
  }
  return opened;
}

Result<std::shared_ptr<Root>> OpenedRoots::root(std::string_view name) const {
  const auto at = roots_.find(name);
  if (const auto failed = failed_.find(name); failed != failed_.end()) return fail(failed->second);
  if (at == roots_.end()) return fail(Code::not_found, "this store has no directory for its root " + std::string(name));
  return at->second;
}

}  // namespace holdfast::inline v1
