// A Feed that passes everything on and notes what a layout read by it. What was
// said is nobody's matter here: records are handed out to be skimmed.
#pragma once

#include <set>
#include <string>

#include "index/directory_feed.h"
#include "layout/feed.h"

namespace holdfast::inline v1 {

class VerifyFeed final : public Feed {
 public:
  explicit VerifyFeed(DirectoryFeed& feed) : feed_(feed) {}

  Result<std::vector<FeedEntry>> list(const Place& directory) override { return feed_.list(directory); }
  Result<std::optional<FeedStat>> stat(const Place& file) override { return feed_.stat(file); }
  Result<std::optional<std::string>> link(const Place& name) override { return feed_.link(name); }
  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override {
    ++records_;
    return feed_.document(file, limit);
  }
  Result<std::optional<std::string>> plain_document(const Place& file, std::uint64_t limit,
                                                    std::string_view sha256) override {
    ++records_;
    return feed_.plain_document(file, limit, sha256);
  }
  Result<void> records(const Place& log, FeedRange range, const TakeRecord& take) override {
    const Place before = std::exchange(current_, log);
    logs_.insert(log);
    auto done = feed_.records(log, range, [&](const FeedRecord& record) {
      ++records_;
      return take({record.bytes, record.offset, record.salvaged, true});
    });
    current_ = before;
    return done;
  }
  Result<bool> last_records(const Place& log, std::size_t count, std::uint64_t before,
                            const TakeRecord& take) override {
    return feed_.last_records(log, count, before, take);
  }
  Result<void> rows(const Place& database, std::string_view select, std::span<const std::string> parameters,
                    const TakeRow& take) override {
    return feed_.rows(database, select, parameters, [&](std::span<const FeedValue> row) {
      ++records_;
      return take(row);
    });
  }
  void complain(const Place& file, std::uint64_t offset, std::string_view kind, std::string_view consequence) override {
    feed_.complain(file, offset, kind, consequence);
  }

  std::uint64_t records_read() const { return records_; }
  const std::set<Place>& logs() const { return logs_; }
  // The log whose records are being handed out; empty between logs.
  const Place& current() const { return current_; }

 private:
  DirectoryFeed& feed_;
  std::uint64_t records_ = 0;
  std::set<Place> logs_;
  Place current_;
};

}  // namespace holdfast::inline v1
