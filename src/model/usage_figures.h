// The list of the figures of a Usage, for everything that treats them alike. Its order is part of the format of cached
// and published counts (docs/formats/index.md, sync.md): new figures go to its end.
#pragma once

#include <holdfast/message.h>

#include <algorithm>
#include <cstdint>

namespace holdfast::inline v1 {

inline constexpr std::int64_t Usage::* kUsageFigures[] = {
    &Usage::input,     &Usage::output,         &Usage::cache_read,     &Usage::cache_write,
    &Usage::reasoning, &Usage::cache_write_1h, &Usage::reasoning_apart};

// Several records of one response repeat its figures; the largest are complete.
inline void keep_largest(Usage& into, const Usage& seen) {
  for (const auto figure : kUsageFigures) into.*figure = std::max(into.*figure, seen.*figure);
}

}  // namespace holdfast::inline v1
