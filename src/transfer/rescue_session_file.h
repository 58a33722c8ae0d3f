// Makes the clean copy of a session's file, whether it is a log or one document.
// Thread-safety: like rescue.h.
#pragma once

#include <holdfast/context.h>

#include <vector>

#include "index/root_directories.h"
#include "layout/layout.h"
#include "transfer/rescue.h"

namespace holdfast::inline v1 {

// Fails with not_found if there is no such file or nothing in it can be saved, and with unsupported for other files.
Result<Rescued> rescue_session_file(const Context& context, const RootDirectories& roots, const Place& place);

// The files with records of a session, the main one first: a thread of Codex continues in another file after a rewind.
// Each is returned as a session of that file alone.
std::vector<SessionRef> files_to_rescue(const Layout& layout, const SessionRef& ref);

}  // namespace holdfast::inline v1
