// Records and checks drift of a workflow's specification (L22). Failures never block
// the workflow: they are reported as the event `workflow:drift_unknown`, and the next
// report may show more drift, never less.
#pragma once

#include "rules/workflow/drift.h"
#include "rules/workflow/workflow.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// Call after each save.
void record_drift_base(const Context& context, FileStore& store, const WorkflowView& saved);

// Call on resume, before the next save.
DriftReport drift_since_save(const Context& context, FileStore& store, const WorkflowView& resumed);

}  // namespace holdfast::inline v1
