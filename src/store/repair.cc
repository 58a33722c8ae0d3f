#include "store/repair.h"

#include "store/engine.h"

namespace holdfast::inline v1 {

Result<Repaired> repair_store(const Context& context, Store& store, const RepairOptions& options) {
  HOLDFAST_LET(engine, engine_of(store));
  Repaired repaired;
  for (const auto& [name, root] : engine->roots().all()) {
    for (Finding& finding : root->findings()) repaired.findings.push_back(std::move(finding));
  }
  HOLDFAST_TRY(engine->set_all_aside(context));
  for (Finding& finding : engine->opening_findings()) repaired.findings.push_back(std::move(finding));
  for (const Hooks& hooks : engine->hooks()) {
    if (hooks.repairing != nullptr) HOLDFAST_TRY(hooks.repairing(context, *engine, options, repaired));
  }
  HOLDFAST_LET(indexes, engine->rebuild_indexes(context));
  repaired.counts["indexes"] = indexes;
  return repaired;
}

}  // namespace holdfast::inline v1
