// The status machine of an initiative (W08):
//   created > in_progress, in_progress <> blocked, in_progress > completed > archived
// `planned`, which an older skill writes, is read as created. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns "created" for "planned", and any other status unchanged.
std::string_view plain_status(std::string_view status);
bool is_initiative_status(std::string_view status);

// Fails with invalid_argument, in the seed's words, if the step is refused. A step to the same
// status is allowed and does nothing. From an unknown status, every step is allowed.
Result<void> check_status_step(std::string_view from, std::string_view to);

}  // namespace holdfast::inline v1
