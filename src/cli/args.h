// From the words of the command line to a plain struct.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <variant>
#include <vector>

#include "api/operation.h"
#include "cli/default_stores.h"
#include "cli/lease_holder.h"
#include "cli/tail_session.h"
#include "demo/demo.h"
#include "demo/writer.h"

namespace holdfast::inline v1 {

struct ShowOverview {};
struct ShowVersion {};
struct ShowHelp {
  std::string command;  // empty: all of them; a noun; "session create"
  bool markdown = false;
};
struct ShowApi {
  bool markdown = false;
};
struct InitStore {
  std::string directory;  // absolute
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
struct RunOperation {
  const Operation* operation = nullptr;
  std::string params;  // a JSON object
  bool yes = false;
  std::vector<std::string> stores = {};  // when several are named: all that there are for this call
};

using Action = std::variant<ShowOverview, ShowVersion, ShowHelp, ShowApi, InitStore, CallMethod, ServeRpc, TailSession,
                            RunOperation, DemoOptions, DemoWriterOptions, HoldLease>;

enum class ColourChoice { automatic, always, never };

struct Invocation {
  Action action;
  ColourChoice colour = ColourChoice::automatic;
};

// invalid_argument, with a hint, for anything that is not in the table.
Result<Invocation> parse_arguments(const std::vector<std::string>& words, const Surroundings& around = surroundings());

}  // namespace holdfast::inline v1
