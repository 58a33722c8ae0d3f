// All features that hook into a store, and opening a store with them.
#include <array>

#include "disk/memory_file_system.h"
#include "rules/entries/entries_hooks.h"
#include "rules/initiative/initiative_hooks.h"
#include "rules/queue/queue_hooks.h"
#include "rules/runs/runs_hooks.h"
#include "rules/threads/threads_hooks.h"
#include "rules/workflow/workflow_hooks.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {
namespace {

// The queue is last: it sends the changes that the other features made.
const std::array kFeatures = {kRunsHooks, kWorkflowHooks, kInitiativeHooks, kThreadsHooks, kEntriesHooks, kQueueHooks};

// Keeps the files in memory alive as long as the store.
struct MemoryStore {
  std::unique_ptr<FileSystem> files = make_memory_file_system();
  std::shared_ptr<FileStore> store;
};

}  // namespace

Result<std::shared_ptr<Store>> Store::open(const Context& context, FileSystem& file_system, StoreOptions options) {
  HOLDFAST_LET(store, open_store(context, file_system, std::move(options), kFeatures));
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
  HOLDFAST_LET(store, open_store(context, *memory->files, std::move(options), kFeatures));
  memory->store = std::move(store);
  Store* inner = memory->store.get();
  return std::shared_ptr<Store>(std::move(memory), inner);
}

}  // namespace holdfast::inline v1
