// The metrics of a store: counters and histograms of times. Books can be added
// up, so many short processes can each contribute theirs (metrics_file.h).
// Thread-safety: one thread per book.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/observe.h"

namespace holdfast::inline v1 {

// Upper bounds of the buckets in milliseconds; one more bucket is unbounded.
inline constexpr std::array<double, 14> kBucketEnds = {0.05, 0.1, 0.25, 0.5, 1,   2.5,  5,
                                                       10,   25,  50,   100, 250, 1000, 5000};

struct TimingFigures {
  std::array<std::uint64_t, kBucketEnds.size() + 1> buckets = {};  // not cumulative
  double sum = 0;                                                  // milliseconds
};

class MetricsBook {
 public:
  void count(Tick tick, std::uint64_t by) { ticks_[static_cast<std::size_t>(tick)] += by; }
  void timed(StorageTime timing, double milliseconds);
  void add(const MetricsBook& other);
  bool empty() const;

  // Formats one line of JSON, and parses it; nullopt if the line is anything else.
  std::string line() const;
  static std::optional<MetricsBook> from_line(std::string_view line);

  // The Prometheus text format. `queue_depth` is the number of items waiting to
  // be sent, counted in the store at the time of the call.
  std::string exposition(std::string_view store, std::uint64_t queue_depth) const;

 private:
  std::array<std::uint64_t, 3> ticks_ = {};
  std::array<TimingFigures, 2> timings_ = {};
};

}  // namespace holdfast::inline v1
