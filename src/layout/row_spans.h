// Rows of a table of which damaged pages hide some: all those that can still be read. They are asked for by their
// numbers, past every index, in spans that are halved where one cannot be read.
// Thread-safety: one thread an object. Lifetime: feed and place outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1 {

class RowSpans {
 public:
  RowSpans(Feed& feed, const Place& database) : feed_(feed), database_(database) {}

  // In any order. `columns` and `table` are ours; `which` is a condition with one `?` for `value`, written so that no
  // index answers it ("+id = ?"). corrupt: not even the table itself can be asked for.
  Result<void> read(const std::string& columns, const std::string& table, const std::string& which,
                    const std::string& value, const Feed::TakeRow& take);

  // Whether there may have been more rows, in any of the tables that were read.
  bool missed() const { return missed_; }

 private:
  Feed& feed_;
  const Place& database_;
  bool missed_ = false;
};

// The number that a SELECT with one `?` answers; nullopt when it cannot be answered.
std::optional<std::uint64_t> count_in(Feed& feed, const Place& database, std::string_view select,
                                      const std::string& value);

// What a reader says who found a damaged database and read on. `lost`: how many rows of the session, if that is known.
std::string left_rows_words(std::optional<std::uint64_t> lost);

// Why the text of a row is no JSON object, as `verify` calls it; empty when it is one. Bytes that are not UTF-8 are
// `bad_utf8`: it can be read all the same.
std::string_view row_fault(std::string_view text);

}  // namespace holdfast::inline v1
