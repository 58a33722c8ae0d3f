// The agents' databases, and the sessions in them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::openclaw {

inline constexpr char kRoot[] = "home";

// agents/AGENT/agent/openclaw-agent.sqlite, for every agent that has one.
Result<std::vector<Place>> list_databases(Feed& feed);
// The AGENT of such a place.
std::string agent_of(const Place& database);

// Passes the sessions of windows, and of transcripts without one (versions before windows).
Result<void> list_windows(Feed& feed, const std::function<bool(SessionRef)>& take);
Result<std::optional<SessionRef>> locate_window(Feed& feed, std::string_view id);

}  // namespace holdfast::inline v1::openclaw
