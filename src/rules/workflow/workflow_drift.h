// Drift of a workflow's specification, where it is kept and asked (L22). Neither
// stands in the way of the work: what cannot be kept is told as the event
// `workflow:drift_unknown`, and the next report says more, never less.
#pragma once

#include "rules/workflow/drift.h"
#include "rules/workflow/workflow.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// After each save.
void keep_drift_base(const Context& context, FileStore& store, const WorkflowView& saved);

// On resume, before the next save.
DriftReport drift_since_save(const Context& context, FileStore& store, const WorkflowView& resumed);

}  // namespace holdfast::inline v1
