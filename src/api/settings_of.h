// The settings that apply to a call: the door's, the store's, and the parameter `settings`.
#pragma once

#include "api/call.h"
#include "rules/workflow/workflow_settings.h"

namespace holdfast::inline v1 {

Result<WorkflowSettings> settings_of(const Call& call, Store& store);
// For operations whose behavior depends on settings.
Parameter settings_parameter();

}  // namespace holdfast::inline v1
