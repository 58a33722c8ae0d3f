// Which files below sessions/ are sessions, and their entries in the index.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::continue_dev {

inline constexpr std::string_view kRoot = "home";
inline constexpr std::string_view kSessions = "sessions";

// Passes every sessions/ID.json, whether the index lists it or not. The hint is its
// entry in sessions.json as written there, or empty.
Result<void> list_documents(Feed& feed, const std::function<bool(SessionRef)>& take);
Result<std::optional<SessionRef>> locate_document(Feed& feed, std::string_view id);

}  // namespace holdfast::inline v1::continue_dev
