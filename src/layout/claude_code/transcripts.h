// Which files below projects/ are transcripts, and of whom.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::claude_code {

inline constexpr std::string_view kRoot = "home";
inline constexpr std::string_view kProjects = "projects";

// Every transcript; a sub-agent's has "subagent" as hint, and the session that
// its folder belongs to where the folder says it ("subagent ID").
Result<void> list_transcripts(Feed& feed, const std::function<bool(SessionRef)>& take);

// The transcript of that id, wherever it is, at the cost of a look into each project.
Result<std::optional<SessionRef>> locate_transcript(Feed& feed, std::string_view id);

bool is_subagent(const SessionRef& ref);
// From the folder; empty when the records must say it.
std::string_view parent_in_hint(const SessionRef& ref);

// The folder beside a session's file: side files of the session and of its sub-agents.
std::string folder_beside(const SessionRef& ref);

}  // namespace holdfast::inline v1::claude_code
