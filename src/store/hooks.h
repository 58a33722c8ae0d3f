// Where the features of src/rules take part in what the engine does. The engine knows
// none of them: it calls every row of the table that a store was opened with, in its order.
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

// A row; nullptr where a feature has nothing to do.
struct Hooks {
  // The store was opened for writing. What cannot be done now is done at the next opening.
  void (*opened)(const Context& context, FileStore& store) = nullptr;
  // Records are about to be edited; an error refuses all of the edits.
  Result<void> (*editing)(const Store::Look& look, std::span<const RecordEdit> edits) = nullptr;
  // A change that was made here, not received, is about to be committed. Adds to it; what it
  // returns is called once the commit is done. Asked again when the commit meets another one.
  Result<std::function<void()>> (*changing)(const Context& context, FileStore& store, DirectoryFeed& feed,
                                            Changes& changes) = nullptr;
  // The session is gone.
  void (*removed)(const Context& context, FileStore& store, const std::string& session) = nullptr;
  // What is wrong with the feature's own files. Errors: cancelled, deadline_exceeded.
  Result<void> (*verifying)(const Context& context, FileStore& store, RecordFindings& into) = nullptr;
  Result<void> (*repairing)(const Context& context, FileStore& store, const RepairOptions& options,
                            Repaired& repaired) = nullptr;
};

// Store::open, with the features that take part; `hooks` outlives the store.
Result<std::shared_ptr<FileStore>> open_store(const Context& context, FileSystem& file_system, StoreOptions options,
                                              std::span<const Hooks> hooks);

}  // namespace holdfast::inline v1
