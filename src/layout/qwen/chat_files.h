// Which files below projects/ are chats, and of whom.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::qwen {

inline constexpr char kRoot[] = "home";

// projects/PROJECT/chats/ID.jsonl; projects/PROJECT/subagents/PARENT/agent-ID.jsonl
// is the transcript of a sub-agent and has PARENT as hint.
Result<void> list_chats(Feed& feed, const std::function<bool(SessionRef)>& take);

// The chat of that id, at the cost of a look into each project.
Result<std::optional<SessionRef>> locate_chat(Feed& feed, std::string_view id);

// The names (AGENT of agent-AGENT.jsonl) of a session's sub-agents.
Result<std::vector<std::string>> subagents_of(Feed& feed, const SessionRef& session);

}  // namespace holdfast::inline v1::qwen
