// Opening a store: finds the layout by name, opens its roots, creates what a new store needs.
#include "layout/writable_layout.h"
#include "store/carry_out.h"
#include "store/file_store.h"
#include "store/hooks.h"
#include "store/worktree.h"

namespace holdfast::inline v1 {
namespace {

// Creates the files of a new store of this layout.
Result<void> found_store(const Context& context, FileStore& store) {
  HOLDFAST_LET(writer, writer_of(store.layout()));
  return store.change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    // Another process may create it at the same time; its store is just as good.
    if (const auto there = store.layout().recognise(feed); there && *there) return Changes();
    return writer->found(feed, store.moment(context));
  });
}

}  // namespace

Result<std::shared_ptr<FileStore>> open_store(const Context& context, FileSystem& file_system, StoreOptions options,
                                              std::span<const Hooks> hooks) {
  const Layout* layout = find_layout(options.layout);
  if (layout == nullptr) return fail(Code::invalid_argument, "there is no layout called " + options.layout);
  if (options.write && !layout->writable())
    return fail(Code::unsupported, "stores of layout " + options.layout + " are read-only");
  if (layout->traits().shares_worktrees) {
    for (const std::string_view key : {std::string_view(), layout->roots().front().name}) {
      const auto given = options.roots.find(key);
      if (given != options.roots.end()) given->second = main_directory_of(file_system, given->second);
    }
  }
  auto opened = OpenedRoots::open(context, file_system, *layout, options);
  if (!opened) {
    Error error = std::move(opened).error();
    if (error.code == Code::io_error) error.code = Code::storage_unavailable;
    return fail(std::move(error));
  }
  OpenedRoots roots = std::move(*opened);
  const std::string name = options.layout + ":" + roots.first()->path();
  auto store = std::make_shared<FileStore>(*layout, file_system, options, std::move(roots), name, hooks);
  DirectoryFeed feed(context, store->roots().directories());
  auto recognised = layout->recognise(feed);
  const bool create = options.create && options.write;
  // A layout may restrict where its stores belong; creating one explicitly overrides that.
  if (!recognised && (!create || recognised.error().code != Code::invalid_argument)) {
    Error error = std::move(recognised).error();
    if (error.path.empty()) error.path = store->roots().first()->path();
    return fail(std::move(error));
  }
  if (recognised && *recognised) {
    // What cannot be finished now is left to the next change of a session.
    if (options.write) (void)store->settle_sessions(context);
    for (const Hooks& each : options.write ? hooks : std::span<const Hooks>()) {
      if (each.opened != nullptr) each.opened(context, *store);
    }
    return store;
  }
  if (!create)
    return fail(Code::not_found, "there is no " + options.layout + " store here", store->roots().first()->path());
  HOLDFAST_TRY(found_store(context, *store));
  return store;
}

}  // namespace holdfast::inline v1
