// From the words of the command line to a plain struct.
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
  bool list = false;  // only the names of all pages
};
// What may follow; asked by the completion scripts.
struct CompleteLine {
  std::vector<std::string> words;  // behind `holdfast`; the last one is being typed
};
// Choose one on the terminal.
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
  std::int64_t owner_pid = 0;  // 0: the call is nobody's
};
struct ServeRpc {
  std::string store;
};
struct ServeMcp {
  std::string store;
  std::string own_session;  // never shown
  bool write = false;       // with the tools that star, tag and rename
};
struct RunOperation {
  const Operation* operation = nullptr;
  std::string params;  // a JSON object
  bool yes = false;
  std::vector<std::string> stores = {};  // when several are named: all that there are for this call
  bool shortcut = false;                 // typed as a command of its own: ls, not session list
  bool zeros = false;                    // ls: only names, each with a NUL behind it
};

using Action = std::variant<ShowOverview, ShowVersion, ShowHelp, ShowCompletions, ShowManual, CompleteLine, RunDoctor,
                            PickSession, ResumeSession, Configure, ShowApi, InitStore, CallMethod, ServeRpc, ServeMcp,
                            ServeHttp, TailSession, RunOperation, DemoOptions, DemoWriterOptions, HoldLease>;

enum class ColourChoice { automatic, always, never };

struct Invocation {
  Action action;
  ColourChoice colour = ColourChoice::automatic;
  bool pager = true;  // wanted, where it makes sense
};

// invalid_argument, with a hint, for anything that is not in the table.
Result<Invocation> parse_arguments(const std::vector<std::string>& words,
                                   const Environment& around = process_environment());

}  // namespace holdfast::inline v1
