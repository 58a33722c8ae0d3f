#include "layout/opencode/surviving_rows.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "layout/row_value.h"
#include "layout/table_salvager.h"

namespace holdfast::inline v1::opencode {
namespace {

// Answered by the indexes over the session, without the rows themselves.
constexpr std::string_view kCount =
    "SELECT (SELECT count(*) FROM message WHERE session_id = ?1) + (SELECT count(*) FROM part WHERE session_id = ?1)";

struct LeftRow {
  std::int64_t time = 0;
  std::string message, part, data;
};

}  // namespace

std::optional<std::uint64_t> lost_rows(Feed& feed, const Place& database, const std::string& session,
                                       std::uint64_t read, bool missed) {
  if (!missed) return 0;
  const auto all = count_in(feed, database, kCount, session);
  return all ? std::optional(*all - std::min(*all, read)) : std::nullopt;
}

Result<void> read_surviving_rows(Feed& feed, const Place& database, const std::string& session,
                                 const std::string& damage, const Feed::TakeRow& take) {
  TableSalvager spans(feed, database);
  std::vector<LeftRow> rows;
  std::map<std::string, std::int64_t, std::less<>> times;  // of the messages
  HOLDFAST_TRY(
      spans.read("id, time_created, data", "message", "+session_id = ?", session, [&](std::span<const FeedValue> row) {
        const std::string id(text_at(row, 0));
        const std::int64_t time = integer_at(row, 1).value_or(0);
        times[id] = time;
        rows.push_back({time, id, {}, std::string(text_at(row, 2))});
        return true;
      }));
  const std::size_t messages = rows.size();
  HOLDFAST_TRY(spans.read("id, message_id, data, time_created", "part", "+session_id = ?", session,
                          [&](std::span<const FeedValue> row) {
                            rows.push_back({integer_at(row, 3).value_or(0), std::string(text_at(row, 1)),
                                            std::string(text_at(row, 0)), std::string(text_at(row, 2))});
                            return true;
                          }));
  const auto lost = lost_rows(feed, database, session, rows.size(), spans.missed());
  feed.complain(database, 0, "corrupt", lost_rows_message(damage, lost));
  // A lost message gets the time of the first of its parts.
  std::map<std::string, std::int64_t> made;
  for (std::size_t i = messages; i < rows.size(); ++i) {
    if (times.contains(rows[i].message)) continue;
    const auto [at, fresh] = made.try_emplace(rows[i].message, rows[i].time);
    if (!fresh) at->second = std::min(at->second, rows[i].time);
  }
  for (const auto& [id, time] : made) rows.push_back({time, id, {}, {}});
  times.insert(made.begin(), made.end());
  for (LeftRow& row : rows) row.time = times[row.message];
  std::ranges::sort(rows, {}, [](const LeftRow& row) { return std::tie(row.time, row.message, row.part); });
  for (const LeftRow& row : rows) {
    const FeedValue values[] = {row.time, std::string_view(row.message), std::string_view(row.part),
                                std::string_view(row.data)};
    if (!take(values)) break;
  }
  return {};
}

}  // namespace holdfast::inline v1::opencode
