// Runs of agents: who worked, for whom, how it ended. The rules of the seeds, once
// for all layouts that hold runs. Everything here is durable (power) when it
// returns. Thread-safety: as Store.
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
  std::string status;  // as shown, so "interrupted" too
};

// The only things that may change in a run.
struct RunChange {
  std::optional<std::string> status;    // running | completed | failed | cancelled
  std::optional<std::string> detail;    // empty: none
  std::optional<std::string> ended_at;  // any written form; without it the end of a run is now
};

// A new run `run-{agent}-{s}-{n}` that begins now, never in place of another. Project and agent are required.
Result<Run> start_run(const Context& context, Store& store, Run run);

// The run after the change. not_found; invalid_argument for another status.
Result<Run> update_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                       const RunChange& change);

// Reads show `interrupted` where the file says running and the owner is dead.
Result<Run> get_run(const Context& context, Store& store, std::string_view project, std::string_view id);
Result<Listed<Run>> list_runs(const Context& context, Store& store, const RunFilter& filter);  // newest first
Result<Listed<Run>> list_run_children(const Context& context, Store& store, std::string_view project,
                                      std::string_view parent);  // oldest first
// The run and everything that it started, as long as it is running, becomes
// cancelled in one commit; how many that were.
Result<std::size_t> cancel_run(const Context& context, Store& store, std::string_view project, std::string_view id);

// Says that this process works on the run, as long as the Lease lives. Who ends
// the run releases it; a process that dies leaves it, which is how others know.
// `owner`: for another process, in words.
Result<Lease> own_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                      std::string_view owner = {});
// That owner lets the run go; nothing happens when it is not the owner's.
Result<void> release_run(const Context& context, Store& store, std::string_view id, std::string_view owner);

// Runs that are `running` and whose owner is dead become `failed`, detail
// `interrupted`, ended now (decision 17). The owner is the holder of the run's
// lease, else of its session's. Cheap: looks at leases left behind only.
Result<std::size_t> fail_abandoned_runs(const Context& context, Store& store);
// The same by looking at every run. `also_unowned`: for a store whose program is
// known to be down, runs that never had an owner count as abandoned too.
Result<std::size_t> fail_dead_runs(const Context& context, Store& store, bool also_unowned = false);

}  // namespace holdfast::inline v1
