#include "store/opened_roots.h"

namespace holdfast::inline v1 {

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
    if (given == options.roots.end()) {
      if (root.required) return fail(Code::invalid_argument, "no directory is given for " + std::string(root.meaning));
      continue;
    }
    RootOptions how;
    how.side = layout.side_folder(root.name);
    how.create = options.create;
    how.write = options.write;
    auto made = Root::open(context, file_system, given->second, how);
    if (!made) {
      if (made.error().code == Code::not_found && !root.required) continue;
      return fail(std::move(made).error());
    }
    opened.directories_[std::string(root.name)] = &(*made)->directory();
    if (is_first) opened.first_ = *made;
    opened.roots_.emplace(std::string(root.name), std::move(*made));
  }
  return opened;
}

Result<std::shared_ptr<Root>> OpenedRoots::root(std::string_view name) const {
  const auto at = roots_.find(name);
  if (at == roots_.end()) return fail(Code::not_found, "this store has no directory for its root " + std::string(name));
  return at->second;
}

}  // namespace holdfast::inline v1
