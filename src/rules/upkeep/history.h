// Ways to look at sessions that the seeds ask for, over any layout.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string_view>

namespace holdfast::inline v1 {

// The messages that belong to one agent of the session; `query.last` counts those.
Result<Transcript> read_of_agent(const Context& context, Store& store, std::string_view id, std::string_view agent,
                                 TranscriptQuery query = {});

// Newest created first, as Linggen lists; one without a date comes last.
Result<SessionList> list_by_creation(const Context& context, Store& store, SessionFilter filter = {});

// Empties the log of a session; how many lines that were not blank it had. The
// old file is moved into the side folder (cleared/), never cut: a program that
// has it open goes on writing there and nothing is lost. A new empty log takes
// its place. unsupported on layouts whose logs begin with what must stay.
Result<std::uint64_t> clear_session(const Context& context, Store& store, std::string_view id);

}  // namespace holdfast::inline v1
