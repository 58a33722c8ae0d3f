// Which agent a session goes on in, chosen on the terminal.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <vector>

#include "api/stores.h"

namespace holdfast::inline v1 {

// Layouts of agents of this machine that take a session of `layout` and are resumed by a command: other ones first.
std::vector<std::string> next_agents(const Stores& stores, const std::string& layout);

struct AgentChoice {
  std::string layout = {};   // empty: none
  bool interrupted = false;  // by Ctrl-C or a signal
};
// not_found: no such agent is here.
Result<AgentChoice> pick_agent(const std::vector<std::string>& layouts, bool colour);

}  // namespace holdfast::inline v1
