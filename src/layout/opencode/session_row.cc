#include "layout/opencode/session_row.h"

#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "base/damaged_database.h"
#include "layout/json_pick.h"
#include "layout/row_value.h"
#include "layout/table_salvager.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

constexpr std::string_view kRow =
    "SELECT directory, title, time_created, time_updated, parent_id, version, project_id, time_archived, revert, "
    "agent, "
    "model, slug FROM session WHERE id = ?";
constexpr auto kColumns =
    std::to_array<std::string_view>({"directory", "title", "time_created", "time_updated", "parent_id", "version",
                                     "project_id", "time_archived", "revert", "agent", "model", "slug"});

// `by` follows the name of each table: nothing, or kByRows.
constexpr std::string_view kByRows = " NOT INDEXED";
std::string select_children(const std::string& by) {
  return "SELECT count(*) FROM session" + by + " WHERE parent_id = ?";
}
// Sessions with messages of the same times; a fork copies messages with their times.
std::string select_twins(const std::string& by) {
  const std::string times = " FROM message" + by + " WHERE session_id = ?)";
  return "SELECT o.session_id, count(*), sum(o.time_created = (SELECT min(time_created)" + times +
         "), s.title, s.time_created FROM message o" + by + " JOIN session s" + by +
         " ON s.id = o.session_id WHERE o.time_created IN (SELECT time_created" + times +
         " AND o.session_id <> ? AND s.time_created < (SELECT time_created FROM session" + by +
         " WHERE id = ?) GROUP BY o.session_id";
}
constexpr std::string_view kForkMark = " (fork #";

// The same row in a version that lacks some columns: a name that `session` does not have resolves to the outer NULL.
std::string row_of_any_version() {
  std::string wanted, missing;
  for (const std::string_view column : kColumns) {
    const std::string_view comma = wanted.empty() ? "" : ", ";
    wanted.append(comma).append("(SELECT ").append(column).append(" FROM session WHERE id = ?1)");
    missing.append(comma).append("NULL AS ").append(column);
  }
  return "SELECT " + wanted + " FROM (SELECT " + missing + ") WHERE EXISTS (SELECT 1 FROM session WHERE id = ?1)";
}

bool lacks_columns(const Result<void>& rows) { return !rows && rows.error().code == Code::schema_mismatch; }

bool is_damaged(const Result<void>& rows) { return !rows && is_damaged_pages_error(rows.error()); }

// A query over whole tables. Without the indexes it succeeds as long as the rows themselves can be read.
Result<void> read_past_indexes(Feed& feed, const Place& database, std::string (*select)(const std::string& by),
                               std::span<const std::string> parameters, std::string& damage,
                               const Feed::TakeRow& take) {
  auto rows = feed.rows(database, select(""), parameters, take);
  if (!is_damaged(rows)) return rows;
  damage = database_damage(rows.error());
  return feed.rows(database, select(std::string(kByRows)), parameters, take);
}

std::string digits(std::optional<std::int64_t> time) { return time && *time > 0 ? std::to_string(*time) : ""; }

void take_row(std::span<const FeedValue> row, SessionRow& session) {
  session.found = true;
  SessionFacts& facts = session.facts;
  facts.project = text_at(row, 0);
  facts.title = text_at(row, 1);
  facts.created_at = digits(integer_at(row, 2));
  facts.updated_at = digits(integer_at(row, 3));
  if (!text_at(row, 4).empty()) facts.parent = Parent{std::string(text_at(row, 4)), ParentKind::subagent, {}};
  facts.archived = integer_at(row, 7).has_value();
  facts.model = text_of(JsonView(text_at(row, 10)).find("id"));
  const auto [message, part] = pick<2>(JsonView(text_at(row, 8)), {"messageID", "partID"});
  session.reverted_from = text_of(message);
  session.reverted_after = part.kind() == JsonKind::string;

  JsonWriter json;
  json.begin_object();
  const std::pair<std::string_view, std::size_t> kept[] = {
      {"version", 5}, {"project_id", 6}, {"agent", 9}, {"slug", 11}};
  for (const auto& [name, column] : kept) {
    if (!text_at(row, column).empty()) json.key(name).string(text_at(row, column));
  }
  json.end_object();
  if (json.text() != "{}") facts.metadata = json.take();
}

// "… (fork #3)" was made from "… (fork #2)", and "… (fork #1)" from "…".
std::string title_of_origin(const std::string& title) {
  const std::size_t at = title.rfind(kForkMark);
  const std::string base = title.substr(0, at);
  const int number = std::atoi(title.c_str() + at + kForkMark.size());
  return number > 1 ? base + std::string(kForkMark) + std::to_string(number - 1) + ")" : base;
}

// A fork does not record its parent; the copied messages show it. Of several sessions
// with the same first message, prefers the one that shares most, then the one with the
// right title, then the newest.
Result<void> infer_fork(Feed& feed, const Place& database, const std::string& id, std::string& damage,
                        SessionFacts& facts) {
  if (facts.parent || facts.title.rfind(kForkMark) == std::string::npos) return {};
  const std::string wanted = title_of_origin(facts.title);
  std::tuple<std::int64_t, bool, std::int64_t> best{0, false, 0};
  const std::string parameters[] = {id, id, id, id};
  return read_past_indexes(feed, database, select_twins, parameters, damage, [&](std::span<const FeedValue> row) {
    if (integer_at(row, 2).value_or(0) == 0) return true;  // another first message
    const std::tuple rank{integer_at(row, 1).value_or(0), text_at(row, 3) == wanted, integer_at(row, 4).value_or(0)};
    if (rank > best) {
      best = rank;
      facts.parent = Parent{std::string(text_at(row, 0)), ParentKind::fork, {}};
    }
    return true;
  });
}

}  // namespace

SessionRow session_row_of(JsonView row) {
  std::array<std::string, kColumns.size()> texts;
  std::array<FeedValue, kColumns.size()> values;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const JsonView value = row.find(kColumns[i]);
    if (value.kind() == JsonKind::string) {
      texts[i] = text_of(value);
      values[i] = std::string_view(texts[i]);
    } else if (const auto number = value.as_int64()) {
      values[i] = *number;
    }
  }
  SessionRow session;
  take_row(values, session);
  return session;
}

Result<SessionRow> read_session_row(Feed& feed, const Place& database, const std::string& id) {
  SessionRow session;
  const std::string parameters[] = {id};
  const auto take = [&](std::span<const FeedValue> row) {
    take_row(row, session);
    return false;
  };
  auto rows = feed.rows(database, kRow, parameters, take);
  if (lacks_columns(rows)) rows = feed.rows(database, row_of_any_version(), parameters, take);
  std::string damage;
  if (is_damaged(rows)) {
    damage = database_damage(rows.error());
    TableSalvager spans(feed, database);
    std::string columns;
    for (const std::string_view column : kColumns) columns.append(columns.empty() ? "" : ", ").append(column);
    rows = spans.read(columns, "session", "+id = ?", id, take);
    session.lost = !session.found && spans.missed();
    if (lacks_columns(rows)) {
      rows = {};
      session.lost = true;
    }
  }
  HOLDFAST_TRY(rows);
  // Unknown in a version without these columns.
  const auto count = [&](std::span<const FeedValue> row) {
    session.facts.subagents = integer_at(row, 0).value_or(0);
    return false;
  };
  const auto children = read_past_indexes(feed, database, select_children, parameters, damage, count);
  if (!lacks_columns(children) && !is_damaged(children)) HOLDFAST_TRY(children);
  const auto forked = infer_fork(feed, database, id, damage, session.facts);
  if (!lacks_columns(forked) && !is_damaged(forked)) HOLDFAST_TRY(forked);
  if (session.found && (is_damaged(children) || is_damaged(forked)))
    feed.complain(database, 0, "corrupt",
                  damage + (is_damaged(forked) ? "; which session this one was forked from cannot be read"
                                               : "; how many sub-agents this session had cannot be read"));
  else if (session.found)
    session.past_damage = damage;
  return session;
}

}  // namespace holdfast::inline v1::opencode
