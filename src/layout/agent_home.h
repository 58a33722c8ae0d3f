// How an agent is installed on a machine: where its sessions are when nobody names
// a place, how it goes on with one, when it deletes them, how a process shows that
// it works on one. Names only: a door passes the environment in, and nothing here
// looks at a disk but through a feed.
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
    home,     // of the person
    data,     // $XDG_DATA_HOME
    project,  // the nearest directory above that has `folder`, else .git
  };
  From from = From::home;
  std::string_view folder = {};    // below it; of a project: what marks it
  std::string_view variable = {};  // a variable of the environment that names the directory itself
  std::string_view needs = {};     // what must be below the root for it to be one of this layout; empty: the root
  std::string_view or_needs = {};  // or this; empty: nothing else will do
};

struct ResumeCommand {
  std::string_view command =
      {};                    // followed by the id; empty: the agent has none. docs/guides/find.md: what was checked
  bool in_project = false;   // it looks for sessions by the working directory
  bool by_file = false;      // followed by the file instead of the id
  bool names_store = false;  // and by --store
};

// The agent deletes old sessions by itself.
struct Retention {
  std::string_view setting = {};             // in its settings.json; empty: it does not
  int (*days)(JsonView settings) = nullptr;  // 0: never
};

// A root beside the first one that another place implies.
struct BesideRoot {
  std::string_view root = {};  // its name; empty: there is none
  HomeFolder place = {};
  // Below `place`, for the project that the first root is; nullptr: the place itself.
  std::string (*below)(std::string_view project) = nullptr;
};

struct Belongings;  // layout/belongings.h
// What the agent runs by itself when a session starts, as its settings say: a file of JSON.
struct AgentHooks {
  std::string_view file = {};          // below the agent's own directory
  std::string_view project_file = {};  // below a project
  std::string_view text = {};          // Markdown that tells the agent of the commands
  // The settings with a hook that runs `program`, and without any of ours: the same bytes when there is nothing to do.
  // Empty settings: there is no file. corrupt: it is not what the agent reads.
  Result<std::string> (*add)(std::string_view settings, std::string_view program) = nullptr;
  Result<std::string> (*remove)(std::string_view settings) = nullptr;
};

// Where the agent is told of servers of the Model Context Protocol, and how.
struct AgentServers {
  enum class Format {
    none,  // it takes none, or nobody knows how
    json,
    toml,
  };
  enum class From {
    own,     // the agent's own directory
    person,  // the home of the person, or the directory that the variable of `place` names
    config,  // $XDG_CONFIG_HOME
  };
  Format format = Format::none;
  From from = From::own;
  std::string_view file = {};
  std::string_view key = {};    // of the object of all servers, by name
  std::string_view entry = {};  // what stands there for Holdfast, JSON
};

struct AgentHome {
  HomeFolder place = {};
  // What in a directory says that it, and all below, works with a store of this agent. In the
  // home of the person it is the agent's own and says nothing.
  std::array<std::string_view, 3> marks = {};
  ResumeCommand resume = {};
  Retention retention = {};
  BesideRoot beside = {};
  const Belongings* belongings = nullptr;  // what an archive keeps of a session; nullptr: nothing
  AgentHooks hooks = {};
  AgentServers servers = {};
  LiveSigns live = {};
};

}  // namespace holdfast::inline v1
