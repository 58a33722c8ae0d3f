// Ends a session and records its summary (O09). If a command is configured that writes
// better summaries than the extract, the door runs it and passes the result as
// SessionEnd::summary. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

// "First prompt — last answer", each shortened to one line; empty if there are no messages.
std::string extract_summary(const Transcript& transcript);

struct SessionEnd {
  // Empty: complete, in layouts that have a status.
  std::optional<Status> status = {};
  // Empty: use an extract, unless the session has a summary that is no extract.
  std::optional<std::string> summary = {};
};

// Sets status and summary; an error means that nothing has changed. Then updates the other places where the layout
// stores them for other programs (first line of the log, indexes). What cannot be updated now is returned as
// warnings, and the next end or append retries it. If the layout has no status and none is requested, nothing is
// changed, and a warning says so. The lease, if there is one, is the caller's to release.
Result<std::vector<std::string>> end_session(const Context& context, Store& store, std::string_view id,
                                             const SessionEnd& end = {});

}  // namespace holdfast::inline v1
