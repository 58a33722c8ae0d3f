// Hands a session of one agent to another as a new session. A first walk determines how
// much to carry, a second one carries it, turn by turn. Nothing that exists is touched
// (decisions 42 and 43).
// Thread-safety: pure except for the files that are written.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <functional>
#include <string>
#include <vector>

#include "handoff/conversation.h"
#include "handoff/cut.h"
#include "handoff/rereadable_session.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct HandoffOptions {
  CutOptions cut = {};
  std::string project = {};  // where the work continues; if empty, where it was
  std::string title = {};    // if empty, the title of the session
  bool map_tools = true;     // rename calls to the next agent's tools
  bool redact = false;
};

// What is carried of a session, independent of the next agent.
struct CarriedPart {
  CarriedHead head = {};
  Survey survey = {};
  std::size_t first = 0;       // the first turn that is carried
  bool aside = true;           // leave out messages of sub-agents; false if there are no others
  bool summary_first = false;  // the carried part begins with a summary of what is left behind
  bool titled = false;         // the session has no title; `head` uses its first prompt
  HandoffReport report = {};   // what is left behind as a whole
};
Result<CarriedPart> carried_part(RereadableSession& session, const CutOptions& options);
// Passes the turns as they were; adds to `report`.
Result<void> visit_turns(RereadableSession& session, const CarriedPart& part, HandoffReport& report,
                         const std::function<void(Turn)>& take);

struct HandoffPlan {
  const Layout& to;
  const HandoffOptions options;
  CarriedPart part;
};

// Fails with unsupported if `to` takes no sessions of others, invalid_argument if there is nothing to carry or no
// project.
Result<HandoffPlan> plan_handoff(RereadableSession& session, const Layout& to, const HandoffOptions& options);

struct HandoffResult {
  HandoffReport report = {};
  std::uint64_t turns = 0;
  std::uint64_t tokens = 0;  // as estimated
};

// Passes the turns as `plan.to` could have had them. Stops at the first error of `take`.
Result<HandoffResult> hand_on(RereadableSession& session, const HandoffPlan& plan,
                              const std::function<Result<void>(Turn)>& take);

struct WrittenHandoff {
  std::string id = {};
  std::string file = {};            // below the root
  std::string import_command = {};  // followed by the file, imports it
  HandoffResult carried = {};
};

// Writes into the store of layout `plan.to` with the first root `root`. The file appears only when it is complete.
// Fails with unsafe_path if a folder is a symbolic link.
Result<WrittenHandoff> write_handoff(const Context& context, FileSystem& files, Directory& root,
                                     RereadableSession& session, const HandoffPlan& plan);

// The same for a store that Holdfast itself writes. Memory: the whole session.
Result<WrittenHandoff> store_handoff(const Context& context, Store& store, RereadableSession& session,
                                     const HandoffPlan& plan);

}  // namespace holdfast::inline v1
