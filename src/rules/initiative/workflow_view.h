// Everything known about a project's workflow, for display: reads both layers, writes
// nothing. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// {"initiative", "source", "warnings", "active", "workflow", "interview", "delegations",
//  "learnings", "text": the same for people}
Result<std::string> view_workflow(const Context& context, Store& store, std::string_view project);

}  // namespace holdfast::inline v1
