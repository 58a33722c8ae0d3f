// Views of sessions that the seeds require, for any layout.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string_view>

#include "store/owner_claim.h"

namespace holdfast::inline v1 {

// Returns the messages that belong to one agent of the session; `query.last` counts only those.
Result<Transcript> read_agent_messages(const Context& context, Store& store, std::string_view id,
                                       std::string_view agent, TranscriptQuery query = {});

// Empties the log of a session; returns how many nonblank lines it had, without that of
// the session itself: as many as there were records. Moves the old
// file into the side folder (cleared/) and never truncates it: a program that has it
// open continues to write there, and nothing is lost. A new empty log takes its place.
// Fails with unsupported on layouts whose logs begin with data that must stay; with busy while a living process other
// than the one that `claim` describes owns the session.
Result<std::uint64_t> clear_session(const Context& context, Store& store, std::string_view id,
                                    const OwnerClaim& claim = {});

}  // namespace holdfast::inline v1
