// The transcript of a sub-agent is among the files of the session that started it: the archive keeps, restores and
// forgets both together.
#pragma once

#include <optional>
#include <string>

#include "api/call.h"
#include "archive/archive.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// The session, as LAYOUT/ID, that the files of this one belong to; nullopt if it is a separate session.
std::optional<std::string> owning_session(const Call& call, FileStore& store, const SessionRef& ref);
// The same for a session in the archive: which other captured session holds a file of this one.
std::optional<std::string> owning_session(const CaptureState& state, const CapturedPair& session);
// The same for the session with that id, live or archived; also nullopt if there is none.
std::optional<std::string> owning_session(const Call& call, std::string_view id);

}  // namespace holdfast::inline v1
