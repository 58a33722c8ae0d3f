// Lopen's storage, `.lopen/` in a project, as specified and as its program writes it.
// Format: docs/formats/lopen.md.
#pragma once

#include "layout/layout.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"

namespace holdfast::inline v1 {

const Layout& lopen_layout();

namespace lopen {

const AgentHome& home();

// The records beside sessions, and how a session's workflow is kept.
std::span<const RecordShape> lopen_shapes();
const WorkflowShape& lopen_workflow();

}  // namespace lopen
}  // namespace holdfast::inline v1
