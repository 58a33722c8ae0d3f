#include "layout/openclaw/transcript.h"

#include <algorithm>

#include "base/damaged_database.h"
#include "base/hash.h"
#include "layout/json_pick.h"
#include "layout/openclaw/databases.h"
#include "layout/row_value.h"
#include "layout/table_salvager.h"
#include "text/json_write.h"

namespace holdfast::inline v1::openclaw {
namespace {

constexpr std::string_view kEvents =
    "SELECT seq, coalesce(event_json, zstd_text(event_zstd)) FROM transcript_events WHERE session_id = ? ORDER BY seq";
constexpr std::string_view kOldEvents =
    "SELECT seq, event_json FROM transcript_events WHERE session_id = ? ORDER BY seq";
constexpr std::string_view kCount = "SELECT count(*) FROM transcript_events WHERE session_id = ?";
constexpr std::string_view kArchive =
    "SELECT archive_name, zstd_text(archive_blob), storage FROM session_transcript_cold_archives WHERE session_id = ?";
constexpr std::string_view kArchiveEnd = ".jsonl.zst";
constexpr std::string_view kTables[] = {"session_windows", "transcript_events"};

// 64 hexadecimal digits and the suffix: a row cannot name any other file (decision 31).
bool is_archive_name(std::string_view name) {
  if (!name.ends_with(kArchiveEnd)) return false;
  name.remove_suffix(kArchiveEnd.size());
  return is_sha256_hex(name);
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

// Wraps the text of a row that is not an event, as an event of unknown type.
std::string broken_event(std::string_view text) {
  return JsonWriter().begin_object().key("event_json").string(text).end_object().take();
}

// Reads what is left in a database with damaged pages.
Result<void> read_left_events(Feed& feed, const Place& database, const std::string& session, const std::string& damage,
                              const Feed::TakeRow& take) {
  TableSalvager spans(feed, database);
  std::vector<std::pair<std::int64_t, std::string>> events;
  const auto keep = [&](std::span<const FeedValue> row) {
    events.emplace_back(integer_at(row, 0).value_or(0), text_at(row, 1));
    return true;
  };
  const auto ask = [&](const std::string& columns) {
    return spans.read(columns, "transcript_events", "+session_id = ?", session, keep);
  };
  auto read = ask("seq, coalesce(event_json, zstd_text(event_zstd))");
  if (!read && read.error().code == Code::schema_mismatch) read = ask("seq, event_json");
  HOLDFAST_TRY(read);
  std::optional<std::uint64_t> lost = 0;
  if (spans.missed()) lost = count_in(feed, database, kCount, session);
  if (lost && spans.missed()) lost = *lost - std::min<std::uint64_t>(*lost, events.size());
  feed.complain(database, 0, "corrupt", lost_rows_message(damage, lost));
  std::ranges::sort(events);
  for (const auto& [number, event] : events) {
    const FeedValue values[] = {number, std::string_view(event)};
    if (!take(values)) break;
  }
  return {};
}

}  // namespace

Result<void> read_transcript(Feed& feed, const Place& database, const std::string& session,
                             const TakeEvent& take_event) {
  bool any = false;
  const TakeEvent take = [&](std::string_view event, std::uint64_t number) {
    const std::string_view fault = row_fault(event);
    if (fault.empty()) return take_event(event, number);
    const bool whole = fault == "bad_utf8";
    feed.complain(database, number, fault,
                  whole ? "an event of this session has bytes that are not UTF-8; it is shown"
                        : "an event of this session is not a JSON object; it is shown as it is");
    return take_event(whole ? std::string(event) : broken_event(event), number);
  };
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
  if (!rows && is_damaged_pages_error(rows.error()))
    return read_left_events(feed, database, session, database_damage(rows.error()), take_row);
  HOLDFAST_TRY(rows);
  if (any) return {};
  HOLDFAST_TRY(read_archive(feed, database, session, [&](std::string_view event, std::uint64_t number) {
    any = true;
    return take(event, number);
  }));
  return any ? Result<void>() : check_tables(feed, database, kTables);
}

}  // namespace holdfast::inline v1::openclaw
