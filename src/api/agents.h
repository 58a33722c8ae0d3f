// What a door asks about the agents themselves: where each keeps its sessions on
// this machine, how it goes on with one, when it deletes them. The layouts say it
// (layout/agent_home.h); the door says what the environment is.
// Thread-safety: pure but for what Machine is asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// A machine, as far as default places depend on it.
struct Machine {
  std::function<std::string(std::string_view name)> variable;  // of the environment; empty when unset
  std::function<bool(const std::string& path)> exists;
  std::string directory;  // the working directory, absolute
};

// $NAME when it is an absolute path (XDG demands that), else ~/otherwise; empty without a home.
std::string directory_of(const Machine& machine, std::string_view name, std::string_view otherwise);
// The nearest directory at or above the working one that has `entry`.
std::optional<std::string> nearest_with(const Machine& machine, std::string_view entry);

struct AgentPlace {
  std::string layout, root;
};
// The stores of agents that are there, in the order of the contract's table.
std::vector<AgentPlace> agent_places(const Machine& machine);

// Where the agent of that layout keeps its sessions, once it has any: a directory that is there; else empty.
std::string agent_place(const Machine& machine, std::string_view layout);

// Where the sessions of an agent belong now that were in `root`, when that was its place in another home (the home was
// moved, or it is another machine); empty: they belong there.
std::string place_after_move(const Machine& machine, std::string_view layout, std::string_view root);

// The stores that the working directory is inside of: those of the nearest directory that has any.
std::vector<AgentPlace> places_here(const Machine& machine);

// The project that the working directory is inside of, of a layout whose root is one; nullopt: none is marked.
std::optional<std::string> project_above(const Machine& machine, std::string_view layout);

struct PlaceBeside {
  std::string layout, root, path;
};
// Roots beside the first one that the working directory implies.
std::vector<PlaceBeside> places_beside(const Machine& machine);
// The root of that name for a store whose first root is `project`; empty: there is none.
std::string place_beside(const Machine& machine, std::string_view layout, std::string_view root,
                         const std::string& project);

// The command with which an agent goes on with one of its sessions.
struct ResumeWords {
  std::vector<std::string> words;
  std::string directory;      // where it has to run; empty: anywhere
  std::string variable = {};  // that it needs, because the store is not where the agent looks by itself
  std::string value = {};
  bool out_of_reach = false;  // and no variable would help
};
// Of a session as session.list has it; nullopt: none is known for its agent.
std::optional<ResumeWords> resume_words(JsonView session, const Machine& machine);

// The agent's own command that takes in what session.mend wrote; `answer` is its answer.
ResumeWords import_words(JsonView answer, const Machine& machine);

// After how many days an agent deletes its sessions, by its settings.json; 0: it does not.
int deletes_after(std::string_view layout, std::string_view settings);
// The setting that says so; empty: there is none.
std::string_view deletion_setting(std::string_view layout);

}  // namespace holdfast::inline v1
