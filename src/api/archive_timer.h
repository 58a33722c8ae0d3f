// Whether the systemd timer that captures sessions is enabled.
#pragma once

#include "api/store_settings.h"

namespace holdfast::inline v1 {

bool timer_enabled(const StoreSettings& settings);

}  // namespace holdfast::inline v1
