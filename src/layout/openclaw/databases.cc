#include "layout/openclaw/databases.h"

#include <set>

#include "base/damaged_database.h"
#include "layout/row_value.h"
#include "layout/table_salvager.h"

namespace holdfast::inline v1::openclaw {
namespace {

constexpr std::string_view kAgents = "agents/";
constexpr std::string_view kDatabase = "/agent/openclaw-agent.sqlite";

// The hint has the time of the last change, so that a ref changes with its session.
constexpr std::string_view kWindows = "SELECT session_id, updated_at, transcript_updated_at FROM session_windows";
constexpr std::string_view kOldWindows = "SELECT session_id, updated_at FROM session_windows";
constexpr std::string_view kTranscripts = "SELECT session_id, max(created_at) FROM transcript_events";

std::string hint_of(std::span<const FeedValue> row) {
  std::string hint = std::to_string(integer_at(row, 1).value_or(0));
  if (const auto also = integer_at(row, 2)) (hint += '/') += std::to_string(*also);
  return hint;
}

// All windows if `id` is empty. Returns false if the caller wants no more.
Result<bool> each_window(Feed& feed, const Place& database, std::string_view id,
                         const std::function<bool(SessionRef)>& take) {
  const std::string where = id.empty() ? "" : " WHERE session_id = ?";
  const std::vector<std::string> parameters = id.empty() ? std::vector<std::string>() : std::vector{std::string(id)};
  std::set<std::string, std::less<>> known;
  bool wanted = true;
  const auto take_row = [&](std::span<const FeedValue> row) {
    const std::string_view session = text_at(row, 0);
    if (session.empty() || !known.emplace(session).second) return true;
    wanted = take({std::string(session), database, agent_of(database), hint_of(row)});
    return wanted;
  };
  auto rows = feed.rows(database, std::string(kWindows) + where, parameters, take_row);
  if (!rows && rows.error().code == Code::schema_mismatch)
    rows = feed.rows(database, std::string(kOldWindows) + where, parameters, take_row);
  const auto is_damaged = [](const Result<void>& asked) { return !asked && is_damaged_pages_error(asked.error()); };
  TableSalvager spans(feed, database);
  const std::string which = id.empty() ? "? = ''" : "+session_id = ?";
  std::string damage = is_damaged(rows) ? database_damage(rows.error()) : std::string();
  if (!damage.empty()) rows = spans.read("session_id, updated_at", "session_windows", which, std::string(id), take_row);
  HOLDFAST_TRY(rows);
  if (!wanted) return false;
  rows = feed.rows(database, std::string(kTranscripts) + where + " GROUP BY session_id", parameters, take_row);
  if (is_damaged(rows)) {
    damage = database_damage(rows.error());
    rows = spans.read("session_id, created_at", "transcript_events", which, std::string(id), take_row);
  }
  HOLDFAST_TRY(rows);
  if (!damage.empty())
    feed.complain(database, 0, "corrupt", damage + "; sessions that cannot be read at all are not listed");
  return wanted;
}

}  // namespace

std::string agent_of(const Place& database) {
  const std::string_view path = database.path;
  return std::string(path.substr(kAgents.size(), path.size() - kAgents.size() - kDatabase.size()));
}

Result<std::vector<Place>> list_databases(Feed& feed) {
  std::vector<Place> databases;
  HOLDFAST_LET(agents, feed.list({kRoot, "agents"}));
  for (const FeedEntry& agent : agents) {
    if (!agent.directory) continue;
    const Place place{kRoot, std::string(kAgents) + agent.name + std::string(kDatabase)};
    HOLDFAST_LET(there, feed.stat(place));
    if (there) databases.push_back(place);
  }
  return databases;
}

Result<void> list_windows(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(databases, list_databases(feed));
  for (const Place& database : databases) {
    HOLDFAST_LET(wanted, each_window(feed, database, {}, take));
    if (!wanted) break;
  }
  return {};
}

Result<std::optional<SessionRef>> locate_window(Feed& feed, std::string_view id) {
  std::optional<SessionRef> found;
  if (id.empty()) return found;
  HOLDFAST_LET(databases, list_databases(feed));
  for (const Place& database : databases) {
    HOLDFAST_TRY(each_window(feed, database, id, [&](SessionRef ref) {
      found = std::move(ref);
      return false;
    }));
    if (found) break;
  }
  return found;
}

}  // namespace holdfast::inline v1::openclaw
