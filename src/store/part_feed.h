// A feed that provides only a range of one log, or only some of its records in full;
// everything else comes from the feed below. Thread-safety: that of the feed below.
#pragma once

#include <functional>

#include "store/forward_feed.h"

namespace holdfast::inline v1 {

class PartFeed final : public ForwardFeed {
 public:
  // Records at offsets for which `wanted` returns false are marked to be skimmed.
  using Wanted = std::function<bool(std::uint64_t offset)>;
  PartFeed(Feed& below, Place log, FeedRange range, Wanted wanted = {})
      : ForwardFeed(below), log_(std::move(log)), range_(range), wanted_(std::move(wanted)) {}

  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override {
    if (log != log_) return below_.records(log, range, take);
    return below_.records(log, range_, [&](const FeedRecord& record) {
      FeedRecord one = record;
      one.skim = one.skim || (wanted_ && !one.salvaged && !wanted_(one.offset));
      return take(one);
    });
  }

 private:
  Place log_;
  FeedRange range_;
  Wanted wanted_;
};

}  // namespace holdfast::inline v1
