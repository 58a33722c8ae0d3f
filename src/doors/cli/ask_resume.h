// What a person is asked before a workflow starts: go on with the latest session,
// with another one that is not complete, or begin afresh (L07). The rules are in
// the api; this only asks. Thread-safety: pure functions.
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
  std::string line;  // what is shown, cleaned for a terminal
};

// Out of the answer of session.resumable; empty: there is nothing to ask.
std::vector<StartChoice> start_choices(JsonView answer, std::chrono::system_clock::time_point now);

// The list and the question behind it; `latest` first.
std::string start_question(const std::vector<StartChoice>& choices);

struct StartReply {
  bool fresh = false;
  std::string resume;
};
// An empty line is the first choice; a number, an id or the only one that begins
// so; n, no or fresh. nullopt: none of these.
std::optional<StartReply> read_start_reply(std::string_view line, const std::vector<StartChoice>& choices);

// "just now", "5 minutes ago", "3 hours ago", "2 days ago"
std::string time_ago(std::chrono::system_clock::time_point then, std::chrono::system_clock::time_point now);

}  // namespace holdfast::inline v1
