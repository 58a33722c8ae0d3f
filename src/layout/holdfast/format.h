// The FORMAT file that makes a directory a native store (decision 26).
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/layout.h"
#include "layout/moment.h"

namespace holdfast::inline v1::native {

std::string new_format(const Moment& moment);

// Fails with newer_schema, naming the feature, if this version must not use the store;
// with `write`, also if a feature forbids only writing.
Result<void> check_format(std::string_view bytes, bool write);

}  // namespace holdfast::inline v1::native
