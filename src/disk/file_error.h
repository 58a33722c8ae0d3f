// Converts an errno into the error that every FileSystem reports.
#pragma once

#include <holdfast/error.h>

#include <cerrno>
#include <string_view>

namespace holdfast::inline v1 {

// Like os_error, with two codes that only file systems need: unsafe_path for a
// directory where a file is expected, already_exists for a directory that is not empty.
inline Error file_error(int number, std::string_view what, std::string_view path) {
  Error error = os_error(number, what, path);
  if (number == EISDIR) error.code = Code::unsafe_path;
  if (number == ENOTEMPTY) error.code = Code::already_exists;
  return error;
}

}  // namespace holdfast::inline v1
