// The part of a path before its last name.
// Thread-safety: pure functions.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

// For a relative path; empty at the top.
constexpr std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// For an absolute path; "/" at the top.
constexpr std::string_view absolute_parent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? std::string_view("/") : path.substr(0, slash);
}

}  // namespace holdfast::inline v1
