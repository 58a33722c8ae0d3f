#include "layout/opencode/rows_file.h"

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/damaged_database.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "layout/json_pick.h"
#include "layout/opencode/belongings.h"
#include "layout/opencode/import_document.h"
#include "layout/opencode/lost_messages.h"
#include "layout/opencode/surviving_rows.h"
#include "layout/row_value.h"
#include "layout/table_salvager.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

using Columns = std::span<const std::string_view>;

// Never includes accounts, credentials, permissions of projects, or how a session is shared.
constexpr auto kSession = std::to_array<std::string_view>({"id",
                                                           "project_id",
                                                           "workspace_id",
                                                           "parent_id",
                                                           "slug",
                                                           "directory",
                                                           "path",
                                                           "title",
                                                           "version",
                                                           "summary_additions",
                                                           "summary_deletions",
                                                           "summary_files",
                                                           "summary_diffs",
                                                           "metadata",
                                                           "cost",
                                                           "tokens_input",
                                                           "tokens_output",
                                                           "tokens_reasoning",
                                                           "tokens_cache_read",
                                                           "tokens_cache_write",
                                                           "revert",
                                                           "permission",
                                                           "agent",
                                                           "model",
                                                           "time_created",
                                                           "time_updated",
                                                           "time_compacting",
                                                           "time_archived"});
constexpr auto kProject = std::to_array<std::string_view>(
    {"id", "worktree", "vcs", "name", "time_created", "time_updated", "time_initialized", "sandboxes"});
constexpr auto kMessage = std::to_array<std::string_view>({"id", "session_id", "time_created", "time_updated", "data"});
constexpr auto kPart =
    std::to_array<std::string_view>({"id", "message_id", "session_id", "time_created", "time_updated", "data"});
constexpr auto kTodo = std::to_array<std::string_view>(
    {"session_id", "content", "status", "priority", "position", "time_created", "time_updated"});
constexpr auto kMigration = std::to_array<std::string_view>({"id"});

// Reads messages and parts in one statement, so that both are from the same state of the database. The parts of a
// message whose row is gone have the time of the first of them.
constexpr std::string_view kMessages =
    "SELECT m.time_created, m.id, '', m.session_id, m.time_created, m.time_updated, m.data FROM message m "
    "WHERE m.session_id = ?1 UNION ALL SELECT m.time_created, m.id, p.id, p.session_id, p.time_created, "
    "p.time_updated, p.data FROM part p JOIN message m ON m.id = p.message_id WHERE m.session_id = ?1 "
    "UNION ALL SELECT (SELECT min(q.time_created) FROM part q WHERE q.message_id = p.message_id "
    "AND +q.session_id = ?1), p.message_id, p.id, p.session_id, p.time_created, p.time_updated, p.data FROM part p "
    "WHERE p.session_id = ?1 AND NOT EXISTS (SELECT 1 FROM message m WHERE m.id = p.message_id) ORDER BY 1, 2, 3";
constexpr std::string_view kMark =
    "SELECT (SELECT count(*) || '/' || max(time_updated) FROM message WHERE session_id = ?1), "
    "(SELECT count(*) || '/' || max(time_updated) FROM part WHERE session_id = ?1), "
    "(SELECT count(*) || '/' || max(time_updated) FROM todo WHERE session_id = ?1), "
    "(SELECT count(*) || '/' FROM session WHERE parent_id = ?1)";
constexpr std::string_view kOutputs = "SELECT data FROM part WHERE session_id = ? AND data LIKE '%outputPath%'";

void write_value(JsonWriter& json, const FeedValue& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    json.int64(*number);
  } else if (const auto* const real = std::get_if<double>(&value)) {
    json.number(*real);
  } else if (const auto* const text = std::get_if<std::string_view>(&value)) {
    if (is_utf8(*text)) {
      json.string(*text);
      return;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char byte : *text) {
      hex += kDigits[static_cast<unsigned char>(byte) >> 4];
      hex += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    json.begin_object().key("hex").string(hex).end_object();
  } else {
    json.null();
  }
}

std::string line_of(std::string_view table, Columns columns, std::span<const FeedValue> row) {
  JsonWriter json;
  json.begin_object().key("table").string(table).key("row").begin_object();
  for (std::size_t i = 0; i < columns.size() && i < row.size(); ++i) {
    json.key(columns[i]);
    write_value(json, row[i]);
  }
  return json.end_object().end_object().take() + "\n";
}

// For versions that may lack some columns: a name that the table does not have resolves to the outer NULL.
std::string select_any(std::string_view table, Columns columns, std::string_view where) {
  std::string wanted, missing;
  for (const std::string_view column : columns) {
    const std::string_view comma = wanted.empty() ? "" : ", ";
    wanted.append(comma).append("(SELECT ").append(column).append(" FROM ").append(table).append(" WHERE ");
    wanted.append(where).append(")");
    missing.append(comma).append("NULL AS ").append(column);
  }
  return "SELECT " + wanted + " FROM (SELECT " + missing + ") WHERE EXISTS (SELECT 1 FROM " + std::string(table) +
         " WHERE " + std::string(where) + ")";
}

class Spelling {
 public:
  Spelling(Feed& feed, const SessionRef& ref, const SerializedRows::TakeBytes& take)
      : feed_(feed), ref_(ref), take_(take) {}

  Result<void> run() {
    HOLDFAST_TRY(or_left(rows("session", kSession, select_any("session", kSession, "id = ?1")),
                         [&] { return left("session", kSession, "+id = ?", ref_.id); }));
    // Other rows are left out if they cannot be read.
    HOLDFAST_TRY(or_left(rows("project", kProject,
                              select_any("project", kProject, "id = (SELECT project_id FROM session WHERE id = ?1)")),
                         [&] { return left("project", kProject, "+id = ?", ref_.project); }));
    HOLDFAST_TRY(or_left(rows("migration", kMigration, "SELECT max(id) FROM migration WHERE ?1 <> ''"), nothing));
    auto asked = messages();
    if (!asked && is_damaged_pages_error(asked.error())) asked = left_messages(database_damage(asked.error()));
    HOLDFAST_TRY(asked);
    return or_left(
        rows("todo", kTodo,
             "SELECT session_id, content, status, priority, position, time_created, time_updated FROM todo WHERE "
             "session_id = ?1 ORDER BY position"),
        [&] { return left("todo", kTodo, "+session_id = ?", ref_.id); });
  }

 private:
  static Result<void> nothing() { return {}; }

  // If pages of the database are damaged, reads what is left of the table.
  static Result<void> or_left(Result<void> asked, const std::function<Result<void>()>& left) {
    return !asked && is_damaged_pages_error(asked.error()) ? left() : asked;
  }

  // A version without these columns has none of them.
  Result<void> rows(std::string_view table, Columns columns, const std::string& select) {
    auto asked = ask(select, [&](std::span<const FeedValue> row) { return line_of(table, columns, row); });
    return !asked && asked.error().code == Code::schema_mismatch ? Result<void>() : asked;
  }

  Result<void> messages() {
    HOLDFAST_TRY(ask(std::string(kMessages), [&](std::span<const FeedValue> row) {
      std::string line = text_at(row, 2).empty() ? message_line(row) : part_line(row);
      told_.insert(xxh3_64(line, 0));
      return line;
    }));
    return told_.empty() ? check_tables(feed_, ref_.place, kTables) : Result<void>();
  }

  // time of the message, message, part, then the columns that both tables have.
  static std::string message_line(std::span<const FeedValue> row) {
    const FeedValue values[] = {row[1], row[3], row[4], row[5], row[6]};
    return line_of("message", kMessage, values);
  }
  static std::string part_line(std::span<const FeedValue> row) {
    const FeedValue values[] = {row[2], row[1], row[3], row[4], row[5], row[6]};
    return line_of("part", kPart, values);
  }

  // Rows of a table by their numbers, with the columns that this version has.
  Result<void> left(std::string_view table, Columns columns, const std::string& which, const std::string& value) {
    TableSalvager spans(feed_, ref_.place);
    std::set<std::int64_t> numbers;
    const auto found = spans.read("rowid", std::string(table), which, value, [&](std::span<const FeedValue> row) {
      numbers.insert(integer_at(row, 0).value_or(0));
      return true;
    });
    if (!found && found.error().code != Code::schema_mismatch && !is_damaged_pages_error(found.error())) return found;
    bool all = found && !spans.missed(), any = false;
    const std::string select = select_any(std::string(table) + " NOT INDEXED", columns, "rowid = CAST(?1 AS INTEGER)");
    for (const std::int64_t number : numbers) {
      const auto line = [&](std::span<const FeedValue> row) { return line_of(table, columns, row); };
      const auto read = ask(select, line, std::to_string(number));
      if (!read && !is_damaged_pages_error(read.error())) return read;
      if (!read) all = false;
      if (read) any = true;
    }
    if (table == "session" && !any && !all)
      feed_.complain(ref_.place, 0, "corrupt",
                     "the row of this session cannot be read; its title and project are lost");
    return {};
  }

  // In the order of messages(), without the rows that it still reported; a part of a lost message follows no message.
  Result<void> left_messages(const std::string& damage) {
    TableSalvager spans(feed_, ref_.place);
    using Key = std::tuple<std::int64_t, std::string, std::string>;
    std::map<Key, std::string> lines;
    std::map<std::string, std::int64_t, std::less<>> times;  // of the messages
    HOLDFAST_TRY(spans.read("time_created, id, '', session_id, time_created, time_updated, data", "message",
                            "+session_id = ?", ref_.id, [&](std::span<const FeedValue> row) {
                              const std::int64_t at = integer_at(row, 0).value_or(0);
                              const std::string id(text_at(row, 1));
                              times[id] = at;
                              lines[{at, id, ""}] = message_line(row);
                              return true;
                            }));
    HOLDFAST_TRY(spans.read("time_created, message_id, id, session_id, time_created, time_updated, data", "part",
                            "+session_id = ?", ref_.id, [&](std::span<const FeedValue> row) {
                              const std::string message(text_at(row, 1));
                              const auto of = times.find(message);
                              const std::int64_t at = of == times.end() ? integer_at(row, 0).value_or(0) : of->second;
                              lines[{at, message, std::string(text_at(row, 2))}] = part_line(row);
                              return true;
                            }));
    const auto lost = lost_rows(feed_, ref_.place, ref_.id, lines.size(), spans.missed());
    feed_.complain(ref_.place, 0, "corrupt", lost_rows_message(damage, lost));
    for (const auto& [key, line] : lines)
      if (!told_.contains(xxh3_64(line, 0))) HOLDFAST_TRY(take_(line));
    return {};
  }

  Result<void> ask(const std::string& select, const std::function<std::string(std::span<const FeedValue>)>& line) {
    return ask(select, line, ref_.id);
  }
  Result<void> ask(const std::string& select, const std::function<std::string(std::span<const FeedValue>)>& line,
                   const std::string& value) {
    Result<void> taken;
    const std::string parameters[] = {value};
    const auto asked = feed_.rows(ref_.place, select, parameters, [&](std::span<const FeedValue> row) {
      taken = take_(line(row));
      return taken.has_value();
    });
    return asked ? taken : asked;
  }

  Feed& feed_;
  const SessionRef& ref_;
  const SerializedRows::TakeBytes& take_;
  std::set<std::uint64_t> told_ = {};  // hashes of the message lines already written
};

class OpencodeRows final : public SerializedRows {
 public:
  std::optional<Place> place(const SessionRef& ref) const override {
    if (is_rows_file(ref.place)) return std::nullopt;
    return Place{ref.place.root, ref.place.path + std::string(kRowsFolder) + "/" + ref.id + std::string(kRowsEnd)};
  }

  Result<std::string> mark(Feed& feed, const SessionRef& ref) const override {
    std::string mark = ref.hint;
    const std::string parameters[] = {ref.id};
    const auto asked = feed.rows(ref.place, kMark, parameters, [&](std::span<const FeedValue> row) {
      for (const std::size_t column : {0U, 1U, 2U, 3U}) (mark += ' ') += text_at(row, column);
      return false;
    });
    // A version whose rows have no times, or a damaged database: always treated as changed.
    if (!asked && (asked.error().code == Code::schema_mismatch || is_damaged_pages_error(asked.error())))
      return std::string();
    HOLDFAST_TRY(asked);
    return mark;
  }

  Result<void> spell(Feed& feed, const SessionRef& ref, const TakeBytes& take) const override {
    return Spelling(feed, ref, take).run();
  }

  Result<std::vector<Place>> files(Feed& feed, const SessionRef& ref) const override {
    std::vector<Place> outputs;
    const std::string parameters[] = {ref.id};
    const auto take = [&](std::span<const FeedValue> row) {
      const std::string path = text_of(JsonView(text_at(row, 0)).find("state").find("metadata").find("outputPath"));
      const std::string name = path.substr(path.rfind('/') + 1);
      if (name.starts_with("tool_")) outputs.push_back({ref.place.root, "tool-output/" + name});
      return true;
    };
    auto asked = feed.rows(ref.place, kOutputs, parameters, take);
    if (!asked && is_damaged_pages_error(asked.error()))
      asked = TableSalvager(feed, ref.place)
                  .read("data", "part", "data LIKE '%outputPath%' AND +session_id = ?", ref.id, take);
    HOLDFAST_TRY(asked);
    return outputs;
  }

  std::string_view import_command() const override { return "opencode import"; }

  Result<std::string> import_form(std::string_view spelled) const override {
    SavedSession saved;
    LostMessages lost;
    std::string session;
    while (!spelled.empty()) {
      const std::size_t end = std::min(spelled.find('\n'), spelled.size());
      const std::string_view line = spelled.substr(0, end);
      spelled.remove_prefix(std::min(end + 1, spelled.size()));
      if (!check_json(line).ok()) return fail(Code::corrupt, "a row of the session is not JSON");
      const auto [table, row] = pick<2>(JsonView(line), {"table", "row"});
      const auto text = [&its = row](std::string_view name) { return text_of(its.find(name)); };
      const auto number = [&its = row](std::string_view name) { return its.find(name).as_int64().value_or(0); };
      if (table.is_string("session")) {
        session = text("id");
        const std::string slug = text("slug"), project = text("project_id"), directory = text("directory"),
                          title = text("title"), version = text("version"), parent = text("parent_id");
        saved.info = session_info({session, slug, project, directory, title, version, parent, number("time_created"),
                                   number("time_updated")});
      } else if (table.is_string("message")) {
        if (session.empty()) session = text("session_id");  // the session's row was lost
        if (!saved.add_message(session, text("id"), number("time_created"), text("data")))
          return fail(Code::corrupt, "the message " + text("id") + " is not a JSON object");
      } else if (table.is_string("part")) {
        const bool orphan = !saved.by_id.contains(text("message_id"));  // its message was lost
        if (orphan && lost.add(text("message_id"), text("id"), number("time_created"), text("data"))) continue;
        if (!saved.add_part(session, text("id"), text("message_id"), text("data")))
          return fail(Code::corrupt, "the part " + text("id") + " is not a JSON object of a message");
      }
    }
    (void)lost.restore(saved, session);
    if (saved.info.empty() && saved.messages.empty()) return fail(Code::corrupt, "the row of the session is missing");
    if (saved.info.empty()) saved.info = rebuilt_info(saved, session);
    return import_document(saved);
  }
};

}  // namespace

bool is_rows_file(const Place& place) { return place.path.ends_with(kRowsEnd); }

Result<bool> list_rows_files(Feed& feed, const Layout::TakeRef& take) {
  const std::string root = "data";
  HOLDFAST_LET(top, feed.list({root, ""}));
  for (const FeedEntry& folder : top) {
    if (!folder.directory || !folder.name.ends_with(kRowsFolder)) continue;
    HOLDFAST_LET(files, feed.list({root, folder.name}));
    for (const FeedEntry& file : files) {
      if (file.directory || !file.name.ends_with(kRowsEnd)) continue;
      if (!take(
              {file.name.substr(0, file.name.size() - kRowsEnd.size()), {root, folder.name + "/" + file.name}, {}, {}}))
        return false;
    }
  }
  return true;
}

Result<SessionRow> read_rows_file(Feed& feed, const Place& file, const std::function<void(const SessionRow&)>& begin,
                                  const Feed::TakeRow& take) {
  SessionRow session;
  std::int64_t at = 0;
  std::string last;  // the last message
  bool began = false;
  HOLDFAST_TRY(feed.records(file, {}, [&](const FeedRecord& record) {
    const auto [table, row] = pick<2>(JsonView(record.bytes), {"table", "row"});
    const bool part = table.is_string("part");
    if (table.is_string("session"))
      session = session_row_of(row);
    else if (!part && !table.is_string("message"))
      return true;
    // In a damaged database the row of the session may be lost.
    if (!std::exchange(began, true)) begin(session);
    if (table.is_string("session")) return true;
    const auto [id, message, created, data] = pick<4>(row, {"id", "message_id", "time_created", "data"});
    const std::string own = text_of(id), of = text_of(message), bytes = text_of(data);
    if (!part || of != last) at = created.as_int64().value_or(0);
    if (part && of != last) {  // its message was lost
      const FeedValue values[] = {at, std::string_view(of), std::string_view(), std::string_view()};
      if (!take(values)) return false;
    }
    last = part ? of : own;
    const FeedValue values[] = {at, std::string_view(part ? of : own),
                                std::string_view(part ? own : std::string_view()), std::string_view(bytes)};
    return take(values);
  }));
  return session;
}

const SerializedRows& serialized_rows() {
  static const OpencodeRows rows;
  return rows;
}

}  // namespace holdfast::inline v1::opencode
