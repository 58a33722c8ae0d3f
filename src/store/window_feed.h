// A feed that records how a layout reads logs and, if asked to, provides one of them
// from a certain record on. Thread-safety: that of the feed below.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "store/forward_feed.h"

namespace holdfast::inline v1 {

class WindowFeed final : public ForwardFeed {
 public:
  // Which read of which log, and where it starts.
  struct Window {
    Place log;
    std::uint64_t reading = 0;
    std::uint64_t from = 0;
  };
  explicit WindowFeed(Feed& below, std::optional<Window> window = {})
      : ForwardFeed(below), window_(std::move(window)) {}

  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override {
    std::vector<Reading>& all = readings_[log];
    const std::size_t number = all.size();
    all.emplace_back();
    if (window_ && log == window_->log && number == window_->reading) range.from = std::max(range.from, window_->from);
    Reading reading;
    auto done = below_.records(log, range, [&](const FeedRecord& record) {
      reading.offsets.push_back(record.offset);
      reading.salvaged = reading.salvaged || record.salvaged;
      record_ = record.bytes;
      return take(record);
    });
    readings_[log][number] = std::move(reading);
    return done;
  }
  Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                            const TakeRecord& take) override {
    otherwise_ = true;
    return below_.last_records(log, count, before, take);
  }
  Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                    const TakeRow& take) override {
    otherwise_ = true;
    return below_.rows(database, select, parameters, take);
  }

  // The bytes of the record that was passed on last; valid until records() goes on.
  std::string_view record() const { return record_; }

  // The one log that all records came from, and its longest read; nullopt if there were
  // other sources, or a record had to be salvaged.
  struct Source {
    Place log;
    std::uint64_t reading = 0;
    std::vector<std::uint64_t> offsets;  // offsets of its records
  };
  std::optional<Source> source() const {
    if (otherwise_) return std::nullopt;
    std::optional<Source> found;
    for (const auto& [log, all] : readings_) {
      const auto longest = std::ranges::max_element(all, {}, [](const Reading& one) { return one.offsets.size(); });
      if (longest->offsets.empty()) continue;
      if (found || longest->salvaged) return std::nullopt;
      found = Source{log, static_cast<std::uint64_t>(longest - all.begin()), longest->offsets};
    }
    return found;
  }

 private:
  struct Reading {
    std::vector<std::uint64_t> offsets;
    bool salvaged = false;
  };
  std::optional<Window> window_;
  std::map<Place, std::vector<Reading>> readings_;
  bool otherwise_ = false;
  std::string_view record_;
};

}  // namespace holdfast::inline v1
