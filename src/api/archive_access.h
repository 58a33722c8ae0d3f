// The archive of a call, and restoring sessions from it.
#pragma once

#include <memory>
#include <string>

#include "api/call.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

// Fails with storage_unavailable if the door has no place for an archive.
Result<std::string> archive_path(const Call& call);
// Fails with not_found if there is no archive yet. `anew`: uses nothing that is remembered of its log.
Result<std::unique_ptr<Archive>> open_archive(const Call& call, const CaptureRange& range = {}, bool anew = false);
// Where captured sessions belong now: in the agent's own place if they were captured from that of another home.
PlaceOf place_in(const Call& call);
// Says that the newest version of a session lacks lines; `word` is the session's name in commands.
std::string lacking_words(std::uint64_t lines, const std::string& word);
// What the last run recorded about itself, as JSON; empty if nothing.
std::string last_run(Archive& archive);

// Start of the error message for a session that was not yet captured at the requested time.
inline constexpr std::string_view kNoVersion = "the archive has no version of ";

// session.restore from the archive. Returns the answer or, for a preview, what it would do. Fails with not_found if the
// archive has no such session.
Result<std::string> restore_from_archive(const Call& call);
// The answer of a dry run of session.restore; fails like the real call if there is no such session.
Result<std::string> would_restore(Call& call);

}  // namespace holdfast::inline v1
