// Whether an operation failed because its caller cancelled it or its deadline passed.
#pragma once

#include <holdfast/error.h>

namespace holdfast::inline v1 {

inline bool was_stopped(const Error& error) {
  return error.code == Code::cancelled || error.code == Code::deadline_exceeded;
}

}  // namespace holdfast::inline v1
