// The end of a session, and the words that remain of it (O09). A command that
// makes better words than the extract is run by the door; its answer comes in
// as SessionEnd::summary. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

// "First prompt — last answer", each shortened to one line; empty when nothing was said.
std::string extract_summary(const Transcript& transcript);

struct SessionEnd {
  Status status = Status::complete;
  // Empty: an extract is made unless the session has a summary already.
  std::optional<std::string> summary;
};

// Sets status and summary: an error means that nothing has changed. Then writes what the layout keeps elsewhere to
// where other programs look for it (first line of the log, indexes); what of that cannot be done now is answered as
// warnings, and the next end or append does it.
Result<std::vector<std::string>> end_session(const Context& context, Store& store, std::string_view id,
                                             const SessionEnd& end = {});

}  // namespace holdfast::inline v1
