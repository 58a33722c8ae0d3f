// Facts about the agents themselves: where each keeps its sessions on this machine,
// how it resumes one, when it deletes them. The layouts know them
// (layout/agent_home.h); the door provides the environment.
// Thread-safety: pure except for the functions of Machine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The parts of a machine that default places depend on.
struct Machine {
  std::function<std::string(std::string_view name)> variable;  // of the environment; returns "" if unset
  std::function<bool(const std::string& path)> exists;
  std::string directory;  // the working directory, absolute
};

// $NAME if it is an absolute path (as XDG requires), else ~/fallback; empty if there is no home.
std::string directory_of(const Machine& machine, std::string_view name, std::string_view fallback);
// The nearest directory, at or above the working directory, that contains `entry`.
std::optional<std::string> nearest_with(const Machine& machine, std::string_view entry);

struct AgentPlace {
  std::string layout, root;
};
// The stores of agents that exist, in the order of the contract's table.
std::vector<AgentPlace> agent_places(const Machine& machine);

// The directories in which agent_places looks, whether they exist or not, without those of projects.
std::vector<AgentPlace> searched_places(const Machine& machine);

// The directory where the agent of that layout keeps its sessions; empty if it does not exist.
std::string agent_place(const Machine& machine, std::string_view layout);

// If `root` was an agent's place in another home (a moved home, or another machine), returns where its sessions belong
// now; else empty.
std::string place_after_move(const Machine& machine, std::string_view layout, std::string_view root);

// The stores that contain the working directory: those of the nearest directory that has any.
std::vector<AgentPlace> places_here(const Machine& machine);

// The project that contains the working directory, for a layout whose root is a project; nullopt if none is marked.
std::optional<std::string> project_above(const Machine& machine, std::string_view layout);

struct ExtraRoot {
  std::string layout, root, path;
};
// Roots other than the first one that the working directory implies.
std::vector<ExtraRoot> extra_roots(const Machine& machine);
// The root of that name for a store whose first root is `project`; empty if there is none.
std::string extra_root_for(const Machine& machine, std::string_view layout, std::string_view root,
                           const std::string& project);

// The command with which an agent resumes one of its sessions.
struct AgentCommand {
  std::vector<std::string> words;
  std::string directory;      // where the command must run; empty for anywhere
  std::string variable = {};  // environment variable to set if the store is not in the agent's default place
  std::string value = {};
  bool out_of_reach = false;  // the store is elsewhere, and no variable would help
  std::string warning = {};   // why the agent may not find the session in `directory`; empty if it will
};
// The id by which its agent knows a session: without the KEY of ID@KEY, which tells apart copies (docs/guides/find.md).
std::string id_for_agent(JsonView session);
// For a session as session.list returns it; nullopt if no command is known for its agent.
std::optional<AgentCommand> resume_command_for(JsonView session, const Machine& machine);

// The agent's own command that imports what session.mend wrote; `answer` is the answer of session.mend.
AgentCommand import_command_for(JsonView answer, const Machine& machine);

// After how many days an agent deletes its sessions, according to its settings.json; 0 if it does not.
int deletes_after(std::string_view layout, std::string_view settings);
// The name of that setting; empty if there is none.
std::string_view deletion_setting(std::string_view layout);

}  // namespace holdfast::inline v1
