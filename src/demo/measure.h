// Measures the time of one durable append, compared with the disk itself.
#pragma once

#include <holdfast/root.h>

#include <chrono>
#include <cstdint>

namespace holdfast::inline v1 {

struct Timing {
  std::uint64_t samples = 0;  // of each
  std::uint64_t bytes = 0;    // of a message with its newline
  double holdfast_us = 0;     // p50 of AppendLog::append with durability power
  double raw_us = 0;          // p50 of write and fdatasync of the same bytes

  double ratio() const { return raw_us > 0 ? holdfast_us / raw_us : 0; }
};

// Appends messages of 1 KiB to two new files in `root`, alternately, for at most `time`.
Result<Timing> measure_append(const Context& context, const std::shared_ptr<Root>& root,
                              std::chrono::milliseconds time);

}  // namespace holdfast::inline v1
