// Which files of a Gemini home belong to which session.
//
// A name holds only the first eight characters of a session's id, so the header of each
// file is read too (its first record; all of an old document). If the header is lost,
// the id comes from a later header of the same log, or from the folder of the session's
// sub-agents.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"

namespace holdfast::inline v1::gemini {

inline constexpr char kRoot[] = "home";

struct ChatSession {
  std::string id;
  std::string project;             // tmp/PROJECT/chats
  std::vector<std::string> files;  // oldest first, and then those without a record
  std::size_t with_records = 0;    // how many have one
};

// Lists each session once, in the project where its agent resumes it.
Result<std::vector<ChatSession>> list_chats(Feed& feed);

// The session id that begins with `digits` and is the name of a sub-agent folder among `entries`; empty if there is
// none or more than one.
std::string id_of_folder(std::span<const FeedEntry> entries, std::string_view digits);

// tmp/PROJECT/chats/PARENT/ID.jsonl of a sub-agent -> PARENT, else empty.
std::string parent_of_path(std::string_view path);
// The transcripts of the sub-agents of a session.
Result<std::vector<std::string>> subagent_files(Feed& feed, std::string_view project, std::string_view session);

// The directory of a project by its name: from .project_root, projects.json (by name)
// or hashed_project.h; empty if unknown.
Result<std::string> project_path(Feed& feed, const std::string& project);

}  // namespace holdfast::inline v1::gemini
