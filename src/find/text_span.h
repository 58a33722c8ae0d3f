// A part of a text, in bytes.
#pragma once

#include <cstddef>

namespace holdfast::inline v1 {

struct TextSpan {
  std::size_t from = 0;
  std::size_t to = 0;

  bool operator==(const TextSpan&) const = default;
};

}  // namespace holdfast::inline v1
