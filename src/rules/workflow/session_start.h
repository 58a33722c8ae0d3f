// How a workflow begins: go on with a session or make a new one (L07, L08).
// Durable (power) when it returns. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/workflow/drift.h"
#include "rules/workflow/workflow.h"

namespace holdfast::inline v1 {

struct StartRequest {
  std::string module = {};    // required for a new session
  std::string resume = {};    // this session and no other
  bool no_resume = false;     // a new one in any case
  bool auto_resume = true;    // without either: the current one when it is incomplete and of this module
  std::size_t retention = 0;  // completed sessions that stay; 0: all
  std::string project = {};   // real path; of layouts that group by project
  std::string model = {};
  // Makes the session the caller's: asked before one is gone on with, and after
  // one is made. What it refuses (busy) is not gone on with. Empty: nobody's.
  std::function<Result<void>(const std::string& id)> claim = {};
};

struct StartedSession {
  WorkflowView workflow;
  bool resumed = false;
  std::string hint;                   // the step that was stored; the files decided on workflow.step
  std::vector<std::string> warnings;  // for people
  std::vector<std::string> pruned;    // ids
  std::vector<Finding> findings;      // what opening moved aside
  DriftReport drift;                  // of the specification, since a resumed session was saved last
};

// Whether sessions are nothing but workflows there (lopen): no messages, a mark of
// the current one, and retention by itself. Elsewhere only what is asked for goes.
bool keeps_only_workflows(const Store& store);

// The pre-workflow check first, then retention. Refused, by name: an id that is
// none, of no session, of a complete one, of one that cannot be read.
Result<StartedSession> start_session(const Context& context, Store& store, const StartRequest& request);

// Goes on with a session, or with the current one for an empty id: makes it the
// current one, lets it go on after a failed save, and puts its step where
// docs/requirements/{module}/SPECIFICATION.md says it is.
Result<StartedSession> resume_workflow(const Context& context, Store& store, std::string_view id,
                                       const std::function<Result<void>(const std::string& id)>& claim = {});

struct ResumableSession {
  WorkflowView workflow;
  bool latest = false;  // the store's current one
};
// The sessions that a person could go on with: incomplete, newest first.
Result<std::vector<ResumableSession>> resumable_sessions(const Context& context, Store& store, std::string_view module);

}  // namespace holdfast::inline v1
