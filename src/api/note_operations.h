// Operations on a person's notes about sessions: a part of the table.
#pragma once

#include <span>

#include "api/operation.h"

namespace holdfast::inline v1 {

std::span<const Operation> note_operations();
// The handler of a dry run; nullptr for other methods.
Handler note_dry_run(std::string_view method);

}  // namespace holdfast::inline v1
