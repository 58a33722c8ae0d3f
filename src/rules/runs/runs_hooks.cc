#include "rules/runs/runs_hooks.h"

#include <set>
#include <string>

#include "model/mission.h"
#include "rules/runs/repair_records.h"
#include "rules/runs/runs.h"
#include "rules/runs/state_files.h"
#include "store/file_store.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

bool removes(const RecordEdit& edit) { return edit.kind == RecordEdit::Kind::remove; }

// If other programs left several missions active, an edit may reduce their number but not increase it.
Result<void> check_missions(const Store::Look& look, std::span<const RecordEdit> edits, const std::string& project) {
  HOLDFAST_LET(list, list_typed<Mission>(look, {"mission", project, {}}));
  std::set<std::string> active;
  for (const Mission& mission : list.records)
    if (mission.active) active.insert(mission.id);
  const std::size_t before = active.size();
  for (const RecordEdit& edit : edits) {
    if (edit.key.kind != "mission" || edit.key.project != project) continue;
    const auto says = removes(edit) ? std::optional(false) : JsonView(edit.json).find("active").as_bool();
    if (!says) continue;
    if (*says) {
      active.insert(edit.key.id);
    } else {
      active.erase(edit.key.id);
    }
  }
  if (active.size() <= 1 || active.size() <= before) return {};
  return fail(Code::invalid_argument, "a project can have only one active mission", project);
}

// One mission of a project is active at a time (G05), and a state file matches its type.
Result<void> check_edits(const Store::Look& look, std::span<const RecordEdit> edits) {
  std::set<std::string> projects;
  for (const RecordEdit& edit : edits) {
    if (edit.key.kind == "mission" && projects.insert(edit.key.project).second)
      HOLDFAST_TRY(check_missions(look, edits, edit.key.project));
    if (edit.key.kind == "state_file" && !removes(edit)) HOLDFAST_TRY(check_state_file(look, edit));
  }
  return {};
}

// Fails runs whose owner died; one that cannot be marked now (disk full) is marked next time.
void fail_abandoned(const Context& context, FileStore& store) {
  if (store.layout().shape("run") != nullptr) (void)fail_abandoned_runs(context, store);
}

Result<void> settle(const Context& context, FileStore& store, const RepairOptions& options, Repaired& repaired) {
  HOLDFAST_LET(settled, repair_records(context, store, options.unowned_runs));
  repaired.counts["failed_runs"] = settled.failed_runs;
  repaired.counts["migrated_missions"] = settled.migrated_missions;
  for (Finding& finding : settled.findings) repaired.findings.push_back(std::move(finding));
  return {};
}

}  // namespace

const Hooks kRunsHooks = {.opened = fail_abandoned, .editing = check_edits, .repairing = settle};

}  // namespace holdfast::inline v1
