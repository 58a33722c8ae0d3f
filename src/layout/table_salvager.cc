#include "layout/table_salvager.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "base/damaged_database.h"
#include "layout/json_fault_kind.h"
#include "layout/row_value.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// How many queries of one table may fail. Large spans are tried first, so what is never queried is small.
constexpr std::uint64_t kMaxFailures = 1024;

constexpr std::string_view kNothingLost = "; every row of this session can be read and is shown";

}  // namespace

Result<void> TableSalvager::read(const std::string& columns, const std::string& table, const std::string& which,
                                 const std::string& value, const Feed::TakeRow& take) {
  HOLDFAST_TRY(feed_.rows(database_, "SELECT 1 FROM " + table + " NOT INDEXED WHERE 0", {},
                          [](std::span<const FeedValue>) { return true; }));
  std::uint64_t last = 0;
  const auto newest = feed_.rows(
      database_, "SELECT max(rowid) FROM " + table + " NOT INDEXED", {}, [&](std::span<const FeedValue> row) {
        last = static_cast<std::uint64_t>(std::max<std::int64_t>(0, integer_at(row, 0).value_or(0)));
        return true;
      });
  if (!newest) {
    if (!is_damaged_pages_error(newest.error())) return newest;
    HOLDFAST_LET(stat, feed_.stat(database_));
    last = stat ? stat->size / 16 : 0;  // no row takes fewer bytes
  }
  const std::string all = "SELECT " + columns + " FROM " + table + " NOT INDEXED WHERE rowid ";
  const std::string select = all + "BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND " + which;
  // A query over a span also reads the row after it, which may be on a damaged page.
  const std::string select_one = all + "= CAST(? AS INTEGER) AND " + which;
  struct Span {
    std::uint64_t from, to;
  };
  std::deque<Span> spans;
  if (last > 0) spans.push_back({1, last});
  std::uint64_t failures = 0;
  bool wanted = true;
  while (!spans.empty() && wanted) {
    const Span span = spans.front();
    spans.pop_front();
    const bool one = span.from == span.to;
    std::vector<std::string> parameters = {std::to_string(span.from), value};
    if (!one) parameters.insert(parameters.begin() + 1, std::to_string(span.to));
    const auto read = feed_.rows(database_, one ? select_one : select, parameters, [&](std::span<const FeedValue> row) {
      wanted = take(row);
      return wanted;
    });
    if (read) continue;
    if (!is_damaged_pages_error(read.error())) return read;
    if (++failures > kMaxFailures || one) {
      missed_ = true;
      if (failures > kMaxFailures) return {};
      continue;
    }
    const std::uint64_t middle = span.from + (span.to - span.from) / 2;
    spans.push_back({span.from, middle});
    spans.push_back({middle + 1, span.to});
  }
  return {};
}

std::optional<std::uint64_t> count_in(Feed& feed, const Place& database, std::string_view select,
                                      const std::string& value) {
  std::optional<std::uint64_t> count;
  const std::string parameters[] = {value};
  const auto asked = feed.rows(database, select, parameters, [&](std::span<const FeedValue> row) {
    if (const auto number = integer_at(row, 0)) count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *number));
    return false;
  });
  return asked ? count : std::nullopt;
}

Result<void> check_tables(Feed& feed, const Place& database, std::span<const std::string_view> tables) {
  std::string select = "SELECT lower(name) FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) IN (";
  for (std::size_t i = 0; i < tables.size(); ++i) select += i == 0 ? "?" : ", ?";
  const std::vector<std::string> names(tables.begin(), tables.end());
  std::set<std::string, std::less<>> there;
  const auto asked = feed.rows(database, select + ")", names, [&](std::span<const FeedValue> row) {
    there.emplace(text_at(row, 0));
    return true;
  });
  if (!asked && is_damaged_pages_error(asked.error())) return {};  // reported as damage
  HOLDFAST_TRY(asked);
  if (there.empty()) return {};
  for (const std::string& name : names) {
    if (!there.contains(name)) return fail(Code::schema_mismatch, "no such table: " + name, database.path);
  }
  return {};
}

std::string lost_rows_message(const std::string& damage, std::optional<std::uint64_t> lost) {
  if (!lost) return damage + "; rows of this session may be lost; all readable ones are shown";
  if (*lost == 0) return damage + std::string(kNothingLost);
  return damage + "; " + std::to_string(*lost) + (*lost == 1 ? " row" : " rows") +
         " of this session cannot be read, all others are shown";
}

bool says_nothing_lost(std::string_view message) { return message.ends_with(kNothingLost); }

std::string_view row_fault(std::string_view text) {
  const JsonCheck check = check_json(text);
  if (!check.ok()) return json_fault_kind(text, check);
  return JsonView(text).kind() == JsonKind::object ? std::string_view() : "not_json";
}

}  // namespace holdfast::inline v1
