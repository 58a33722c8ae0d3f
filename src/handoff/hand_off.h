// A session of one agent becomes a new session of another: a first walk over it
// finds out how much is carried, a second one carries it, turn by turn; nothing
// that is there already is touched (decisions 42 and 43).
// Thread-safety: pure but for the files that are written.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <functional>
#include <string>
#include <vector>

#include "handoff/conversation.h"
#include "handoff/cut.h"
#include "handoff/told_session.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

struct HandoffOptions {
  CutOptions cut = {};
  std::string project = {};  // where the work goes on; empty: where it was
  bool map_tools = true;     // calls get the names of the next agent's tools
  bool redact = false;
};

// What is carried of a session, not yet for whom.
struct CarriedPart {
  CarriedHead head = {};
  Survey survey = {};
  std::size_t first = 0;       // turn
  bool aside = true;           // it has messages that are not a sub-agent's
  bool summary_first = false;  // what is carried begins with a summary of what is not
  bool titled = false;         // the session has no title; that of `head` is its first prompt
  HandoffReport report = {};   // what stays behind as a whole
};
Result<CarriedPart> carried_part(ToldSession& session, const CutOptions& options);
// Its turns, as they were; the report goes on in `report`.
Result<void> tell_turns(ToldSession& session, const CarriedPart& part, HandoffReport& report,
                        const std::function<void(Turn)>& take);

struct HandoffPlan {
  const Layout& to;
  const HandoffOptions options;
  CarriedPart part;
};

// unsupported: `to` takes no sessions of others. invalid_argument: there is nothing to carry, or no project.
Result<HandoffPlan> plan_handoff(ToldSession& session, const Layout& to, const HandoffOptions& options);

struct HandedOn {
  HandoffReport report = {};
  std::uint64_t turns = 0;
  std::uint64_t tokens = 0;  // as estimated
};

// The turns as `plan.to` can have had them. The first error of `take` ends it.
Result<HandedOn> hand_on(ToldSession& session, const HandoffPlan& plan, const std::function<Result<void>(Turn)>& take);

struct NewlyWritten {
  std::string id = {};
  std::string file = {};            // below the root
  std::string import_command = {};  // followed by the file: takes it in
  HandedOn carried = {};
};

// What write_handoff() would refuse the place for, as far as a look at it tells. unsafe_path: a symbolic link is in the
// place of a folder.
Result<void> check_place(const Context& context, FileSystem& files, Directory& root, const HandoffPlan& plan);

// Into the store of layout `plan.to` whose first root is `root`. The file is there when all of it is.
Result<NewlyWritten> write_handoff(const Context& context, FileSystem& files, Directory& root, ToldSession& session,
                                   const HandoffPlan& plan);

// The same into a store that Holdfast itself writes. Memory: the session.
Result<NewlyWritten> store_handoff(const Context& context, Store& store, ToldSession& session, const HandoffPlan& plan);

}  // namespace holdfast::inline v1
