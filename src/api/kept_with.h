// The transcript of a sub-agent lies among the files of the session that started it: the archive keeps, restores and
// forgets both as one.
#pragma once

#include <optional>
#include <string>

#include "api/call.h"
#include "archive/archive.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// The session, as LAYOUT/ID, that the files of this one belong to; nullopt: it is a session of its own.
std::optional<std::string> kept_with(const Call& call, FileStore& store, const SessionRef& ref);
// The same of one that the archive has a copy of: which other session of it holds a file of this one.
std::optional<std::string> kept_with(const CaptureState& state, const CapturedPair& session);
// The same of whatever is found by that id, live or archived; nullopt also where nothing is.
std::optional<std::string> kept_with(const Call& call, std::string_view id);

}  // namespace holdfast::inline v1
