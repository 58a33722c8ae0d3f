// A Feed that forwards everything and records what a layout read through it. Texts are
// not needed: records are marked to be skimmed.
#pragma once

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "index/directory_feed.h"
#include "layout/feed.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1 {

class VerifyFeed final : public Feed {
 public:
  // `rescue` knows the agent's logs; nullptr if nothing is known about them.
  VerifyFeed(DirectoryFeed& feed, const SessionRescue* rescue) : feed_(feed), rescue_(rescue) {}

  Result<std::vector<FeedEntry>> list(const Place& directory) override { return feed_.list(directory); }
  Result<std::optional<FeedStat>> stat(const Place& file) override { return feed_.stat(file); }
  Result<std::optional<std::string>> link(const Place& name) override { return feed_.link(name); }
  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override {
    auto document = feed_.document(file, limit);
    if (!document || !*document || !(*document)->empty()) ++records_;
    return document;
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
      if (rescue_ != nullptr) look_at(log, record);
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
    databases_.insert(database);
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
  // The logs, or databases, that exist and are empty.
  std::vector<Place> empty_logs() const { return empty_of(logs_); }
  std::vector<Place> empty_databases() const { return empty_of(databases_); }
  // The log whose records are being passed; empty between logs.
  const Place& current() const { return current_; }

  // Logs that their agent does not load because the first record is missing.
  std::vector<Place> headless() const {
    std::vector<Place> logs;
    for (const auto& [log, state] : states_) {
      if (state.follows && !state.headed) logs.push_back(log);
    }
    return logs;
  }
  // A place where numbers of records are skipped.
  struct Jump {
    Place log;
    std::uint64_t offset = 0;
    std::int64_t first = 0, last = 0;  // the skipped numbers
    std::int64_t missing = 0;          // of those, nowhere in the log; 0 if records are only out of order
    bool operator<(const Jump& other) const { return std::tie(log, offset) < std::tie(other.log, other.offset); }
  };
  std::vector<Jump> jumps() const {
    std::vector<Jump> all(jumps_.begin(), jumps_.end());
    for (Jump& jump : all) {
      const std::set<std::int64_t>& numbers = states_.at(jump.log).numbers;
      const auto there = std::distance(numbers.lower_bound(jump.first), numbers.upper_bound(jump.last));
      jump.missing = jump.last - jump.first + 1 - there;
    }
    return all;
  }
  // Whether a record of the log has that number.
  bool has_number(const Place& log, std::int64_t number) const {
    const auto state = states_.find(log);
    return state != states_.end() && state->second.numbers.contains(number);
  }

 private:
  struct LogState {
    bool headed = false, follows = false;
    std::size_t left = kHeaderWithin;  // in how many more records to look for a header
    std::uint64_t offset = 0;
    std::optional<std::int64_t> number;
    std::set<std::int64_t> numbers;  // of all records
  };
  void look_at(const Place& log, const FeedRecord& record) {
    LogState& state = states_[log];
    const JsonView json(record.bytes);
    if (!state.headed && state.left > 0) {
      --state.left;
      state.headed = rescue_->is_header(json);
    }
    if (!state.headed) state.follows = state.follows || rescue_->follows_header(json);
    const auto number = rescue_->number_of(json);
    // A log may be read more than once.
    const bool next = state.number && record.offset > state.offset;
    if (number && next && *number > *state.number + 1)
      jumps_.insert({log, record.offset, *state.number + 1, *number - 1, 0});
    if (number) state.number = number;
    if (number) state.numbers.insert(state.numbers.end(), *number);
    state.offset = record.offset;
  }

  std::vector<Place> empty_of(const std::set<Place>& files) const {
    std::vector<Place> empty;
    for (const Place& file : files) {
      const auto read = feed_.read_files().find(file);
      if (read != feed_.read_files().end() && read->second.size == 0 && read->second != Fingerprint::missing())
        empty.push_back(file);
    }
    return empty;
  }

  DirectoryFeed& feed_;
  const SessionRescue* rescue_;
  std::map<Place, LogState> states_;
  std::set<Jump> jumps_;
  std::uint64_t records_ = 0;
  std::set<Place> logs_, databases_;
  Place current_;
};

}  // namespace holdfast::inline v1
