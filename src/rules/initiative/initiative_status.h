// The life of an initiative (W08):
//   created > in_progress, in_progress <> blocked, in_progress > completed > archived
// `planned`, which an older skill writes, is read as created. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "planned" is "created"; everything else is what it is.
std::string_view plain_status(std::string_view status);
bool is_initiative_status(std::string_view status);

// invalid_argument, in the seed's words, for a step that is refused. The same to
// the same is allowed and means nothing. From a word that nobody knows every step is.
Result<void> check_status_step(std::string_view from, std::string_view to);

}  // namespace holdfast::inline v1
