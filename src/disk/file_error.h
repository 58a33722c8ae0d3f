// An errno as every FileSystem reports it.
#pragma once

#include <holdfast/error.h>

#include <cerrno>
#include <string_view>

namespace holdfast::inline v1 {

// os_error, with the codes of what only file systems answer: a directory where a
// file should be is unsafe_path, a directory that is not empty already_exists.
inline Error file_error(int number, std::string_view what, std::string_view path) {
  Error error = os_error(number, what, path);
  if (number == EISDIR) error.code = Code::unsafe_path;
  if (number == ENOTEMPTY) error.code = Code::already_exists;
  return error;
}

}  // namespace holdfast::inline v1
