// What must be in order before a workflow may begin (Lopen's pre-workflow check), and
// what is repaired when a store is opened for writing.
#pragma once

#include <holdfast/store.h>

#include <string_view>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// Ensures that the layout's folders exist, that the store is writable (proved with 4
// KiB and a sync), and that an existing .gitignore names it. Errors are critical, with
// path and cause. Does nothing for layouts without workflows.
Result<void> prepare_workflow(const Context& context, Store& store);

// Proves that files can be created in the folder of the session's documents: a save may have failed because of this
// folder alone. Errors are critical.
Result<void> prove_session_writable(FileStore& files, const SessionRef& ref);

// The subfolder for plans in the folder that a layout has for what cannot be read; sessions are beside it.
inline constexpr std::string_view kAsidePlans = "modules";

// Moves sessions and plans that cannot be read to the folder that the layout has for them, whole
// and never repaired, and reports them as findings of the store; then corrects the mark of the
// current session. A file that cannot be moved stays and is reported.
Result<void> set_aside_corrupt(const Context& context, FileStore& store);

}  // namespace holdfast::inline v1
