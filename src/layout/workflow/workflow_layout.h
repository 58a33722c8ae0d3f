// The two-layer persistence of the x-workflows: state files below `.claude/` and
// `documentation/milestones/` of a project, and MEMORY.md, which may be elsewhere.
// Format: docs/formats/workflow.md.
#pragma once

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

const Layout& workflow_layout();

namespace workflow {

const AgentHome& home();

inline constexpr std::string_view kProject = "project";
inline constexpr std::string_view kMemory = "memory";  // the directory with MEMORY.md

std::span<const RecordShape> workflow_shapes();

}  // namespace workflow
}  // namespace holdfast::inline v1
