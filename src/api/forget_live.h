// What forgetting has to know of sessions that their agents still have, captured or not: the next run must not capture
// what was to be forgotten.
#pragma once

#include "api/call.h"
#include "archive/live_text.h"

namespace holdfast::inline v1 {

// In every store that a run would capture, and those that some run has captured. Without what is forgotten already.
Result<LiveText> live_text(const Call& call, const CaptureState& state, const Forgotten& forgotten);

// A session that is in no archive yet; not_found when no agent has one by that id.
Result<CaptureKey> live_session(const Call& call, std::string_view id);
// Its files as they are now; absolute.
std::vector<std::string> live_files(const Call& call, const CaptureKey& key);
// Files that hold parts of it and perhaps of others too: its pictures and long texts, where a store keeps those apart.
std::vector<std::string> live_parts(const Call& call, const CaptureKey& key);

}  // namespace holdfast::inline v1
