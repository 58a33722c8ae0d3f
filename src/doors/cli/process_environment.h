// The environment and the working directory of this process.
#pragma once

#include "api/default_stores.h"

namespace holdfast::inline v1 {

Environment process_environment();

}  // namespace holdfast::inline v1
