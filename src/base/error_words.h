// An error inside a sentence for people. Thread-safety: a pure function.
#pragma once

#include <holdfast/error.h>

#include <string>

namespace holdfast::inline v1 {

// Error::text() without the name of its code.
inline std::string error_words(const Error& error) {
  return error.path.empty() ? error.message : error.message + " (" + error.path + ")";
}

}  // namespace holdfast::inline v1
