// Runs of agents: who worked, for whom, how it ended. The rules of the seeds, once for
// all layouts with runs. All changes are durable (power) on return. Thread-safety: as
// Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>

#include "model/run.h"
#include "store/typed_records.h"

namespace holdfast::inline v1 {

struct RunFilter {
  std::string project;  // empty: all projects
  std::string session;
  std::string agent;
  std::string parent;
  std::string status;  // as shown, so also "interrupted"
};

// The only fields of a run that may change.
struct RunChange {
  std::optional<std::string> status;    // running | completed | failed | cancelled
  std::optional<std::string> detail;    // empty: remove it
  std::optional<std::string> ended_at;  // any written form; by default, a run ends now
};

// Starts a new run `run-{agent}-{s}-{n}`; never replaces another one. Project and agent are required.
Result<Run> start_run(const Context& context, Store& store, Run run);

// Returns the run after the change. Fails with not_found, or with invalid_argument for another status.
Result<Run> update_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                       const RunChange& change);

// Reads show `interrupted` if the file says running and the owner is dead.
Result<Run> get_run(const Context& context, Store& store, std::string_view project, std::string_view id);
Result<Listed<Run>> list_runs(const Context& context, Store& store, const RunFilter& filter);  // newest first
Result<Listed<Run>> list_run_children(const Context& context, Store& store, std::string_view project,
                                      std::string_view parent);  // oldest first
// Cancels the run and all runs that it started, if still running, in one commit;
// returns how many.
Result<std::size_t> cancel_run(const Context& context, Store& store, std::string_view project, std::string_view id);

// Marks the run as owned by this process while the Lease lives. Release the lease when
// the run ends; if the process dies, the lease left behind tells others. `owner`
// describes another process that owns the run.
Result<Lease> own_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                      std::string_view owner = {});
// Fails with busy while another living process than that owner owns the run: only its owner ends or deletes it.
// Cancelling is for everybody.
Result<void> check_run_free(Store& store, std::string_view id, std::string_view owner);
// Releases the run for that owner; does nothing if another one owns it.
Result<void> release_run(const Context& context, Store& store, std::string_view id, std::string_view owner);

// Marks runs as `failed`, detail `interrupted`, ended now, if they are `running` and
// their lease was left behind by a dead owner (decision 17). Cheap: looks only at
// leases left behind.
Result<std::size_t> fail_abandoned_runs(const Context& context, Store& store);
// The same for every run; uses the session's lease if the run has none. With `also_unowned`, for a
// store whose program is known to be down, runs that never had an owner count as abandoned too.
Result<std::size_t> fail_dead_runs(const Context& context, Store& store, bool also_unowned = false);

}  // namespace holdfast::inline v1
