// How the features of src/rules take part in what the engine does. The engine knows none of
// them: it calls every row of the table that a store was opened with, in order.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <span>

#include "index/directory_feed.h"
#include "layout/change.h"
#include "store/record_findings.h"
#include "store/repair.h"

namespace holdfast::inline v1 {

class FileStore;

// One feature; nullptr where the feature has nothing to do.
struct Hooks {
  // The store was opened for writing. Work that cannot be done now is left to the next opening.
  void (*opened)(const Context& context, FileStore& store) = nullptr;
  // Called before records are edited; an error refuses all the edits.
  Result<void> (*editing)(const Store::Look& look, std::span<const RecordEdit> edits) = nullptr;
  // Called before a change that was made here, not received, is committed. May add to the change; the function
  // that it returns is called once the commit is done. Called again if the commit conflicts with another one.
  Result<std::function<void()>> (*changing)(const Context& context, FileStore& store, DirectoryFeed& feed,
                                            Changes& changes) = nullptr;
  // Called after the session was removed.
  void (*removed)(const Context& context, FileStore& store, const std::string& session) = nullptr;
  // Reports what is wrong with the feature's own files. Errors: cancelled, deadline_exceeded.
  Result<void> (*verifying)(const Context& context, FileStore& store, RecordFindings& into) = nullptr;
  Result<void> (*repairing)(const Context& context, FileStore& store, const RepairOptions& options,
                            Repaired& repaired) = nullptr;
};

// Store::open, with the features that take part; `hooks` must outlive the store.
Result<std::shared_ptr<FileStore>> open_store(const Context& context, FileSystem& file_system, StoreOptions options,
                                              std::span<const Hooks> hooks);

}  // namespace holdfast::inline v1
