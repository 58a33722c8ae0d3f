// The archive of a call, and sessions back from it.
#pragma once

#include <memory>
#include <string>

#include "api/call.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

// storage_unavailable: the door knows no place for one.
Result<std::string> archive_path(const Call& call);
// not_found: there is none yet.
Result<std::unique_ptr<Archive>> open_archive(const Call& call, const CaptureRange& range = {});
// Where captured sessions belong now: in the agent's own place when they were in that of another home.
PlaceOf place_in(const Call& call);
// What the last run noted of itself, as JSON; empty: nothing.
std::string last_run(Archive& archive);

// How the error begins that says that a session was not captured by the time that is asked for.
inline constexpr std::string_view kNoVersion = "the archive has no version of ";

// session.restore out of the archive; the answer, or what it would do when the call only looks. not_found when it has
// no such session.
Result<std::string> restore_from_archive(const Call& call);
// What a dry run of session.restore says; where there is no such session, it fails as the real one does.
Result<std::string> would_restore(Call& call);

}  // namespace holdfast::inline v1
