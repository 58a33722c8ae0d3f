// Lets the user choose the agent in which a session continues.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <vector>

#include "api/stores.h"

namespace holdfast::inline v1 {

// Layouts of agents on this machine that accept a session of `layout` and have a resume command; `layout` itself last.
std::vector<std::string> next_agents(const Stores& stores, const std::string& layout);

struct AgentChoice {
  std::string layout = {};   // empty if none was chosen
  bool interrupted = false;  // by Ctrl-C or a signal
};
// Fails with not_found if no such agent is here; `session` is its name for a command (session_word).
Result<AgentChoice> pick_agent(const std::vector<std::string>& layouts, const std::string& session, bool colour);

}  // namespace holdfast::inline v1
