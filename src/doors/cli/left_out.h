// What an answer could not be made of, for people. Thread-safety: a pure function.
#pragma once

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// A line for each store or session that could not be read, and so is in no figure and no hit; few of them.
// Damage inside of what was read is not told here: `ls` and `verify` do.
std::string left_out_lines(JsonView answer);

}  // namespace holdfast::inline v1
