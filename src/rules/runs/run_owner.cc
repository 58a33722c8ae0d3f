#include "rules/runs/run_owner.h"

#include "base/time.h"
#include "rules/runs/runs.h"
#include "store/engine.h"
#include "store/in_use.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

// Marks the run unless it has ended meanwhile; returns false if there was nothing to do.
Result<bool> fail_run(const Context& context, Store& store, const RecordKey& key) {
  bool marked = false;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    marked = false;
    HOLDFAST_LET(run, look_typed<Run>(look, key));
    if (run.status != RunStatus::running) return Edits();
    marked = true;
    run.status = RunStatus::failed;
    run.detail = "interrupted";
    run.ended_at = iso8601(context.clock->now());
    return Edits{{RecordEdit::Kind::patch, key, changes_in(run)}};
  }));
  return marked;
}

}  // namespace

Result<RunOwner> owner_of_run(Store& store, const Run& run) {
  HOLDFAST_LET(files, engine_of(store));
  Root& root = *files->roots().first();
  if (!root.directory().exists(root.side("leases"))) return RunOwner::unknown;
  HOLDFAST_LET(own, look_at_lease(root, run_lease(run.id)));
  if (own.alive) return RunOwner::alive;
  if (own.owner) return RunOwner::dead;
  if (run.session.empty()) return RunOwner::unknown;
  HOLDFAST_LET(of_session, look_at_lease(root, lease_name(run.session)));
  if (of_session.alive) return RunOwner::alive;
  return of_session.owner ? RunOwner::dead : RunOwner::unknown;
}

Result<Lease> own_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                      std::string_view owner) {
  HOLDFAST_TRY(store.get_record(context, {"run", std::string(project), std::string(id)}));
  HOLDFAST_LET(files, engine_of(store));
  // fail_abandoned_runs finds the run by this note.
  JsonWriter note;
  note.begin_object().key("run").string(id).key("project").string(project);
  if (!owner.empty()) note.key("owner").string(owner);
  note.end_object();
  return acquire_lease(context, files->roots().first(), run_lease(id), note.take(), "the run", id);
}

Result<void> check_run_free(Store& store, std::string_view id, std::string_view owner) {
  HOLDFAST_LET(files, engine_of(store));
  return check_run_unowned(*files->roots().first(), id, owner);
}

Result<void> release_run(const Context& context, Store& store, std::string_view id, std::string_view owner) {
  HOLDFAST_LET(files, engine_of(store));
  const std::shared_ptr<Root>& root = files->roots().first();
  HOLDFAST_LET(state, look_at_lease(*root, run_lease(id)));
  if (!state.alive || !state.owner || text_in(state.owner->note, "owner") != owner) return {};
  HOLDFAST_LET(lease, Lease::take_over(context, root, run_lease(id), state.owner->note));
  return lease.release();
}

Result<std::size_t> fail_abandoned_runs(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  const std::shared_ptr<Root>& root = files->roots().first();
  const auto entries = root->directory().list(root->side("leases"));
  std::size_t count = 0;
  for (const DirectoryEntry& entry : entries ? *entries : std::vector<DirectoryEntry>()) {
    if (!entry.name.starts_with("run-")) continue;
    HOLDFAST_LET(state, look_at_lease(*root, entry.name));
    if (state.alive || !state.owner) continue;
    const std::string project = text_in(state.owner->note, "project"), id = text_in(state.owner->note, "run");
    if (project.empty() || id.empty()) continue;
    // Hold the lease while the run is marked, so only one process does it.
    auto lease = Lease::acquire(context, root, run_lease(id), state.owner->note);
    if (!lease) continue;
    HOLDFAST_LET(marked, fail_run(context, store, {"run", project, id}));
    count += marked ? 1 : 0;
    (void)lease->release();
  }
  return count;
}

Result<std::size_t> fail_dead_runs(const Context& context, Store& store, bool also_unowned) {
  HOLDFAST_LET(count, fail_abandoned_runs(context, store));
  HOLDFAST_LET(projects, store.list_records(context, {"project", {}, {}}));
  for (const std::string& project : projects.records) {
    const std::string path = text_in(project, "path");
    if (path.empty()) continue;
    HOLDFAST_LET(runs, list_typed<Run>(context, store, {"run", path, {}}));
    for (const Run& run : runs.records) {
      if (run.status != RunStatus::running) continue;
      HOLDFAST_LET(owner, owner_of_run(store, run));
      if (owner == RunOwner::alive || (owner == RunOwner::unknown && !also_unowned)) continue;
      HOLDFAST_LET(marked, fail_run(context, store, {"run", path, run.id}));
      count += marked ? 1 : 0;
    }
  }
  return count;
}

}  // namespace holdfast::inline v1
