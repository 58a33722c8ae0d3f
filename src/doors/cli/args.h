// Parses the words of the command line into a plain struct.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <variant>
#include <vector>

#include "api/default_stores.h"
#include "api/operation.h"
#include "demo/demo.h"
#include "demo/writer.h"
#include "doors/cli/config_command.h"
#include "doors/cli/lease_holder.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/resume_command.h"
#include "doors/cli/serve_command.h"
#include "doors/cli/tail_session.h"

namespace holdfast::inline v1 {

struct ShowOverview {};
struct ShowVersion {};
struct ShowHelp {
  std::string command;  // empty: all of them; "agents": the nouns; a noun; "session create"
  bool markdown = false;
};
struct ShowCompletions {
  std::string shell;  // bash, zsh or fish
};
struct ShowManual {
  std::string topic;  // a command or a noun; empty: holdfast itself
  bool list = false;  // print only the names of all pages
};
// Asks for completions; used by the completion scripts.
struct CompleteLine {
  std::vector<std::string> words;  // after `holdfast`; the last one is being typed
};
// Chooses a session on the terminal.
struct PickSession {
  std::string params;  // of session.list
};
struct RunDoctor {
  std::string store;  // LAYOUT:ROOT, or empty: all
};
struct ShowApi {
  bool markdown = false;
};
struct InitStore {
  std::string directory;  // absolute
  bool dry_run = false;
};
struct CallMethod {
  std::string method;
  std::string params;          // as typed: JSON, @FILE or -
  std::string store;           // LAYOUT:ROOT with an absolute root, or empty
  std::int64_t owner_pid = 0;  // 0: the call has no owner
};
struct ServeRpc {
  std::string store;
};
struct ServeMcp {
  std::string store;
  std::string own_session;  // never shown
  bool write = false;       // offer the tools that star, tag and rename
};
struct RunOperation {
  const Operation* operation = nullptr;
  std::string params;  // a JSON object
  bool yes = false;
  std::vector<std::string> stores = {};  // set if several are named: the only stores of this call
  bool shortcut = false;                 // typed as a command of its own: ls, not session list
  bool zeros = false;                    // ls -0: print only names, each followed by a NUL
};

using Action = std::variant<ShowOverview, ShowVersion, ShowHelp, ShowCompletions, ShowManual, CompleteLine, RunDoctor,
                            PickSession, ResumeSession, Configure, ShowApi, InitStore, CallMethod, ServeRpc, ServeMcp,
                            ServeHttp, TailSession, RunOperation, DemoOptions, DemoWriterOptions, HoldLease>;

enum class ColourChoice { automatic, always, never };

struct Invocation {
  Action action;
  ColourChoice colour = ColourChoice::automatic;
  bool pager = true;  // use one where it makes sense
};

// Fails with invalid_argument and a hint for anything that is not in the table.
Result<Invocation> parse_arguments(const std::vector<std::string>& words,
                                   const Environment& env = process_environment());

}  // namespace holdfast::inline v1
