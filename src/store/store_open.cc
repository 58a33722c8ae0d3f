// Opening a store: the layout by name, its roots, what a new store needs.
#include "disk/sim_file_system.h"
#include "store/carry_out.h"
#include "store/file_store.h"
#include "store/runs.h"
#include "store/workflow_ready.h"
#include "store/worktree.h"

namespace holdfast::inline v1 {
namespace {

// What a layout's new store consists of, made once.
Result<void> found_store(const Context& context, FileStore& store) {
  return store.change(context,
                      [&](DirectoryFeed& feed) { return store.its_layout().found(feed, store.moment(context)); });
}

Result<std::shared_ptr<FileStore>> open_files(const Context& context, FileSystem& file_system, StoreOptions options) {
  const Layout* layout = find_layout(options.layout);
  if (layout == nullptr) return fail(Code::invalid_argument, "there is no layout called " + options.layout);
  if (options.write && !layout->writable())
    return fail(Code::unsupported, "stores of layout " + options.layout + " are only read; nothing is written to them");
  if (layout->shares_worktrees()) {
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
  auto store = std::make_shared<FileStore>(*layout, file_system, options, std::move(roots), name);
  DirectoryFeed feed(context, store->roots().directories());
  HOLDFAST_LET(known, layout->recognise(feed));
  if (known) {
    // Runs whose owner died; one that cannot be marked now (disk full) is marked next time.
    if (options.write && layout->shape("run") != nullptr) (void)fail_abandoned_runs(context, *store);
    // The same for sessions that cannot be read, where the layout has a folder for them.
    if (options.write && layout->workflow() != nullptr) (void)set_aside_corrupt(context, *store);
    return store;
  }
  if (!options.create || !options.write)
    return fail(Code::not_found, "no store of layout " + options.layout + " is there", store->roots().first()->path());
  HOLDFAST_TRY(found_store(context, *store));
  return store;
}

// Keeps the files in memory alive as long as the store.
struct MemoryStore {
  SimFileSystem files;
  std::shared_ptr<FileStore> store;
};

}  // namespace

Result<std::shared_ptr<Store>> Store::open(const Context& context, FileSystem& file_system, StoreOptions options) {
  HOLDFAST_LET(store, open_files(context, file_system, std::move(options)));
  return std::shared_ptr<Store>(std::move(store));
}

Result<std::shared_ptr<Store>> Store::in_memory(const Context& context, std::string layout) {
  auto memory = std::make_shared<MemoryStore>();
  StoreOptions options;
  options.layout = std::move(layout);
  if (const Layout* known = find_layout(options.layout)) {
    for (const RootName& root : known->roots()) options.roots.emplace(root.name, "/" + std::string(root.name));
  }
  options.write = true;
  options.create = true;
  HOLDFAST_LET(store, open_files(context, memory->files, std::move(options)));
  memory->store = std::move(store);
  Store* inner = memory->store.get();
  return std::shared_ptr<Store>(std::move(memory), inner);
}

}  // namespace holdfast::inline v1
