// Which entries below session-state/ are sessions, and the locks in them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.h"

namespace holdfast::inline v1::copilot {

inline constexpr std::string_view kRoot = "home";
inline constexpr std::string_view kState = "session-state";

// Passes session-state/ID/ with events.jsonl or workspace.yaml, and session-state/ID.jsonl of older
// versions. The hint is the names of the lock files there, one per line.
Result<void> list_sessions(Feed& feed, const std::function<bool(SessionRef)>& take);
Result<std::optional<SessionRef>> locate_session(Feed& feed, std::string_view id);

// The files "inuse.PID.lock": held by a running process, or left behind by a killed one.
std::vector<std::string> locks_of(const SessionRef& ref);

// The session's workspace.yaml; empty for a session that is a single file.
std::string workspace_of(const SessionRef& ref);

}  // namespace holdfast::inline v1::copilot
