#include "layout/opencode/opencode_layout.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/damaged_database.h"
#include "layout/new_sessions.h"
#include "layout/opencode/message_row.h"
#include "layout/opencode/rows_file.h"
#include "layout/opencode/session_row.h"
#include "layout/opencode/surviving_rows.h"
#include "layout/row_value.h"
#include "layout/spilled.h"
#include "layout/table_salvager.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1::opencode {
namespace {

constexpr char kRoot[] = "data";

constexpr std::string_view kSessions = "SELECT id, project_id, time_updated FROM session";
// Sessions of which only messages are left.
constexpr std::string_view kWithoutRow =
    "SELECT session_id, '', max(time_created) FROM message WHERE session_id NOT IN (SELECT id FROM session) "
    "GROUP BY session_id";
// Reads messages and parts in one statement, so that both are from the same state of the database. The parts of a
// message whose row is gone have the time of the first of them. There is no WITH: a feed refuses its names as it
// refuses views.
constexpr std::string_view kMessages =
    "SELECT m.time_created AS at, m.id AS message, '' AS part, m.data FROM message m WHERE m.session_id = ?1 "
    "UNION ALL SELECT m.time_created, m.id, p.id, p.data FROM part p JOIN message m ON m.id = p.message_id "
    "WHERE m.session_id = ?1 "
    "UNION ALL SELECT (SELECT min(q.time_created) FROM part q WHERE q.message_id = p.message_id "
    "AND +q.session_id = ?1), message_id, id, data FROM part p WHERE session_id = ?1 "
    "AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id = p.message_id) ORDER BY 1, 2, 3";

// Each channel of opencode has a database of its own: opencode.db, opencode-CHANNEL.db.
bool is_database(const FeedEntry& entry) {
  return !entry.directory &&
         (entry.name == "opencode.db" || (entry.name.starts_with("opencode-") && entry.name.ends_with(".db")));
}

Pending pending_of(RowEnd end) {
  switch (end) {
    case RowEnd::wants_answer:
    case RowEnd::answering: return Pending::answer;
    case RowEnd::running_tool: return Pending::tool;
    case RowEnd::done: break;
  }
  return Pending::none;
}

// Reports the rows of one session, one message behind the rows.
class Teller {
 public:
  Teller(Feed& feed, const Place& place, const SessionRow& session, const Layout::ReadOptions& options, Events& events)
      : feed_(feed), place_(place), session_(session), options_(options), events_(events) {}

  bool take(std::span<const FeedValue> row) {
    look_at(row);
    const std::string_view message = text_at(row, 1), part = text_at(row, 2), data = text_at(row, 3);
    if (part.empty() || message != row_.id) {
      if (!tell()) return false;
      const auto created = integer_at(row, 0);
      row_ = {std::string(message), created ? std::to_string(*created) : "", std::string(part.empty() ? data : ""), {}};
      if (!part.empty())
        feed_.complain(place_, 0, "corrupt",
                       "the row of the message " + row_.id + " is gone; its parts are shown as a message");
    }
    if (!part.empty()) row_.parts.push_back({std::string(part), std::string(data)});
    return true;
  }

  // Reports the message that waits. Returns false if the caller wants no more.
  bool tell() {
    if (row_.id.empty()) return true;
    Told told = convert_row(row_, options_.raw);
    end_ = told.end;
    const bool here = row_.id == session_.reverted_from;
    if (here && !session_.reverted_after) reverted_ = true;
    for (Message& message : told.messages) {
      message.abandoned = reverted_;
      if (options_.whole) read_back(message);
      if (!events_.report(std::move(message))) return false;
    }
    if (here) reverted_ = true;
    row_ = {};
    return true;
  }

  RowEnd end() const { return end_; }

  // From now on, rows are what is left of a damaged database.
  void take_left() { left_ = true; }

 private:
  // Reports a row that rescue counts as lost.
  void look_at(std::span<const FeedValue> row) {
    const std::string_view part = text_at(row, 2), data = text_at(row, 3);
    const std::string_view fault = row_fault(data);
    if (fault.empty()) return;
    if (data.empty() && part.empty() && left_) return;  // a lost message, already counted
    const std::string name =
        part.empty() ? "the message " + std::string(text_at(row, 1)) : "the part " + std::string(part);
    feed_.complain(place_, 0, fault,
                   fault == "bad_utf8" ? name + " has bytes that are not UTF-8; it is shown"
                                       : name + " is not a JSON object; it is shown as it is");
  }

  void read_back(Message& message) {
    for (Block& block : message.blocks) {
      if (block.spilled.empty()) continue;
      const auto there = feed_.stat({kRoot, block.spilled});  // opencode deletes old outputs itself
      if (there && !*there) continue;
      read_spilled(feed_, {kRoot, ""}, block.spilled, block);
    }
  }

  Feed& feed_;
  const Place& place_;
  const SessionRow& session_;
  const Layout::ReadOptions& options_;
  Events& events_;
  MessageRow row_;
  RowEnd end_ = RowEnd::done;
  bool reverted_ = false;
  bool left_ = false;
};

class OpencodeLayout final : public Layout {
 public:
  std::string_view name() const override { return "opencode"; }
  std::string_view agent() const override { return "opencode"; }

  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the directory with opencode.db", true}}};
    return kRoots;
  }

  const SessionRescue* rescue() const override { return &opencode::rescue(); }
  const AgentHome* home() const override { return &opencode::home(); }
  std::span<const ToolName> tool_names() const override { return opencode::tool_names(); }
  const NewSessions* new_sessions() const override { return &opencode::new_sessions(); }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(top, feed.list({kRoot, ""}));
    return std::ranges::any_of(top, [](const FeedEntry& entry) {
      return is_database(entry) || (entry.directory && entry.name.ends_with(kRowsFolder));
    });
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(top, feed.list({kRoot, ""}));
    bool wanted = true;
    for (const FeedEntry& entry : top) {
      if (!wanted || !is_database(entry)) continue;
      const Place database{kRoot, entry.name};
      std::set<std::string, std::less<>> known;
      const auto take_row = [&](std::span<const FeedValue> row) {
        if (text_at(row, 0).empty() || !known.emplace(text_at(row, 0)).second) return true;
        // The hint has the time of the last change, so that a ref changes with its session.
        wanted = take({std::string(text_at(row, 0)), database, std::string(text_at(row, 1)),
                       std::to_string(integer_at(row, 2).value_or(0))});
        return wanted;
      };
      const auto found = feed.rows(database, kSessions, {}, take_row);
      if (!found && is_damaged_pages_error(found.error())) {
        HOLDFAST_TRY(find_left(feed, database, database_damage(found.error()), take_row));
      } else {
        HOLDFAST_TRY(found);
        if (known.empty()) HOLDFAST_TRY(check_tables(feed, database, kTables));
        if (wanted) HOLDFAST_TRY(find_without_row(feed, database, take_row));
      }
    }
    if (wanted) HOLDFAST_TRY(list_rows_files(feed, take));
    return {};
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    if (is_rows_file(ref.place)) return read_file(feed, ref, options, events);
    HOLDFAST_LET(session, read_session_row(feed, ref.place, ref.id));
    const bool gone = !session.found && !session.lost;
    if (session.lost)
      feed.complain(ref.place, 0, "corrupt", "the row of this session cannot be read; its title and project are lost");
    if (!gone) events.facts(session.facts);
    Teller teller(feed, ref.place, session, options, events);
    bool wanted = true, any = false;
    const auto take = [&](std::span<const FeedValue> row) {
      if (gone && !any) {
        feed.complain(ref.place, 0, "lost_session", "the row of this session is gone; its title and project are lost");
        events.facts(session.facts);
      }
      any = true;
      wanted = teller.take(row);
      return wanted;
    };
    const std::string parameters[] = {ref.id};
    const auto rows = feed.rows(ref.place, kMessages, parameters, take);
    if (!rows && is_damaged_pages_error(rows.error())) {
      teller.take_left();
      HOLDFAST_TRY(read_surviving_rows(feed, ref.place, ref.id, database_damage(rows.error()), take));
    } else {
      HOLDFAST_TRY(rows);
      if (!any && !gone) HOLDFAST_TRY(check_tables(feed, ref.place, kTables));
      if (!session.past_damage.empty())
        feed.complain(ref.place, 0, "corrupt", lost_rows_message(session.past_damage, 0));
    }
    wanted = wanted && teller.tell();
    if (!wanted || (gone && !any)) return {};
    SessionFacts facts;
    facts.pending = pending_of(teller.end());
    events.facts(facts);
    return {};
  }

  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override {
    if (is_rows_file(ref.place)) return false;
    HOLDFAST_LET(session, read_session_row(feed, ref.place, ref.id));
    events.facts(session.facts);
    return true;
  }

 private:
  // Sessions of a damaged database: those whose row is readable, then those that only a message names. `take` ignores
  // what it knows, and returns false if no more are wanted.
  static Result<void> find_left(Feed& feed, const Place& database, const std::string& damage,
                                const Feed::TakeRow& take) {
    TableSalvager spans(feed, database);
    bool wanted = true;
    const auto take_on = [&](std::span<const FeedValue> row) { return wanted = take(row); };
    HOLDFAST_TRY(spans.read("id, project_id, time_updated", "session", "? = ''", "", take_on));
    if (wanted) HOLDFAST_TRY(spans.read("session_id", "message", "? = ''", "", take_on));
    feed.complain(database, 0, "corrupt", damage + "; sessions that cannot be read at all are not listed");
    return {};
  }

  // Sessions that only messages name. `take` as above.
  static Result<void> find_without_row(Feed& feed, const Place& database, const Feed::TakeRow& take) {
    auto found = feed.rows(database, kWithoutRow, {}, take);
    if (!found && is_damaged_pages_error(found.error()))
      found = TableSalvager(feed, database).read("session_id", "message", "? = ''", "", take);
    // Reading its sessions reports the damage, or that this is another version.
    const bool reported =
        !found && (found.error().code == Code::schema_mismatch || is_damaged_pages_error(found.error()));
    return reported ? Result<void>() : found;
  }

  static Result<void> read_file(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) {
    std::optional<SessionRow> session;
    std::optional<Teller> teller;
    bool wanted = true;
    const auto begin = [&](const SessionRow& row) {
      if (session) return;
      session = row;
      events.facts(session->facts);
      teller.emplace(feed, ref.place, *session, options, events);
      teller->take_left();  // the file may hold parts of messages that were lost when it was written
    };
    HOLDFAST_TRY(read_rows_file(feed, ref.place, begin, [&](std::span<const FeedValue> row) {
      wanted = teller->take(row);
      return wanted;
    }));
    if (!teller || !wanted || !teller->tell()) return {};
    SessionFacts facts;
    facts.pending = pending_of(teller->end());
    events.facts(facts);
    return {};
  }
};

}  // namespace
}  // namespace holdfast::inline v1::opencode

namespace holdfast::inline v1 {

const Layout& opencode_layout() {
  static const opencode::OpencodeLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
