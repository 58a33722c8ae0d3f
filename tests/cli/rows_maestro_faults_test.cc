// Rows of the mission for Maestro about failures and what an operator sees: a disk that accepts nothing, codes, spans.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RowsMaestroFaults : CliHome {
  std::string name() const { return "maestro:" + home + "/m"; }
  int call(const std::string& method, const std::string& params, const std::string& before = {}) {
    std::ofstream(home + "/params") << params;
    return sh(before + "$H call " + method + " @$HOME/params --store " + name());
  }
  void configure(const std::string& toml) const {
    fs::create_directories(home + "/.config/holdfast");
    std::ofstream(home + "/.config/holdfast/config.toml") << toml;
  }
  void thread(const std::string& members = R"("title":"Add logging")") {
    ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","projectPath":"/p",)" + members + "}}"), 0) << err;
  }
  std::string session() {
    EXPECT_EQ(call("create_session", R"({"thread_id":"thr_1"})"), 0) << err;
    return field({"session", "id"});
  }
  static std::string message(const std::string& session, const std::string& content) {
    return R"({"message":{"sessionId":")" + session + R"(","role":"user","content":")" + content + "\"}}";
  }
  std::size_t messages() const {
    std::size_t files = 0;
    if (!fs::exists(home + "/m/messages")) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/m/messages"))
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }
  bool told(const RpcProcess& door, const std::string& words) const {
    return std::ranges::any_of(door.events, [&](const std::string& one) { return one.contains(words); });
  }
};

// What a person cannot see in `thread list` or `show`.
TEST_F(RowsMaestroFaults, M04_VerifyTellsOfBrokenMessageAndIndex) {
  thread();
  const std::string id = session();
  ASSERT_EQ(call("append_message", message(id, "hello")), 0) << err;
  ASSERT_EQ(sh("$H verify --store " + name()), 0) << out;
  const std::string index = text("m/index.json"), bad = home + "/m/messages/thr_1/msg_bad.json";
  std::ofstream(bad) << R"({"schemaVersion":1,"id":"msg_bad","threadId":"thr_1","sessionId":")" << id
                     << R"(","role":"user","content":null,"createdAt":"garbage","toolCallId":null})";
  EXPECT_EQ(sh("$H verify --store " + name()), 4) << out;
  EXPECT_TRUE(out.contains("it has no content") && out.contains("garbage is not a time")) << out;
  ASSERT_EQ(sh("$H ls --json --store " + name()), 0) << err;
  EXPECT_TRUE(out.contains(R"("damage":0)")) << "no record is damaged: " << out;
  fs::remove(bad);
  std::ofstream(home + "/m/index.json") << R"({"schemaVersion":1,"threads":[{"id":"thr_ghost","title":"x"}]})";
  EXPECT_EQ(sh("$H verify --store " + name()), 4) << out;
  EXPECT_TRUE(out.contains("it lists thread thr_ghost, which does not exist")) << out;
  EXPECT_TRUE(out.contains("it does not list thread thr_1 yet")) << out;
  ASSERT_EQ(call("rebuild_index", "{}"), 0) << err;
  EXPECT_EQ(sh("$H verify --store " + name()), 0) << out;
}

// The index is right to list it.
TEST_F(RowsMaestroFaults, M04_ThreadThatCannotBeReadIsNotMissing) {
  for (const std::string bytes : {"{", R"({"schemaVersion":999,"id":"thr_1"})"}) {
    fs::remove_all(home + "/m");
    thread();
    fs::remove_all(home + "/m/.holdfast/backup");
    std::ofstream(home + "/m/threads/thr_1.json") << bytes;
    EXPECT_EQ(sh("$H verify --store " + name()), 4) << out;
    EXPECT_TRUE(out.contains("threads/thr_1.json") && !out.contains("does not exist")) << out;
  }
}

TEST_F(RowsMaestroFaults, M10_CallThatCannotWriteFails) {
  thread();
  const std::string id = session();
  // No file may grow, not even that of the answer: only the exit code reports it.
  EXPECT_EQ(call("append_message", message(id, "hello"), "trap '' XFSZ; ulimit -f 0; "), 5);
  EXPECT_EQ(messages(), 0u);
  EXPECT_EQ(call("append_message", message(id, "hello")), 0) << err;
  EXPECT_EQ(messages(), 1u);
}

TEST_F(RowsMaestroFaults, M10_RpcKeepsMessageInMemoryUntilItCanWrite) {
  thread();
  const std::string id = session();
  RpcProcess door(home, {"--store", name()});
  door.ask("events.subscribe");
  EXPECT_TRUE(door.ask("append_message", message(id, "before")).contains(R"("durability":"power")"));
  rlimit before{};
  ASSERT_EQ(::prlimit(door.pid(), RLIMIT_FSIZE, nullptr, &before), 0);
  const rlimit full{0, before.rlim_max};
  ASSERT_EQ(::prlimit(door.pid(), RLIMIT_FSIZE, &full, nullptr), 0);
  door.events.clear();
  const std::string answer = door.ask("append_message", message(id, "kept words"));
  EXPECT_TRUE(answer.contains(R"("durability":"none")")) << answer;
  EXPECT_TRUE(told(door, R"("name":"session:persistence_failed","data":{"threadId":"thr_1","sessionId":")" + id +
                             R"(","code":"disk_full","message":")"));
  EXPECT_TRUE(door.ask("list_messages", R"({"thread_id":"thr_1"})").contains("kept words")) << "shown by this door";
  EXPECT_EQ(messages(), 1u);
  ASSERT_EQ(call("list_messages", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_FALSE(out.contains("kept words")) << "others see what is on the disk";
  ASSERT_EQ(::prlimit(door.pid(), RLIMIT_FSIZE, &before, nullptr), 0);
  door.events.clear();
  EXPECT_TRUE(door.ask("append_message", message(id, "after")).contains(R"("durability":"power")"));
  EXPECT_TRUE(told(door, "\"session:persisted\""));
  EXPECT_EQ(messages(), 3u);
  ASSERT_EQ(call("list_messages", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_LT(out.find("before"), out.find("kept words")) << out;
  EXPECT_LT(out.find("kept words"), out.find("\"after\"")) << out;
}

TEST_F(RowsMaestroFaults, M13_FailedReplaceKeepsOldDocument) {
  thread();
  const std::string before = text("m/threads/thr_1.json"), index = text("m/index.json");
  // Allows more and more open files, until there are enough.
  bool failed = false, saved = false;
  for (int files = 5; files < 40 && !saved; ++files) {
    saved = call("save_thread", R"({"thread":{"id":"thr_1","title":"Renamed"}})",
                 "ulimit -n " + std::to_string(files) + "; ") == 0;
    failed |= (out + err).contains("\"code\":\"atomic_write_failed\"");
    if (saved) break;
    EXPECT_EQ(text("m/threads/thr_1.json"), before) << files << out << err;
    EXPECT_EQ(text("m/index.json"), index) << files;
  }
  EXPECT_TRUE(saved) << err;
  EXPECT_TRUE(failed);
  EXPECT_TRUE(text("m/threads/thr_1.json").contains("\"Renamed\""));
}

TEST_F(RowsMaestroFaults, M13_OtherErrorCodesMatchTheSeed) {
  configure("sync_enabled = true\nsync_directory = \"" + home + "/file\"\n");
  std::ofstream(home + "/file") << "a file where the directory should be";
  thread(R"("title":"t","privacy":{"localOnly":false})");
  std::ofstream(home + "/m/threads/thr_8.json") << R"({"schemaVersion":8,"id":"thr_8"})";
  std::ofstream(home + "/m/threads/thr_9.json") << "{bad";
  EXPECT_EQ(call("load_thread", R"({"thread_id":"thr_8"})"), 4);
  EXPECT_TRUE((out + err).contains("\"code\":\"schema_version_mismatch\"")) << out << err;
  EXPECT_EQ(call("load_thread", R"({"thread_id":"thr_9"})"), 4);
  EXPECT_TRUE((out + err).contains("\"code\":\"serialization_failed\"")) << out << err;
  {
    RpcProcess door(home, {"--store", name()});
    door.ask("events.subscribe");
    door.ask("queue.run");
    EXPECT_TRUE(told(door, R"("code":"sync_transport_failed","attempts":1)"));
  }
}

// A mount whose program died, as with a network disk.
TEST_F(RowsMaestroFaults, M13_DeadMountIsStorageUnavailable) {
  const std::string dead = home + "/dead";
  fs::create_directory(dead);
  const int fuse = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (fuse < 0) GTEST_SKIP() << "needs /dev/fuse";
  const std::string options = "fd=" + std::to_string(fuse) + ",rootmode=40000,user_id=0,group_id=0";
  const bool mounted = ::mount("dead", dead.c_str(), "fuse", 0, options.c_str()) == 0;
  ::close(fuse);
  if (!mounted) GTEST_SKIP() << "may not mount";
  EXPECT_EQ(sh("$H call list_threads --store maestro:$HOME/dead"), 5) << out;
  EXPECT_TRUE((out + err).contains("\"code\":\"storage_unavailable\"")) << out << err;
  EXPECT_EQ(sh("$H thread list --store maestro:$HOME/dead"), 5) << out;
  EXPECT_TRUE(err.contains("cannot open the directory: Transport endpoint is not connected (" + dead + ")")) << err;
  EXPECT_EQ(::umount2(dead.c_str(), MNT_DETACH), 0);
}

struct Span {
  std::string trace, id, parent, name, end;
};

TEST_F(RowsMaestroFaults, M16_SessionSpanContainsSavesAndResumes) {
  configure("spans_file = \"" + home + "/spans.jsonl\"\n");
  thread();
  ASSERT_EQ(call("resume_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  const std::string id = field({"session", "id"});
  ASSERT_EQ(call("append_message", message(id, "hello")), 0) << err;
  ASSERT_EQ(call("resume_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_EQ(field({"newSession"}), "false") << out;
  ASSERT_EQ(call("session.resume", R"({"id":")" + id + "\"}"), 0) << err;
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + id + R"(","status":"completed"})"), 0) << err;
  std::vector<Span> spans;
  std::string names;
  std::ifstream lines(home + "/spans.jsonl");
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.contains("\"stringValue\":\"" + id + "\"")) << line;
    const auto word = [&](const std::string& key) {
      const std::size_t at = line.find("\"" + key + "\":\"");
      if (at == std::string::npos) return std::string();
      const std::size_t begin = at + key.size() + 4;
      return line.substr(begin, line.find('"', begin) - begin);
    };
    // The first name is that of the scope.
    const std::string of = line.substr(line.find("\"spans\":"));
    const std::size_t at = of.find("\"name\":\"") + 8;
    spans.push_back({word("traceId"), word("spanId"), word("parentSpanId"), of.substr(at, of.find('"', at) - at),
                     word("endTimeUnixNano")});
    names += spans.back().name + " ";
  }
  EXPECT_EQ(names, "session.create session.save session.resume session.resume session.save session ");
  ASSERT_FALSE(spans.empty());
  const Span& whole = spans.back();
  for (const Span& span : spans) {
    EXPECT_EQ(span.trace, whole.trace) << span.name;
    EXPECT_EQ(span.parent, &span == &whole ? "" : whole.id) << span.name;
    EXPECT_LE(span.end, whole.end) << span.name;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
