// Which files below projects/ are chats, and whose.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::qwen {

inline constexpr char kRoot[] = "home";

// Passes projects/PROJECT/chats/ID.jsonl and projects/PROJECT/subagents/PARENT/agent-ID.jsonl. The
// latter is the transcript of a sub-agent and has PARENT as hint.
Result<void> list_chats(Feed& feed, const std::function<bool(SessionRef)>& take);

// Passes the chats with this id, at most one of each project; lists no project.
Result<void> locate_chats(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take);

// The names (AGENT of agent-AGENT.jsonl) of a session's sub-agents.
Result<std::vector<std::string>> subagents_of(Feed& feed, const SessionRef& session);

}  // namespace holdfast::inline v1::qwen
