// Checks the parameters of a call, and turns exceptions of its handler into errors; for all doors.
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

// Returns the parameters of a call if they are JSON and valid for the operation; empty means {}.
// Errors: invalid_argument, too_large. The result points into `params`, or into `respelled` if an integer was written
// as 1.0 or 1e2, as JSON Schema allows: operations read and store only the plain form, also inside of objects.
Result<JsonView> checked_params(const Operation& operation, std::string_view params, std::string& respelled);

// Reports a file in place of a folder of a store as damage, not as a bad path of the caller.
inline Error as_damage(Error error) {
  if (error.code != Code::unsafe_path || error.os_error != ENOTDIR) return error;
  error.code = Code::corrupt;
  error.message += "; something else is in the place of a folder";
  return error;
}

// Throws nothing: a failed allocation becomes out_of_memory (decision 27).
template <typename Work>
auto without_exceptions(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "there is not enough memory for this call");
  } catch (const std::exception& error) {
    return fail(Code::internal, std::string("unexpected exception: ") + error.what());
  }
}

// The same for a whole call.
template <typename Work>
auto guarded(const Work& work) -> decltype(work()) {
  return without_exceptions([&] {
    auto done = work();
    if (!done) done.error() = as_damage(std::move(done.error()));
    return done;
  });
}

}  // namespace holdfast::inline v1
