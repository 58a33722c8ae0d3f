// `holdfast resume`: runs or prints the agent's own command that continues a session.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "api/agents.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct ResumeSession {
  std::string id;
  std::string store;         // LAYOUT:ROOT, or empty
  bool print = false;        // print the command instead of running it
  std::string handoff = {};  // parameters of session.handoff, to continue in another agent; empty: in its own
  std::string ask = {};  // the other machine it comes from, to ask whether the user has looked at it; empty: do not ask
};

// Whether a text is one literal word in any shell: ASCII letters, digits and a few
// harmless characters, and not an option. Only such foreign text is printed where a shell
// may read it.
bool is_plain_word(std::string_view text);

// For a session from session.list. Fails with unsupported if its agent has no such command or would
// not find the session, the id is not a plain word, or only the archive has the session.
Result<AgentCommand> resume_of(JsonView session, const Machine& machine);

// A line for a shell, which changes to the session's directory if the agent looks for sessions by
// directory. Fails with unsupported also if a word could not be shown verbatim.
Result<std::string> resume_line(JsonView session, const Machine& machine);

// Warns if the program of a command that was printed is not installed: the command does not work here yet.
void warn_of_missing_program(const std::string& name);

// Replaces this process with the agent; returns only if that fails.
Result<int> run_resume(JsonView session, const Machine& machine);

Result<int> run_resume(const ResumeSession& request, bool json);

}  // namespace holdfast::inline v1
