// Rewrites errors of the api in the terms of the command line. Thread-safety: a pure function.
#pragma once

#include <string>

namespace holdfast::inline v1 {

// "session.list: limit must be at least 1" becomes "--limit must be at least 1". Other messages stay as they are.
std::string rewrite_for_cli(const std::string& message);

}  // namespace holdfast::inline v1
