// How an agent is installed on a machine: its default directory of sessions, its
// command to resume one, when it deletes sessions, and how a process shows that it has
// one open. Data only: a door passes the environment in, and everything here reads the
// disk through a feed.
#pragma once

#include <holdfast/error.h>

#include <array>
#include <string>
#include <string_view>

#include "layout/live_session.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct HomeFolder {
  enum class From {
    home,     // the person's home directory
    data,     // $XDG_DATA_HOME
    project,  // the nearest directory above that contains `folder`, else .git
  };
  From from = From::home;
  std::string_view folder = {};    // below that directory; for a project, the name that marks it
  std::string_view variable = {};  // environment variable that names the directory itself
  std::string_view needs = {};     // what a root of this layout must contain; empty if the root itself is enough
  std::string_view or_needs = {};  // alternative to `needs`; empty if there is none
};

struct ResumeCommand {
  std::string_view command = {};  // followed by the id; empty if there is none (checked in docs/guides/find.md)
  bool in_project = false;        // the command finds sessions by working directory
  bool by_file = false;           // followed by the file instead of the id
  bool names_store = false;       // also followed by --store
  bool deletes = false;           // the agent deletes a session that it has resumed (docs/interop.md)
};

// How the agent deletes old sessions by itself.
struct Retention {
  std::string_view setting = {};             // key in its settings.json; empty if the agent deletes nothing
  int (*days)(JsonView settings) = nullptr;  // 0 if never
};

// A second root, whose place follows from the installation or the project.
struct SecondRoot {
  std::string_view root = {};  // its name; empty if there is none
  HomeFolder place = {};
  // The path below `place` for the project in the first root; nullptr for `place` itself.
  std::string (*below)(std::string_view project) = nullptr;
};

struct Belongings;  // layout/belongings.h
// What the agent runs by itself when a session starts, as configured in a JSON settings file.
struct AgentHooks {
  std::string_view file = {};          // below the agent's own directory
  std::string_view project_file = {};  // below a project
  std::string_view text = {};          // Markdown that explains the commands to the agent
  // Return the settings with a hook that runs `program` when a session starts, and with `capture` one when it ends, or
  // without any of our hooks; unchanged if there is nothing to do. An empty program is holdfast, and any hook of ours
  // that is there. Empty settings mean that there is no file. Fail with corrupt if the agent could not read the
  // settings.
  Result<std::string> (*add)(std::string_view settings, std::string_view program, bool capture) = nullptr;
  Result<std::string> (*remove)(std::string_view settings) = nullptr;
};

// Where and how the agent configures servers of the Model Context Protocol.
struct AgentServers {
  enum class Format {
    none,  // it supports none, or the format is unknown
    json,
    toml,
  };
  enum class From {
    own,     // the agent's own directory
    person,  // the person's home, or the directory named by the variable of `place`
    config,  // $XDG_CONFIG_HOME
  };
  Format format = Format::none;
  From from = From::own;
  std::string_view file = {};
  std::string_view or_file = {};  // the agent reads this one too
  std::string_view key = {};      // member that holds all servers by name
  std::string_view entry = {};    // JSON of Holdfast's entry there
  // If Holdfast does not edit the settings: why, and what a person can do instead, as two clauses after the agent's
  // name. Empty if nothing is known about it.
  std::string_view by_hand = {};
};

struct AgentHome {
  HomeFolder place = {};
  // Files that show that a directory, and everything below it, works with a store of this agent.
  // Ignored in the person's home, where the same names are the agent's own files.
  std::array<std::string_view, 4> marks = {};
  ResumeCommand resume = {};
  Retention retention = {};
  SecondRoot beside = {};
  const Belongings* belongings = nullptr;  // what an archive keeps of a session; nullptr if nothing
  AgentHooks hooks = {};
  AgentServers servers = {};
  LiveSigns live = {};
};

}  // namespace holdfast::inline v1
