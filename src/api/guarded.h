// What every door does with a call before and around its work.
#pragma once

#include <holdfast/error.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The parameters of a call, if they are JSON and what the operation takes; empty stands for {}.
// Errors: invalid_argument, too_large. Points into `params`.
Result<JsonView> checked_params(const Operation& operation, std::string_view params);

// A file where a store has a folder is damage, not a path that the caller should have spelled otherwise.
inline Error as_damage(Error error) {
  if (error.code != Code::unsafe_path || error.os_error != ENOTDIR) return error;
  error.code = Code::corrupt;
  error.message += "; something else is in the place of a folder";
  return error;
}

// No exception leaves: a failed allocation is out_of_memory (decision 27).
template <typename Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    auto done = work();
    if (!done) done.error() = as_damage(std::move(done.error()));
    return done;
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "there is not enough memory for this call");
  } catch (const std::exception& error) {
    return fail(Code::internal, std::string("unexpected exception: ") + error.what());
  }
}

}  // namespace holdfast::inline v1
