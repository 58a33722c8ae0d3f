// The FORMAT file that makes a directory a native store (decision 26).
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1::native {

std::string new_format(const Moment& moment);

// newer_schema, by the name of the feature, for a store that this version must
// not touch; `write`: features that only forbid writing count too.
Result<void> check_format(std::string_view bytes, bool write);

}  // namespace holdfast::inline v1::native
