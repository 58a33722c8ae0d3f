// Makes the clean copy of a session's file, whether it is a log or one document.
// Thread-safety: like rescue.h.
#pragma once

#include <holdfast/context.h>

#include <optional>
#include <vector>

#include "index/root_directories.h"
#include "layout/layout.h"
#include "transfer/rescue.h"

namespace holdfast::inline v1 {

// Fails with not_found if there is no such file or nothing in it can be saved, and with unsupported for other files.
Result<Rescued> rescue_session_file(const Context& context, const RootDirectories& roots, const Place& place);

// One copy of a session whose logs can follow each other (SessionRescue::further_logs); nullopt if it has one file, or
// files that cannot. Leaves out further logs in which the agent did not continue. Gaps are counted in their own log.
Result<std::optional<Rescued>> rescue_joined(const Context& context, const RootDirectories& roots, const Layout& layout,
                                             const SessionRef& ref);

// The files with records of a session, the main one first: a thread of Codex continues in another file after a rewind,
// and Gemini may, after a resume. Each is returned as a session of that file alone.
std::vector<SessionRef> files_to_rescue(const Layout& layout, const SessionRef& ref);

}  // namespace holdfast::inline v1
