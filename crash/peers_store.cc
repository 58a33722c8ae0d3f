#include "peers_store.h"

#include <holdfast/append_log.h>
#include <holdfast/log_reader.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#ifdef HOLDFAST_HAVE_SQLITE
#include <sqlite3.h>
#endif

#include "storm_oracle.h"
#include "storm_process.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

const Context kContext;

std::string message_text() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "abcdefghij";
  return text;
}

std::optional<std::uint64_t> message_number(const JsonView& json) {
  static const std::string text = message_text();
  const auto number = json.find("n").as_int64();
  if (!number || !json.find("text").is_string(text)) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

// One small write: whole or absent.
void say(std::uint64_t number) {
  const std::string word = std::to_string(number) + "\n";
  if (::write(1, word.data(), word.size()) != static_cast<ssize_t>(word.size())) ::_exit(3);
}

void look_at_session(const std::string& file, PeerView& view) {
  const std::string bytes = read_all(file);
  if (check_json(bytes).fault != JsonFault::none) {
    view.damaged = true;
    view.why = bytes.empty() ? "an empty file" : "not JSON";
    return;
  }
  for (const auto& each : JsonView(bytes).find("messages").elements())
    if (const auto number = message_number(each.value)) view.messages.insert(*number);
}

void look_at_lines(const std::string& file, PeerView& view) {
  const std::string bytes = read_all(file);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = std::string_view(bytes).substr(at, end - at);
    const auto number = is_json_object_line(line) ? message_number(JsonView(line)) : std::nullopt;
    if (number)
      view.messages.insert(*number);
    else if (!line.empty())
      view.damaged = true, view.why = "a line that is no message";
    at = end + 1;
  }
}

void look_at_ours(const std::string& directory, PeerView& view) {
  const auto bad = [&](const Error& error) {
    view.damaged = true;
    view.why = error.text();
  };
  auto root = Root::open(kContext, real_file_system(), directory);
  if (!root) return bad(root.error());
  if (auto log = AppendLog::open(kContext, *root, "session.jsonl"); !log) return bad(log.error());
  look_at_lines(directory + "/session.jsonl", view);  // as other programs read it
}

#ifdef HOLDFAST_HAVE_SQLITE
struct Database {
  sqlite3* handle = nullptr;
  explicit Database(const std::string& path) { sqlite3_open(path.c_str(), &handle); }
  ~Database() { sqlite3_close(handle); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  bool run(const char* sql) { return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }
  // Calls `row(statement)` for each row; false if it did not complete.
  template <typename Row>
  bool query(const char* sql, const Row& row) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) != SQLITE_OK) return false;
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) row(statement);
    sqlite3_finalize(statement);
    return step == SQLITE_DONE;
  }
};

void look_at_sqlite(const std::string& file, PeerView& view) {
  Database database(file);
  bool whole = false;
  const bool read = database.query("pragma integrity_check", [&](sqlite3_stmt* row) {
    whole = std::string_view(reinterpret_cast<const char*>(sqlite3_column_text(row, 0))) == "ok";
  });
  if (!read || !whole) view.damaged = true, view.why = "integrity_check";
  // No table yet: its writer died before the first message.
  database.query("select n, body from m", [&](sqlite3_stmt* row) {
    const auto* body = reinterpret_cast<const char*>(sqlite3_column_text(row, 1));
    if (body != nullptr && message_number(JsonView(body)))
      view.messages.insert(static_cast<std::uint64_t>(sqlite3_column_int64(row, 0)));
  });
}
#endif

}  // namespace

std::string peer_message(std::uint64_t number) {
  static const std::string text = message_text();
  return "{\"n\":" + std::to_string(number) + ",\"text\":\"" + text + "\"}";
}

std::vector<PeerName> available_peers() {
  std::vector<PeerName> all{{Peer::ours, "Holdfast AppendLog, power", true}};
  if (output_of({"node", "--version"})) {
    all.push_back({Peer::rewrite, "Node writeFile of the session", false});
    all.push_back({Peer::append, "Node appendFile a message", false});
    all.push_back({Peer::rename, "Node temporary file and rename", false});
  }
#ifdef HOLDFAST_HAVE_SQLITE
  all.push_back({Peer::sqlite_normal, "SQLite WAL, NORMAL", false});
  all.push_back({Peer::sqlite_full, "SQLite WAL, FULL", true});
#endif
  return all;
}

std::vector<std::string> peer_command(Peer peer, const std::string& program, const std::string& directory) {
  const auto script = (std::filesystem::path(__FILE__).parent_path() / "peers" / "writer.js").string();
  Job job;
  job.root = directory;
  switch (peer) {
    case Peer::rewrite: return {program, "--with-parent", "node", script, "rewrite", directory};
    case Peer::append: return {program, "--with-parent", "node", script, "append", directory};
    case Peer::rename: return {program, "--with-parent", "node", script, "rename", directory};
    case Peer::ours: job.role = "peer_ours"; break;
    case Peer::sqlite_normal: job.role = "peer_sqlite"; break;
    case Peer::sqlite_full: job.role = "peer_sqlite", job.shared = true; break;
  }
  std::vector<std::string> words{program, "--child"};
  for (auto& word : job.words()) words.push_back(std::move(word));
  return words;
}

PeerView read_peer_store(Peer peer, const std::string& directory) {
  PeerView view;
  const auto there = [&](const char* name) { return std::filesystem::exists(directory + "/" + name); };
  switch (peer) {
    case Peer::ours:
      if (there("")) look_at_ours(directory, view);
      break;
    case Peer::rewrite:
    case Peer::rename:
      if (there("session.json")) look_at_session(directory + "/session.json", view);
      break;
    case Peer::append:
      if (there("session.jsonl")) look_at_lines(directory + "/session.jsonl", view);
      break;
    case Peer::sqlite_normal:
    case Peer::sqlite_full:
#ifdef HOLDFAST_HAVE_SQLITE
      if (there("session.db")) look_at_sqlite(directory + "/session.db", view);
#endif
      break;
  }
  return view;
}

int role_peer_ours(const Job& job) {
  RootOptions options;
  options.create = true;
  auto root = Root::open(kContext, real_file_system(), job.root, options);
  if (!root) return 1;
  auto log = AppendLog::open(kContext, *root, "session.jsonl");
  if (!log) return 1;
  const auto tail = read_last(kContext, (*root)->directory(), "session.jsonl", 1);
  std::uint64_t number = 0;
  if (tail && !tail->records.empty()) number = message_number(JsonView(tail->records[0].bytes)).value_or(0) + 1;
  for (;; ++number) {
    if (!(*log)->append(kContext, peer_message(number), Durability::power)) return 1;
    say(number);
  }
}

int role_peer_sqlite([[maybe_unused]] const Job& job) {
#ifdef HOLDFAST_HAVE_SQLITE
  ::mkdir(job.root.c_str(), 0700);
  Database database(job.root + "/session.db");
  if (!database.run("pragma journal_mode=wal") ||
      !database.run(job.shared ? "pragma synchronous=full" : "pragma synchronous=normal") ||
      !database.run("create table if not exists m(n integer primary key, body text)"))
    return 1;
  std::uint64_t number = 0;
  database.query("select coalesce(max(n) + 1, 0) from m",
                 [&](sqlite3_stmt* row) { number = static_cast<std::uint64_t>(sqlite3_column_int64(row, 0)); });
  for (;; ++number) {
    const std::string sql = "insert into m values(" + std::to_string(number) + ",'" + peer_message(number) + "')";
    if (!database.run(sql.c_str())) return 1;
    say(number);
  }
#else
  return 2;
#endif
}

}  // namespace holdfast::lab
