// EXPECTED.json of the corpus: its figures for one session, with absent ones made explicit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "text/json_value.h"

namespace holdfast::corpus {

struct Figures {
  std::int64_t user_prompts = 0, assistant_messages = 0, tool_calls = 0, tool_results = 0, output_tokens = 0;
  bool operator==(const Figures&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Figures& figures);

struct ExpectedSession {
  std::string id;
  std::vector<std::string> files;  // relative to the agent's directory
  std::string cwd, parent, parent_kind, first_prompt, killed;
  Figures figures;
  std::vector<std::string> models;
  std::int64_t subagents = 0, reasoning = 0, compactions = 0, interrupted = 0, failed = 0;
  bool archived = false;
  bool stale_lock = false;  // left by the process that was killed
  bool in_line = false;     // a sub-agent inside its parent's file
  std::optional<std::string> title;
  std::optional<std::int64_t> model_responses;
  std::optional<Figures> with_history, abandoned, copied;
  std::string first_prompt_with_history;
  std::vector<ExpectedSession> subagent_list;  // transcripts that are not in the list of sessions
};

struct ExpectedClient {
  std::vector<ExpectedSession> sessions;
  std::int64_t total_sessions = 0;
  Figures totals;
};

ExpectedClient read_expected(JsonView client);

}  // namespace holdfast::corpus
