#include "layout/openclaw/window.h"

#include <utility>

#include "layout/openclaw/databases.h"
#include "layout/row_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::openclaw {
namespace {

// The columns of both tables, and those that every version has.
constexpr std::string_view kWindow =
    "SELECT w.session_key, w.previous_session_id, w.reason, coalesce(w.started_at, w.created_at), w.updated_at, "
    "coalesce(w.status, n.status), w.model, coalesce(w.spawned_by, n.spawned_by), "
    "coalesce(n.label, n.display_name, w.display_name), n.archived_at, "
    "n.fork_source_session_id, n.fork_source_entry_id, n.current_session_id, w.channel "
    "FROM session_windows w LEFT JOIN session_nodes n ON n.session_key = w.session_key WHERE w.session_id = ?";
constexpr std::string_view kOldWindow =
    "SELECT session_key, NULL, NULL, created_at, updated_at FROM session_windows WHERE session_id = ?";
constexpr std::string_view kCurrent = "SELECT current_session_id FROM session_nodes WHERE session_key = ?";
constexpr std::string_view kChildren = "SELECT count(*) FROM session_nodes WHERE spawned_by = ? AND session_key <> ?";
constexpr std::string_view kLeaf =
    "SELECT s.leaf_event_id FROM session_transcript_index_state s WHERE s.session_id = ? AND s.needs_rebuild = 0 AND "
    "s.indexed_seq = (SELECT max(seq) FROM transcript_events WHERE session_id = s.session_id)";

struct WindowRow {
  std::string key, previous, reason, spawned_by, fork, fork_entry, current;
};

std::string digits(std::optional<std::int64_t> time) { return time && *time > 0 ? std::to_string(*time) : ""; }

std::optional<Status> status_in(std::string_view word) {
  if (word == "done") return Status::complete;
  if (word == "failed" || word == "timeout") return Status::failed;
  if (word == "killed") return Status::stopped;
  return std::nullopt;  // "running" remains when the process dies: the messages show it
}

WindowRow take_row(std::span<const FeedValue> row, const Place& database, SessionFacts& facts) {
  const auto text = [&](std::size_t column) { return std::string(text_at(row, column)); };
  facts.created_at = digits(integer_at(row, 3));
  facts.updated_at = digits(integer_at(row, 4));
  facts.status = status_in(text_at(row, 5));
  facts.model = text(6);
  facts.title = text(8);
  facts.archived = integer_at(row, 9).has_value();

  JsonWriter json;
  json.begin_object();
  json.key("agent").string(agent_of(database));
  const std::pair<std::string_view, std::size_t> kept[] = {{"session_key", 0}, {"reason", 2}, {"channel", 13}};
  for (const auto& [name, column] : kept) {
    if (!text_at(row, column).empty()) json.key(name).string(text_at(row, column));
  }
  json.end_object();
  facts.metadata = json.take();
  return {text(0), text(1), text(2), text(7), text(10), text(11), text(12)};
}

// The parent of a window. A reset starts over, with nothing from the window before.
std::optional<Parent> parent_in(const WindowRow& row) {
  if (!row.fork.empty() && row.previous.empty()) return Parent{row.fork, ParentKind::fork, row.fork_entry};
  if (row.previous.empty()) return std::nullopt;
  if (row.reason == "fork" || row.reason == "rewind") return Parent{row.previous, ParentKind::fork, {}};
  if (row.reason == "rollover" || row.reason == "compaction" || row.reason == "recovery" || row.reason == "switch")
    return Parent{row.previous, ParentKind::resume, {}};
  return std::nullopt;
}

// The first text of the first row.
Result<std::string> one_text(Feed& feed, const Place& database, std::string_view select, const std::string& parameter) {
  std::string text;
  const std::string parameters[] = {parameter};
  HOLDFAST_TRY(feed.rows(database, select, parameters, [&](std::span<const FeedValue> row) {
    text = text_at(row, 0);
    return false;
  }));
  return text;
}

// A conversation that another one started is a sub-agent of that one's current session.
Result<void> find_starter(Feed& feed, const Place& database, const WindowRow& row, SessionFacts& facts) {
  if (row.spawned_by.empty() || row.spawned_by == row.key) return {};
  // "agent:NAME:…" may be an agent with a database of its own.
  HOLDFAST_LET(databases, list_databases(feed));
  databases.insert(databases.begin(), database);
  for (const Place& place : databases) {
    HOLDFAST_LET(session, one_text(feed, place, kCurrent, row.spawned_by));
    if (session.empty()) continue;
    facts.parent = Parent{session, ParentKind::subagent, {}};
    break;
  }
  return {};
}

Result<std::int64_t> count_children(Feed& feed, const std::string& key) {
  std::int64_t children = 0;
  const std::string parameters[] = {key, key};
  HOLDFAST_LET(databases, list_databases(feed));
  for (const Place& place : databases) {
    auto rows = feed.rows(place, kChildren, parameters, [&](std::span<const FeedValue> row) {
      children += integer_at(row, 0).value_or(0);
      return false;
    });
    if (!rows && rows.error().code != Code::schema_mismatch) return fail(std::move(rows).error());
  }
  return children;
}

}  // namespace

Result<SessionWindow> read_window(Feed& feed, const Place& database, const std::string& id) {
  SessionWindow window;
  SessionFacts& facts = window.facts;
  WindowRow row;
  const std::string parameters[] = {id};
  const auto take = [&](std::span<const FeedValue> values) {
    row = take_row(values, database, facts);
    return false;
  };
  auto rows = feed.rows(database, kWindow, parameters, take);
  const bool older = rows ? row.key.empty() : rows.error().code == Code::schema_mismatch;  // or without nodes
  if (older) rows = feed.rows(database, kOldWindow, parameters, take);
  HOLDFAST_TRY(rows);
  facts.parent = parent_in(row);
  HOLDFAST_TRY(find_starter(feed, database, row, facts));
  if (!row.key.empty() && row.current == id) {
    HOLDFAST_LET(children, count_children(feed, row.key));
    facts.subagents = children;
  }
  auto leaf = one_text(feed, database, kLeaf, id);
  if (!leaf && leaf.error().code != Code::schema_mismatch) return fail(std::move(leaf).error());
  if (leaf) window.leaf = std::move(*leaf);
  return window;
}

}  // namespace holdfast::inline v1::openclaw
