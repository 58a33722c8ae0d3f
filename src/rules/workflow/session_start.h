// Starting a workflow: resumes a session or creates a new one (L07, L08). Durable
// (power) on return. Thread-safety: as Store.
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
  std::string resume = {};    // resume exactly this session
  bool no_resume = false;     // always create a new one
  bool auto_resume = true;    // if neither is set: resume the current one if it is incomplete and of this module
  std::size_t retention = 0;  // completed sessions to keep; 0: all
  std::string project = {};   // real path; for layouts that group by project
  std::string model = {};
  // Claims the session for the caller: called before a session is resumed, and after
  // one is created. If it fails (busy), the session is not resumed. Empty: no claim.
  std::function<Result<void>(const std::string& id)> claim = {};
};

struct StartedSession {
  WorkflowView workflow;
  bool resumed = false;
  std::string hint;                   // the stored step; workflow.step was determined from the files
  std::vector<std::string> warnings;  // for people
  std::vector<std::string> pruned;    // ids
  std::vector<Finding> findings;      // what was moved aside when the store was opened
  DriftReport drift;                  // of the specification since the resumed session was last saved
};

// Whether sessions of this store are only workflows (lopen): no messages, a mark for the current
// one, and automatic retention. Elsewhere only what is requested is deleted.
bool keeps_only_workflows(const Store& store);

// Runs prepare_workflow first and, unless `resume` names a session, retention last. Refuses by name
// an id that is invalid, unknown, of a complete session, or of one that cannot be read.
Result<StartedSession> start_session(const Context& context, Store& store, const StartRequest& request);

// Resumes a session, or the current one if the id is empty: makes it the current one,
// allows saves again after a failed one, and sets its step to what
// docs/requirements/{module}/SPECIFICATION.md shows.
Result<StartedSession> resume_workflow(const Context& context, Store& store, std::string_view id,
                                       const std::function<Result<void>(const std::string& id)>& claim = {});

struct ResumableSession {
  WorkflowView workflow;
  bool latest = false;  // the current session of the store
};
// Returns the sessions that a person could resume: incomplete, newest first.
Result<std::vector<ResumableSession>> resumable_sessions(const Context& context, Store& store, std::string_view module);

}  // namespace holdfast::inline v1
