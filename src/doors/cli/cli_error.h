// Rewrites errors of the api in the terms of the command line. Thread-safety: pure functions.
#pragma once

#include <string>

#include "api/operation.h"

namespace holdfast::inline v1 {

// An option as it may have been typed: "--limit (-n)".
std::string option_name(const Parameter& parameter);

// "session.list: limit must be at least 1" becomes "--limit (-n) must be at least 1". Other messages stay as they are.
std::string rewrite_for_cli(const std::string& message);

}  // namespace holdfast::inline v1
