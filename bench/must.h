// Stops a benchmark at an error.
#pragma once

#include <holdfast/error.h>

#include <utility>

#include "bench/table.h"

namespace holdfast::bench {

template <typename T>
T must(Result<T> result) {
  if (!result) stop(result.error().text());
  return std::move(*result);
}
inline void must(const Result<void>& result) {
  if (!result) stop(result.error().text());
}

}  // namespace holdfast::bench
