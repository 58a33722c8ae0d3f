#include "layout/openclaw/transcript.h"

#include <algorithm>

#include "layout/json_pick.h"
#include "layout/openclaw/databases.h"
#include "layout/row_value.h"

namespace holdfast::inline v1::openclaw {
namespace {

constexpr std::string_view kEvents =
    "SELECT seq, coalesce(event_json, zstd_text(event_zstd)) FROM transcript_events WHERE session_id = ? ORDER BY seq";
constexpr std::string_view kOldEvents =
    "SELECT seq, event_json FROM transcript_events WHERE session_id = ? ORDER BY seq";
constexpr std::string_view kArchive =
    "SELECT archive_name, zstd_text(archive_blob), storage FROM session_transcript_cold_archives WHERE session_id = ?";
constexpr std::string_view kArchiveEnd = ".jsonl.zst";

// 64 hexadecimal digits and the ending: a row can name no other file (decision 31).
bool is_archive_name(std::string_view name) {
  if (!name.ends_with(kArchiveEnd)) return false;
  name.remove_suffix(kArchiveEnd.size());
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// {"kind":"event","row":{"seq":1,"event_json":"{…}"}}; the other kinds are indexes.
bool take_archived(std::string_view line, const TakeEvent& take) {
  const auto [kind, row] = pick<2>(JsonView(line), {"kind", "row"});
  if (!kind.is_string("event")) return true;
  const auto [number, event] = pick<2>(row, {"seq", "event_json"});
  return take(text_of(event), static_cast<std::uint64_t>(count_of(number)));
}

Result<void> read_archive(Feed& feed, const Place& database, const std::string& session, const TakeEvent& take) {
  std::string name, plain, storage;
  const std::string parameters[] = {session};
  auto rows = feed.rows(database, kArchive, parameters, [&](std::span<const FeedValue> row) {
    name = text_at(row, 0);
    plain = text_at(row, 1);
    storage = text_at(row, 2);
    return false;
  });
  if (!rows && rows.error().code != Code::schema_mismatch) return rows;
  if (storage == "sqlite" && plain.empty())
    feed.complain(database, 0, "damaged", "the archive of this session cannot be unpacked");
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    if (!take_archived(std::string_view(plain).substr(at, end - at), take)) return {};
    at = end + 1;
  }
  if (storage != "file" || !is_archive_name(name)) return {};
  const Place file{kRoot, "agents/" + agent_of(database) + "/sessions/cold/" + name};
  HOLDFAST_LET(there, feed.stat(file));
  if (!there) {
    feed.complain(file, 0, "missing", "the archive of this session is not there: nothing is shown");
    return {};
  }
  return feed.records(file, {}, [&](const FeedRecord& record) { return take_archived(record.bytes, take); });
}

}  // namespace

Result<void> read_transcript(Feed& feed, const Place& database, const std::string& session, const TakeEvent& take) {
  bool any = false;
  const std::string parameters[] = {session};
  const auto take_row = [&](std::span<const FeedValue> row) {
    any = true;
    const auto number = static_cast<std::uint64_t>(integer_at(row, 0).value_or(0));
    const std::string_view event = text_at(row, 1);
    if (event.empty()) {
      feed.complain(database, number, "damaged", "an event of this session cannot be unpacked and is not shown");
      return true;
    }
    return take(event, number);
  };
  auto rows = feed.rows(database, kEvents, parameters, take_row);
  if (!rows && rows.error().code == Code::schema_mismatch) rows = feed.rows(database, kOldEvents, parameters, take_row);
  HOLDFAST_TRY(rows);
  if (any) return {};
  return read_archive(feed, database, session, take);
}

}  // namespace holdfast::inline v1::openclaw
