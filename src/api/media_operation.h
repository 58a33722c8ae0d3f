// message.media, for the table of message operations.
#pragma once

#include "api/operation.h"

namespace holdfast::inline v1 {

Operation media_operation();

}  // namespace holdfast::inline v1
