// A feed that hands out only a range of one log, or only some of its records
// whole; everything else is as the feed below has it. Thread-safety: as that one.
#pragma once

#include <functional>

#include "layout/feed.h"

namespace holdfast::inline v1 {

class PartFeed final : public Feed {
 public:
  // `wanted`: records at other offsets are handed out to be skimmed.
  using Wanted = std::function<bool(std::uint64_t offset)>;
  PartFeed(Feed& below, Place log, FeedRange range, Wanted wanted = {})
      : below_(below), log_(std::move(log)), range_(range), wanted_(std::move(wanted)) {}

  Result<std::vector<FeedEntry>> list(const Place& directory) override { return below_.list(directory); }
  Result<std::optional<FeedStat>> stat(const Place& file) override { return below_.stat(file); }
  Result<std::optional<std::string>> link(const Place& name) override { return below_.link(name); }
  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override {
    return below_.document(file, limit);
  }
  Result<std::optional<std::string>> plain_document(const Place& file, std::uint64_t limit,
                                                    std::string_view sha256) override {
    return below_.plain_document(file, limit, sha256);
  }
  Result<std::optional<std::string>> backup(const Place& file) override { return below_.backup(file); }
  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override {
    if (log != log_) return below_.records(log, range, take);
    return below_.records(log, range_, [&](const FeedRecord& record) {
      FeedRecord one = record;
      one.skim = one.skim || (wanted_ && !one.salvaged && !wanted_(one.offset));
      return take(one);
    });
  }
  Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                            const TakeRecord& take) override {
    return below_.last_records(log, count, before, take);
  }
  Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                    const TakeRow& take) override {
    return below_.rows(database, select, parameters, take);
  }
  void complain(const Place& file, std::uint64_t offset, std::string_view kind, std::string_view consequence) override {
    below_.complain(file, offset, kind, consequence);
  }

 private:
  Feed& below_;
  Place log_;
  FeedRange range_;
  Wanted wanted_;
};

}  // namespace holdfast::inline v1
