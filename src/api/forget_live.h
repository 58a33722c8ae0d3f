// What session.forget needs to know about sessions that their agents still have, captured or not: the next run must
// not capture what was forgotten.
#pragma once

#include "api/call.h"
#include "archive/live_text.h"

namespace holdfast::inline v1 {

// Searches every store that a run would capture or that some run has captured. Skips what is already forgotten.
Result<LiveText> live_text(const Call& call, const CaptureState& state, const Forgotten& forgotten);

// Finds a session that is not in the archive yet; fails with not_found if no agent has one with that id. Sets
// `ambiguous` if it fails because there is more than one.
Result<CaptureKey> live_session(const Call& call, std::string_view id, bool* ambiguous = nullptr);
// The current files of the session, and what rescue kept of them; absolute paths.
std::vector<std::string> live_files(const Call& call, const CaptureKey& key);
// What rescue kept of these files of the session, which may be gone themselves, unless it is one of them. Takes paths
// below the store, returns absolute ones.
std::vector<std::string> copies_of(const Call& call, const CaptureKey& key, const std::vector<std::string>& files);
// Files that hold parts of the session and perhaps of others: images and long texts, if the store keeps them apart.
std::vector<std::string> live_parts(const Call& call, const CaptureKey& key);

}  // namespace holdfast::inline v1
