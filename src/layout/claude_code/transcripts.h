// Which files below projects/ are transcripts, and whose.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1::claude_code {

inline constexpr std::string_view kRoot = "home";
inline constexpr std::string_view kProjects = "projects";

// Passes every transcript. That of a sub-agent has "subagent" as hint, or "subagent ID"
// if its folder names the session that it belongs to.
Result<void> list_transcripts(Feed& feed, const std::function<bool(SessionRef)>& take);

// Passes the transcripts with this id, at most one of each project; lists no project.
Result<void> locate_transcripts(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take);

bool is_subagent(const SessionRef& ref);
// From the folder; empty if only the records name the parent.
std::string_view parent_in_hint(const SessionRef& ref);

// The folder beside a session's file, with side files of the session and its sub-agents.
std::string folder_beside(const SessionRef& ref);

}  // namespace holdfast::inline v1::claude_code
