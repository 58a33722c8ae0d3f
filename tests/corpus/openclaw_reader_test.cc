// openclaw: conversations of several windows, packed events and archives.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <zstd.h>

#include <filesystem>
#include <stdexcept>

#include "layout/openclaw/openclaw_layout.h"
#include "source/rows.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr char kMain[] = "agents/main/agent/openclaw-agent.sqlite";
constexpr char kSchema[] =
    "CREATE TABLE session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT, status TEXT, spawned_by TEXT, "
    "parent_session_key TEXT, label TEXT, display_name TEXT, archived_at INTEGER, fork_source_session_id TEXT, "
    "fork_source_entry_id TEXT);"
    "CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason "
    "TEXT, "
    "created_at INTEGER, updated_at INTEGER, transcript_updated_at INTEGER, started_at INTEGER, status TEXT, channel "
    "TEXT, model TEXT, parent_session_key TEXT, spawned_by TEXT, display_name TEXT);"
    "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd "
    "BLOB);"
    "CREATE TABLE session_transcript_index_state(session_id TEXT PRIMARY KEY, indexed_seq INTEGER, leaf_event_id TEXT, "
    "needs_rebuild INTEGER);"
    "CREATE TABLE session_transcript_cold_archives(session_id TEXT PRIMARY KEY, archive_name TEXT, storage TEXT, "
    "archive_blob BLOB);"
    "CREATE TABLE auth_profile_store(store_key TEXT, store_json TEXT);";

class ClawStore {
 public:
  ClawStore() {
    std::string name = (fs::temp_directory_path() / "holdfast-claw-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ClawStore(const ClawStore&) = delete;
  ClawStore& operator=(const ClawStore&) = delete;
  ~ClawStore() { fs::remove_all(directory_); }

  void run(const std::string& sql, const std::string& path = kMain) {
    fs::create_directories((directory_ / path).parent_path());
    sqlite3* database = nullptr;
    sqlite3_open((directory_ / path).c_str(), &database);
    char* message = nullptr;
    const int result = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    sqlite3_close(database);
    if (result != SQLITE_OK) throw std::runtime_error(message);
    feed.put({"home", path}, "");
    feed.answer_rows = [this](const Place& place, std::string_view select, std::span<const std::string> parameters,
                              const Feed::TakeRow& take) {
      return read_rows((directory_ / place.path).string(), select, parameters, take);
    };
  }
  Readings read() {
    std::vector<std::string> failures;
    auto readings = read_sessions(openclaw_layout(), feed, {}, &failures);
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    return readings;
  }

  MemoryFeed feed;

 private:
  fs::path directory_;
};

std::string quoted(const std::string& text) { return "'" + text + "'"; }
std::string blob(const std::string& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  std::string hex = "x'";
  for (const char c : packed) {
    constexpr char kHex[] = "0123456789abcdef";
    hex += kHex[static_cast<unsigned char>(c) >> 4];
    hex += kHex[static_cast<unsigned char>(c) & 15];
  }
  return hex + "'";
}
std::string event(const std::string& session, int seq, const std::string& json, bool packed = false) {
  return "INSERT INTO transcript_events VALUES(" + quoted(session) + "," + std::to_string(seq) + "," +
         (packed ? "NULL" : quoted(json)) + ",1," + (packed ? blob(json) : "NULL") + ");";
}
std::string window(const std::string& id, const std::string& key, const std::string& previous = "",
                   const std::string& reason = "") {
  const auto maybe = [](const std::string& text) { return text.empty() ? std::string("NULL") : quoted(text); };
  return "INSERT INTO session_windows(session_id, session_key, previous_session_id, reason, created_at, updated_at) "
         "VALUES(" +
         quoted(id) + "," + quoted(key) + "," + maybe(previous) + "," + maybe(reason) + ",1000,2000);";
}
std::string node(const std::string& key, const std::string& current, const std::string& columns = "",
                 const std::string& values = "") {
  return "INSERT INTO session_nodes(session_key, current_session_id" + columns + ") VALUES(" + quoted(key) + "," +
         quoted(current) + values + ");";
}
constexpr char kHeader[] = R"({"type":"session","version":4,"id":"s1","cwd":"/ws"})";
std::string user(const std::string& id, const std::string& parent, const std::string& text,
                 const std::string& more = "") {
  return R"({"type":"message","id":")" + id + R"(","parentId":")" + parent +
         R"(","message":{"role":"user","content":")" + text + "\"" + more + "}}";
}
std::string answer(const std::string& id, const std::string& parent, const std::string& more) {
  return R"({"type":"message","id":")" + id + R"(","parentId":")" + parent +
         R"(","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],)" + more + "}}";
}

TEST(OpenclawReader, ReadsPackedEventsAndSpeakers) {
  ClawStore store;
  store.run(
      kSchema + window("s1", "agent:main:main") +
      node("agent:main:main", "s1", ", label, archived_at", ", 'A name', 5") + event("s1", 0, kHeader) +
      event("s1", 1, user("u1", "", "hello"), true) +
      event("s1", 2,
            answer("a1", "u1",
                   R"("model":"m","responseId":"r1","stopReason":"stop",)"
                   R"("usage":{"input":3,"output":7,"cacheRead":2,"reasoningTokens":1})")) +
      event("s1", 3, answer("a2", "a1", R"("provider":"openclaw","model":"delivery-mirror","usage":{"output":9})")) +
      event("s1", 4, user("u2", "a2", "wake up", R"(,"provenance":{"kind":"internal_system"})")) +
      event("s1", 5, user("u3", "u2", "mine", R"(,"provenance":{"kind":"external_user"})")) +
      "INSERT INTO transcript_events VALUES('s1', 6, NULL, 1, x'00');");
  EXPECT_TRUE(*openclaw_layout().recognise(store.feed));
  const auto readings = store.read();
  const Reading& reading = *readings.at("s1");
  EXPECT_EQ(script(reading), (Lines{"user typed: hello", "assistant model: ok (7)", "assistant notice: ok",
                                    "user injected: wake up", "user typed: mine"}));
  EXPECT_EQ(reading.session.usage, (Usage{.input = 3, .output = 7, .cache_read = 2, .reasoning = 1}));
  EXPECT_EQ(reading.session.counts.assistant, 1);
  EXPECT_EQ(reading.session.title, "A name");
  EXPECT_TRUE(reading.session.archived);
  EXPECT_EQ(reading.session.project, "/ws");
  EXPECT_EQ(reading.session.pending, Pending::answer);
  ASSERT_EQ(store.feed.findings.size(), 1u);
  EXPECT_EQ(store.feed.findings[0].kind, "damaged");
}

TEST(OpenclawReader, ReadsWindowsForksAndSubAgents) {
  ClawStore store;
  store.run(kSchema + node("k", "w4") + window("w1", "k", "", "initial") + window("w2", "k", "w1", "compaction") +
            window("w3", "k", "w2", "reset") + window("w4", "k", "w3", "rewind") +
            node("f", "w5", ", fork_source_session_id, fork_source_entry_id", ", 'w1', 'e9'") + window("w5", "f") +
            node("sub", "w6", ", spawned_by, status", ", 'k', 'failed'") + window("w6", "sub"));
  store.run(std::string(kSchema) + node("far", "w7", ", spawned_by", ", 'k'") + window("w7", "far"),
            "agents/other/agent/openclaw-agent.sqlite");
  const auto readings = store.read();
  ASSERT_EQ(readings.size(), 7u);
  const auto parent = [&](const char* id) { return readings.at(id)->session.parent; };
  EXPECT_FALSE(parent("w1"));
  EXPECT_EQ(parent("w2"), (Parent{"w1", ParentKind::resume, {}}));
  EXPECT_FALSE(parent("w3"));
  EXPECT_EQ(parent("w4"), (Parent{"w3", ParentKind::fork, {}}));
  EXPECT_EQ(parent("w5"), (Parent{"w1", ParentKind::fork, "e9"}));
  EXPECT_EQ(parent("w6"), (Parent{"w4", ParentKind::subagent, {}}));
  EXPECT_EQ(parent("w7"), (Parent{"w4", ParentKind::subagent, {}}));
  EXPECT_EQ(readings.at("w6")->session.status, Status::failed);
  EXPECT_EQ(readings.at("w4")->session.subagents, 2);
  EXPECT_EQ(readings.at("w3")->session.subagents, 0);
  EXPECT_EQ(readings.at("w7")->ref.project, "other");
}

TEST(OpenclawReader, ActiveBranchFollowsOpenclawsIndex) {
  ClawStore store;
  const std::string log = event("s1", 0, kHeader) + event("s1", 1, user("u1", "", "one")) +
                          event("s1", 2, user("u2", "u1", "left")) +
                          event("s1", 3, R"({"type":"leaf","id":"l1","parentId":"u2","targetId":"u1"})");
  store.run(kSchema + window("s1", "k") + log);
  EXPECT_EQ(store.read().at("s1")->leaf_id, "u1");
  store.run("INSERT INTO session_transcript_index_state VALUES('s1', 3, 'u2', 0)");
  EXPECT_EQ(store.read().at("s1")->leaf_id, "u2");
  store.run("UPDATE session_transcript_index_state SET indexed_seq = 2");  // an index that lags behind
  EXPECT_EQ(store.read().at("s1")->leaf_id, "u1");
}

TEST(OpenclawReader, ReadsArchivedTranscripts) {
  const std::string name(64, 'a');
  const std::string line = R"({"kind":"header","version":1})"
                           "\n"
                           R"({"kind":"event","row":{"seq":0,"event_json":"{\"type\":\"message\",\"id\":\"u1\",)"
                           R"(\"message\":{\"role\":\"user\",\"content\":\"old\"}}"}})"
                           "\n"
                           R"({"kind":"fts","row":{"text":"old"}})"
                           "\n";
  const auto archive = [](const std::string& session, const std::string& file, const std::string& bytes) {
    return "INSERT INTO session_transcript_cold_archives VALUES(" + quoted(session) + "," + quoted(file) + "," +
           (bytes.empty() ? "'file',NULL" : "'sqlite'," + bytes) + ");";
  };
  ClawStore store;
  store.run(kSchema + window("s1", "k") + window("s2", "k") + window("s3", "k") + window("s4", "k") +
            archive("s1", name + ".jsonl.zst", "") + archive("s2", "x", blob(line)) +
            archive("s3", "../../../secret.jsonl.zst", "") + archive("s4", std::string(64, 'b') + ".jsonl.zst", ""));
  store.feed.put({"home", "agents/main/sessions/cold/" + name + ".jsonl.zst"}, line);  // plain in memory
  store.feed.put({"home", "agents/secret.jsonl.zst"}, line);
  const auto readings = store.read();
  EXPECT_EQ(script(*readings.at("s1")), (Lines{"user typed: old"}));
  EXPECT_EQ(script(*readings.at("s2")), (Lines{"user typed: old"}));
  EXPECT_TRUE(readings.at("s3")->messages.empty());
  EXPECT_TRUE(readings.at("s4")->messages.empty());
  ASSERT_EQ(store.feed.findings.size(), 1u);
  EXPECT_EQ(store.feed.findings[0].kind, "missing");
}

// Before the database: pi's files, and a document with the current session of each conversation.
TEST(OpenclawReader, ReadsLogsOfOldVersions) {
  ClawStore store;
  const std::string folder = "agents/main/sessions/";
  store.feed.put({"home", folder + "s1.jsonl"}, std::string(kHeader) + "\n" + user("u1", "", "in the log") + "\n");
  store.feed.put({"home", folder + "s2.jsonl"},
                 R"({"type":"session","id":"s2","cwd":"/ws","parentSession":"/x/agents/main/sessions/s0.jsonl"})"
                 "\n");
  store.feed.put({"home", folder + "s3.jsonl"}, user("u1", "", "task") + "\n");
  store.feed.put({"home", folder + "s4.jsonl.deleted.2026-01-01"}, user("u1", "", "gone") + "\n");
  store.feed.put({"home", folder + "sessions.json"},
                 R"({"agent:main:main":{"sessionId":"s1","displayName":"A name"},)"
                 R"("agent:main:subagent:x":{"sessionId":"s3","spawnedBy":"agent:main:main"}})");
  EXPECT_TRUE(*openclaw_layout().recognise(store.feed));
  const auto readings = store.read();
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(script(*readings.at("s1")), (Lines{"user typed: in the log"}));
  EXPECT_EQ(readings.at("s1")->session.title, "A name");
  EXPECT_EQ(readings.at("s1")->session.subagents, 1);
  EXPECT_EQ(readings.at("s1")->session.project, "/ws");
  EXPECT_EQ(readings.at("s2")->session.parent, (Parent{"s0", ParentKind::fork, {}}));
  EXPECT_EQ(readings.at("s3")->session.parent, (Parent{"s1", ParentKind::subagent, {}}));
  EXPECT_EQ((*openclaw_layout().locate(store.feed, "s3"))->place.path, folder + "s3.jsonl");
  // A session that moved into the database is read there.
  store.run(kSchema + window("s1", "agent:main:main") + event("s1", 0, user("u1", "", "in the rows")));
  EXPECT_EQ(script(*store.read().at("s1")), (Lines{"user typed: in the rows"}));
}

TEST(OpenclawReader, ReadsOlderSchemasAndLocatesId) {
  ClawStore store;
  store.run(
      "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);"
      "INSERT INTO transcript_events VALUES('s1', 0, '" +
      user("u1", "", "hi") + "', 1), ('s2', 0, '" + user("u1", "", "ho") + "', 1);");
  const auto readings = store.read();
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_EQ(script(*readings.at("s1")), (Lines{"user typed: hi"}));
  store.run(
      "CREATE TABLE session_windows(session_id TEXT, session_key TEXT, created_at INTEGER, updated_at INTEGER);"
      "INSERT INTO session_windows VALUES('s2', 'k', 1000000000001, 1000000000002)");
  EXPECT_EQ(store.read().at("s2")->session.created_at, "2001-09-09T01:46:40.001Z");
  const auto found = openclaw_layout().locate(store.feed, "s2");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->hint, "1000000000002");
  EXPECT_FALSE(*openclaw_layout().locate(store.feed, "s"));
}

}  // namespace
}  // namespace holdfast::corpus
