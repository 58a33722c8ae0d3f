// What has to be right before a workflow may begin (Lopen's pre-workflow check),
// and what is put right when a store is opened for writing.
#pragma once

#include <holdfast/store.h>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// The layout's folders are there, the store can be written to (4 KiB and a sync
// prove it), an existing .gitignore names it. Errors are critical ones, with
// path and cause. Nothing to do for layouts without workflows.
Result<void> prepare_workflow(const Context& context, Store& store);

// The folder of the session's documents takes new names: what stopped a save may be wrong with it alone. Errors are
// critical ones.
Result<void> prove_session_writable(FileStore& files, const SessionRef& ref);

// Sessions and plans that cannot be read are moved to the layout's folder for
// them, whole and never repaired, and told as findings of the store; then the mark of
// the current session is set right. One that cannot be moved stays and is told.
Result<void> set_aside_corrupt(const Context& context, FileStore& store);

}  // namespace holdfast::inline v1
