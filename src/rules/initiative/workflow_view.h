// Everything that is known of a project's workflow, for showing: both layers,
// nothing written. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// {"initiative", "source", "warnings", "active", "workflow", "interview", "delegations",
//  "learnings", "text": the same for people}
Result<std::string> view_workflow(const Context& context, Store& store, std::string_view project);

}  // namespace holdfast::inline v1
