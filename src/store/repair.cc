#include "store/repair.h"

#include "store/engine.h"
#include "store/settle.h"
#include "store/thread_resume.h"
#include "store/threads.h"

namespace holdfast::inline v1 {

Result<Repaired> repair_store(const Context& context, Store& store, bool also_unowned_runs) {
  HOLDFAST_LET(engine, engine_of(store));
  Repaired repaired;
  for (const auto& [name, root] : engine->roots().all()) {
    for (const Finding& finding : root->findings())
      repaired.findings.push_back({finding.path, finding.offset, finding.length, finding.kind, finding.consequence, 0});
  }
  HOLDFAST_TRY(engine->set_all_aside(context));
  for (StoreFinding& finding : engine->opening_findings()) repaired.findings.push_back(std::move(finding));
  HOLDFAST_LET(ended, fail_dead_sessions(context, store));
  repaired.failed_sessions = ended;
  HOLDFAST_LET(settled, settle_records(context, store, also_unowned_runs));
  repaired.failed_runs = settled.failed_runs;
  repaired.migrated_missions = settled.migrated_missions;
  for (StoreFinding& finding : settled.findings) repaired.findings.push_back(std::move(finding));
  HOLDFAST_LET(indexes, engine->rebuild_indexes(context));
  HOLDFAST_LET(of_threads, rebuild_thread_index(context, store));
  repaired.indexes = indexes + of_threads;
  return repaired;
}

}  // namespace holdfast::inline v1
