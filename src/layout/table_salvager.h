// Reads all rows of a table that damaged pages have not made unreadable. Rows are selected by their numbers,
// bypassing every index, in spans that are halved when one cannot be read.
// Thread-safety: one thread per object. Lifetime: feed and place must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layout/feed.h"

namespace holdfast::inline v1 {

class TableSalvager {
 public:
  TableSalvager(Feed& feed, const Place& database) : feed_(feed), database_(database) {}

  // Passes rows in any order. `columns` and `table` are trusted text; `which` is a condition with one `?` for
  // `value`, written so that no index is used ("+id = ?"). Fails with corrupt if the table itself cannot be read.
  Result<void> read(const std::string& columns, const std::string& table, const std::string& which,
                    const std::string& value, const Feed::TakeRow& take);

  // Whether rows may be missing, in any of the tables read so far.
  bool missed() const { return missed_; }

 private:
  Feed& feed_;
  const Place& database_;
  bool missed_ = false;
};

// The number returned by a SELECT with one `?`; nullopt if the query fails.
std::optional<std::uint64_t> count_in(Feed& feed, const Place& database, std::string_view select,
                                      const std::string& value);

// Fails with schema_mismatch if the database has some of these tables, but not all: another version wrote it, and rows
// that were not found are not absent. To be asked when nothing was found; `tables` are in lower case.
Result<void> check_tables(Feed& feed, const Place& database, std::span<const std::string_view> tables);

// The finding of a reader that met a damaged database and read on. `damage` as in base/damaged_database.h; `lost` is
// the number of lost rows, if known.
std::string lost_rows_message(const std::string& damage, std::optional<std::uint64_t> lost);
bool says_nothing_lost(std::string_view message);

// Why the text of a row is not a JSON object, as `verify` names it; empty if it is one. `bad_utf8` means bytes that
// are not UTF-8; such a row can still be read.
std::string_view row_fault(std::string_view text);

}  // namespace holdfast::inline v1
