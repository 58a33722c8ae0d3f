// The question before a workflow starts: continue the latest session, continue
// another incomplete one, or start a new one (L07). The rules are in the api;
// this only asks. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct StartChoice {
  std::string id;
  std::string line;  // the line to show, cleaned for a terminal
};

// From the answer of session.resumable; empty if there is nothing to ask.
std::vector<StartChoice> start_choices(JsonView answer, std::chrono::system_clock::time_point now);

// The list and the question after it. The latest session comes first.
std::string start_question(const std::vector<StartChoice>& choices);

struct StartReply {
  bool fresh = false;
  std::string resume;
};
// An empty line is the first choice. Accepts a number, an id or a unique prefix
// of one, and n, no or fresh. nullopt for anything else.
std::optional<StartReply> read_start_reply(std::string_view line, const std::vector<StartChoice>& choices);

// "just now", "5 minutes ago", "3 hours ago", "2 days ago"
std::string time_ago(std::chrono::system_clock::time_point then, std::chrono::system_clock::time_point now);

}  // namespace holdfast::inline v1
