// A feed that forwards everything to another one; subclasses override some answers.
// Thread-safety: that of the feed below.
#pragma once

#include "layout/feed.h"

namespace holdfast::inline v1 {

class ForwardFeed : public Feed {
 public:
  explicit ForwardFeed(Feed& below) : below_(below) {}

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
    return below_.records(log, range, take);
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

 protected:
  Feed& below_;
};

}  // namespace holdfast::inline v1
