// What a user of Maestro asks for, through the command line and rpc (rows M01 to M20), and who owns a session.
#include <signal.h>

#include <algorithm>

#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct MaestroDoor : Shell {
  MaestroDoor() : Shell("desk") {}
  std::string store() const { return " --store maestro:" + home + "/m"; }
  int call(const std::string& method, const std::string& params) {
    std::ofstream(home + "/params") << params;
    return sh("$H call " + method + " @$HOME/params" + store());
  }
  // Creates a thread that may be sent, and a session in it.
  std::string session(const std::string& config = "{}") {
    EXPECT_EQ(call("save_thread", R"({"thread":{"schemaVersion":1,"id":"thr_1","title":"Add logging",)"
                                  R"("projectPath":"/p","harness":"opencode","model":"gpt-4.1",)"
                                  R"("privacy":{"localOnly":false}}})"),
              0)
        << err;
    EXPECT_EQ(call("create_session", R"({"thread_id":"thr_1","harness":"opencode","config":)" + config + "}"), 0)
        << err;
    return field({"session", "id"});
  }
  std::string record(const std::string& session, const std::string& members) const {
    return R"({"message":{"sessionId":")" + session + R"(",)" + members + "}}";
  }
  std::size_t messages() const {
    std::size_t count = 0;
    if (!fs::exists(home + "/m/messages")) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/m/messages"))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  }
  void configure(const std::string& toml) const {
    fs::create_directories(home + "/.config/holdfast");
    std::ofstream(home + "/.config/holdfast/config.toml") << toml;
  }
};

TEST_F(MaestroDoor, ToolResultKeepsToolName) {
  const std::string id = session();
  ASSERT_EQ(call("message.append", R"({"session":")" + id +
                                       R"(","message":{"role":"tool","blocks":[{"type":"tool_result","id":"t1",)"
                                       R"("name":"Bash","output":"ok"}]}})"),
            0)
      << err;
  ASSERT_EQ(sh("$H message list " + id + " --json" + store()), 0) << err;
  EXPECT_TRUE(out.contains(R"({"type":"tool_result","id":"t1","name":"Bash","output":"ok","is_error":false})")) << out;
}

// A caller with the seed's parameters has no cursor to send.
TEST_F(MaestroDoor, M17_SeedListsAreNotPaged) {
  const std::string id = session();
  for (int i = 100; i < 230; ++i) {
    const std::string n = std::to_string(i);
    std::ofstream(home + "/m/threads/thr_" + n + ".json")
        << R"({"schemaVersion":1,"id":"thr_)" << n << R"(","title":"t","createdAt":"2026-01-01T00:00:00Z",)"
        << R"("updatedAt":"2026-01-01T00:00:00Z","projectPath":"/p)" << n << R"(","harness":"h","model":"m"})";
    fs::create_directories(home + "/m/messages/thr_1");
    std::ofstream(home + "/m/messages/thr_1/msg_" + n + ".json")
        << R"({"schemaVersion":1,"id":"msg_)" << n << R"(","threadId":"thr_1","sessionId":")" << id
        << R"(","role":"user","content":"c","createdAt":"2026-01-01T00:00:)" << n.substr(1)
        << R"(Z","toolCallId":null})";
  }
  const auto count = [&](std::string_view list) {
    std::size_t rows = 0;
    for (const JsonItem& row : JsonView(out).find(list).elements()) rows += row.value ? 1 : 0;
    return rows;
  };
  ASSERT_EQ(call("list_threads", "{}"), 0) << err;
  EXPECT_EQ(count("threads"), 131u);
  EXPECT_EQ(field({"next_cursor"}), "null");
  ASSERT_EQ(call("list_messages", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_EQ(count("messages"), 130u);
  ASSERT_EQ(call("list_messages", R"({"session_id":")" + id + R"("})"), 0) << err;
  EXPECT_EQ(count("messages"), 130u);
  ASSERT_EQ(call("list_messages", R"({"thread_id":"thr_1","limit":7})"), 0) << err;
  EXPECT_EQ(count("messages"), 7u);
  // Our own names answer in pages.
  ASSERT_EQ(call("thread.list", "{}"), 0) << err;
  EXPECT_EQ(count("threads"), 100u);
  ASSERT_EQ(call("message.list", R"({"thread":"thr_1"})"), 0) << err;
  EXPECT_EQ(count("messages"), 100u);
}

TEST_F(MaestroDoor, TablesShowRelevantColumnsOnly) {
  const std::string id = session();
  ASSERT_EQ(sh("$H tool start " + id + " edit_file --run-id tool_7" + store()), 0) << err;
  ASSERT_EQ(sh("$H tool list " + id + store()), 0) << err;
  EXPECT_EQ(out.substr(0, 6), "run_id") << out;
  EXPECT_NE(out.find("tool_7  edit_file"), std::string::npos) << out;
  EXPECT_EQ(out.find("agent_id"), std::string::npos) << out;
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"hello words")")), 0) << err;
  ASSERT_EQ(sh("$H message list --thread thr_1" + store()), 0) << err;
  EXPECT_NE(out.find("hello words"), std::string::npos) << out;
  EXPECT_EQ(out.find(id), std::string::npos) << "whose each message is, is for programs: " << out;
}

// Each message is a file: a rescued copy has those that can be read, and import accepts it.
TEST_F(MaestroDoor, RescuedSessionCanBeImported) {
  const std::string id = session();
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"kept words")")), 0) << err;
  std::ofstream(home + "/m/messages/thr_1/msg_x.json")
      << R"({"schemaVersion":2,"id":"msg_x","threadId":"thr_1","sessionId":")" << id
      << R"(","role":"user","content":"later","createdAt":"2026-01-01T00:00:00Z","toolCallId":null})";
  sh("$H verify " + id + store());
  EXPECT_NE(err.find("holdfast rescue" + store() + " maestro/" + id + " -o FILE to write a clean copy"),
            std::string::npos)
      << err;
  EXPECT_EQ(err.find("--install"), std::string::npos) << err;
  ASSERT_EQ(sh("$H rescue " + id + " -o $HOME/copy.jsonl --json" + store()), 0) << err;
  EXPECT_EQ(field({"records"}), "1");
  EXPECT_NE(out.find("schema_version_mismatch"), std::string::npos) << out;
  ASSERT_EQ(sh("$H import $HOME/copy.jsonl --store holdfast:$HOME/own && $H show @last --store holdfast:$HOME/own"), 0)
      << err;
  EXPECT_NE(out.find("kept words"), std::string::npos) << out;
}

// Every command of the seed accepts the seed's parameters and answers with the seed's names.
TEST_F(MaestroDoor, M17_SeedCommandsUseTheSeedsNames) {
  const std::string id = session(R"({"model":"x"})");
  EXPECT_EQ(field({"session", "threadId"}), "thr_1") << out;
  EXPECT_EQ(field({"session", "status"}), "running");
  EXPECT_EQ(field({"session", "schemaVersion"}), "1");
  EXPECT_EQ(field({"session", "agent", "harness"}), "opencode");
  EXPECT_EQ(field({"session", "endedAt"}), "null");
  ASSERT_EQ(call("load_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_EQ(field({"thread", "projectPath"}), "/p") << out;
  EXPECT_EQ(field({"thread", "lastSessionId"}), id);
  EXPECT_EQ(field({"thread", "privacy", "localOnly"}), "false");
  EXPECT_EQ(out.find("project_path"), std::string::npos) << out;
  ASSERT_EQ(call("list_threads", "{}"), 0) << err;
  EXPECT_NE(out.find(R"("projectPath":"/p")"), std::string::npos) << out;
  ASSERT_EQ(call("append_message", record(id, R"("schemaVersion":1,"id":"msg_1","threadId":"thr_1","role":"assistant",)"
                                              R"("content":"Added it","createdAt":"2026-01-21T10:04:00Z",)"
                                              R"("toolCallId":null,"x-odd":[1])")),
            0)
      << err;
  ASSERT_EQ(call("list_messages", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_NE(out.find(R"({"sessionId":")" + id +
                     R"(","schemaVersion":1,"id":"msg_1","threadId":"thr_1",)"
                     R"("role":"assistant","content":"Added it","createdAt":"2026-01-21T10:04:00Z",)"
                     R"("toolCallId":null,"x-odd":[1]})"),
            std::string::npos)
      << out;
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + id + R"(","status":"completed"})"), 0) << err;
  EXPECT_EQ(field({"session", "status"}), "completed") << out;
  EXPECT_NE(field({"session", "endedAt"}), "null");
  ASSERT_EQ(call("resume_thread", R"({"thread_id":"thr_1","agent_config":{"model":"y"}})"), 0) << err;
  EXPECT_EQ(field({"newSession"}), "true") << out;
  EXPECT_EQ(field({"session", "threadId"}), "thr_1");
  ASSERT_EQ(call("delete_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_EQ(call("load_thread", R"({"thread_id":"thr_1"})"), 3);
  // Our own methods keep their own names, and a name of no seed is refused.
  EXPECT_EQ(call("thread.get", R"({"thread_id":"thr_1"})"), 2);
  EXPECT_EQ(call("load_thread", R"({"thread_idd":"thr_1"})"), 2);
  EXPECT_EQ(call("load_thread", R"({"thread_id":"thr_1","id":"thr_1"})"), 2) << "given twice";
}

TEST_F(MaestroDoor, M17_NativeStoreAnswersSeedCommands) {
  const std::string native = " --store holdfast:" + home + "/hf";
  ASSERT_EQ(sh("$H call save_thread '{\"thread\":{\"id\":\"thr_1\",\"projectPath\":\"/p\"}}'" + native), 0) << err;
  EXPECT_EQ(field({"thread", "projectPath"}), "/p");
  ASSERT_EQ(sh("$H call create_session '{\"thread_id\":\"thr_1\"}'" + native), 0) << err;
  EXPECT_EQ(field({"session", "threadId"}), "thr_1") << out;
  EXPECT_EQ(field({"session", "status"}), "running");
  const std::string id = field({"session", "id"});
  ASSERT_EQ(sh("$H call append_message '{\"message\":{\"sessionId\":\"" + id +
               "\",\"role\":\"user\",\"content\":\"hi\"}}'" + native),
            0)
      << err;
  ASSERT_EQ(sh("$H call list_messages '{\"thread_id\":\"thr_1\"}'" + native), 0) << err;
  EXPECT_NE(out.find(R"("threadId":"thr_1","sessionId":")" + id + R"(","role":"user","content":"hi")"),
            std::string::npos)
      << out;
}

TEST_F(MaestroDoor, M05_InvalidMessageIsRejectedBeforeAnyWrite) {
  const std::string id = session();
  const std::pair<const char*, int> bad[] = {
      {R"("role":"bogus","content":"x")", 2},
      {R"("role":7,"content":"x")", 2},
      {R"("content":"x")", 2},
      {R"("role":"user","content":5)", 2},
      {R"("role":"user","content":["x"])", 2},
      {R"("role":"user")", 2},
      {R"("role":"user","content":"x","toolCallId":5)", 2},
      {R"("schemaVersion":7,"role":"user","content":"x")", 4},
      {R"("schemaVersion":"1","role":"user","content":"x")", 4},
      {R"("role":"user","content":"x","threadId":"thr_2")", 2},
  };
  for (const auto& [members, code] : bad) EXPECT_EQ(call("append_message", record(id, members)), code) << members;
  EXPECT_EQ(messages(), 0u);
  EXPECT_EQ(call("append_message", record(id, R"("schemaVersion":7,"role":"user","content":"x")")), 4);
  EXPECT_NE(err.find("version 1 is required"), std::string::npos) << err;
  EXPECT_NE(err.find("schema_version_mismatch"), std::string::npos) << err;
  EXPECT_EQ(call("append_message", record(id, R"("role":"tool","content":"","toolCallId":"c1")")), 0) << err;
  EXPECT_EQ(messages(), 1u);
}

TEST_F(MaestroDoor, M01_ConfigurationHashIsKept) {
  const std::string id = session(R"({"harness":"codex","configHash":"sha256:abc","env":{"TERM":"xterm"}})");
  EXPECT_EQ(field({"session", "agent", "configHash"}), "sha256:abc") << out;
  EXPECT_EQ(field({"session", "agent", "env", "TERM"}), "xterm");
  EXPECT_EQ(field({"session", "agent", "harness"}), "opencode") << "the parameter says it";
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + id + R"(","status":"failed"})"), 0) << err;
  EXPECT_EQ(field({"session", "agent", "configHash"}), "sha256:abc") << out;
}

// Without a harness parameter that of the configuration counts, and only then that of the thread.
TEST_F(MaestroDoor, M01_ConfigurationNamesTheHarness) {
  const std::string id = session();
  EXPECT_EQ(field({"session", "agent", "harness"}), "opencode");
  ASSERT_EQ(call("create_session", R"({"thread_id":"thr_1","agent_config":{"harness":"codex"}})"), 0) << err;
  EXPECT_EQ(field({"session", "agent", "harness"}), "codex") << out;
  const std::string last = field({"session", "id"});
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + last + R"(","status":"completed"})"), 0) << err;
  ASSERT_EQ(call("resume_thread", R"({"thread_id":"thr_1","agent_config":{"harness":"claude"}})"), 0) << err;
  EXPECT_EQ(field({"newSession"}), "true");
  EXPECT_EQ(field({"session", "agent", "harness"}), "claude") << out;
}

TEST_F(MaestroDoor, M04_ReceiveUpdatesTheIndex) {
  configure("sync_enabled = true\nsync_directory = \"" + home + "/share\"\n");
  session();
  const std::string other = " --store maestro:" + home + "/other";
  ASSERT_EQ(sh("$H queue init && $H queue run" + store() + " && $H queue receive" + other), 0) << err;
  EXPECT_NE(text("other/index.json").find("\"title\": \"Add logging\""), std::string::npos) << text("other/index.json");
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","title":"Renamed","metadata":{"pinned":true}}})"), 0) << err;
  ASSERT_EQ(sh("$H queue run" + store() + " && $H queue receive" + other), 0) << err;
  EXPECT_NE(text("other/index.json").find("\"title\": \"Renamed\""), std::string::npos) << text("other/index.json");
  EXPECT_NE(text("other/index.json").find("\"pinned\": true"), std::string::npos);
}

TEST_F(MaestroDoor, M06_UnmountedShareReceivesNothing) {
  configure("sync_enabled = true\nsync_directory = \"" + home + "/mnt\"\n");
  session();
  fs::create_directory(home + "/mnt");
  EXPECT_EQ(sh("$H queue run" + store()), 7) << out;
  EXPECT_NE((out + err).find("not a sync directory"), std::string::npos) << out << err;
  EXPECT_TRUE(fs::is_empty(home + "/mnt"));
  ASSERT_EQ(sh("$H queue list --json" + store()), 0) << err;
  EXPECT_EQ(field({"total"}), "2");
  EXPECT_EQ(sh("$H queue run" + store()), 0) << "nothing is due";
  EXPECT_TRUE(out.starts_with("nothing is due: 2 items waiting, the next attempt is due ")) << out;
  ASSERT_EQ(sh("$H queue run --json" + store()), 0) << err;
  EXPECT_EQ(field({"waiting"}), "2");
  EXPECT_TRUE(field({"next_attempt_at"}).starts_with("20")) << out;
  ASSERT_EQ(sh("$H queue init"), 0) << err;
  ASSERT_EQ(sh("$H queue list --json" + store()), 0) << err;
  const std::string waiting = out;
  for (const JsonItem& item : JsonView(waiting).find("items").elements())
    ASSERT_EQ(sh("$H queue retry " + item.value.find("id").as_string().value_or("") + store()), 0) << err;
  EXPECT_EQ(sh("$H queue run" + store()), 0) << err;
  EXPECT_TRUE(out.starts_with("sent: 2\n")) << out;
  ASSERT_EQ(sh("$H queue run" + store()), 0) << err;
  EXPECT_EQ(out, "nothing to send\n");
  ASSERT_EQ(sh("$H queue status --json" + store()), 0) << err;
  EXPECT_EQ(field({"depth"}), "0");
}

TEST_F(MaestroDoor, M06_ItemFailsAfterTenAttempts) {
  configure("sync_enabled = true\nsync_directory = \"" + home + "/file\"\n");
  session();
  std::ofstream(home + "/file") << "a file where the directory should be";
  for (int attempt = 1; attempt <= 10; ++attempt) {
    EXPECT_EQ(sh("$H queue run --limit 1" + store()), 7) << attempt;
    ASSERT_EQ(sh("$H queue list --json" + store()), 0) << err;
    EXPECT_NE(out.find("\"attempts\":" + std::to_string(attempt)), std::string::npos) << out;
    EXPECT_EQ(out.find("\"status\":\"failed\"") != std::string::npos, attempt == 10) << attempt;
    // As if the next attempt were due.
    for (const auto& entry : fs::directory_iterator(home + "/m/sync_queue")) {
      const std::string path = entry.path().string().substr(home.size() + 1);
      const std::string item = text(path);
      if (item.find("\"attempts\": 0") != std::string::npos) continue;
      std::string earlier = item;
      earlier.replace(item.find("\"nextAttemptAt\": \"") + 18, 4, "2020");
      std::ofstream(home + "/" + path) << earlier;
    }
  }
}

// A queued item does not hold up the others if its thread became local and was deleted, or if it cannot be read.
TEST_F(MaestroDoor, M07_UnsendableItemDoesNotBlockOthers) {
  fs::create_directories(home + "/share");
  configure("sync_enabled = true\nsync_directory = \"" + home + "/share\"\n");
  ASSERT_EQ(sh("$H queue init"), 0) << err;
  const std::string id = session();
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"stays here")")), 0) << err;
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","privacy":{"localOnly":true}}})"), 0) << err;
  ASSERT_EQ(call("delete_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_2","title":"other","projectPath":"/q",)"
                                R"("privacy":{"localOnly":false}}})"),
            0)
      << err;
  EXPECT_EQ(sh("$H queue run" + store()), 0) << out << err;
  EXPECT_EQ(sh("grep -rl thr_2 $HOME/share | grep -q ."), 0);
  EXPECT_EQ(sh("grep -rl 'stays here' $HOME/share"), 1) << out;
  ASSERT_EQ(sh("$H queue list --json" + store()), 0) << err;
  EXPECT_TRUE(out.contains("\"items\":[]")) << out;

  // Another program wrote an item that cannot be sent.
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_2","title":"again"}})"), 0) << err;
  ASSERT_EQ(
      sh("cd $HOME/m/sync_queue && sed 's/\"id\": \"[^\"]*\"/\"id\": \"a_first\"/; s,thr_2,../x,' *.json > a_first"
         " && mv a_first a_first.json"),
      0)
      << err;
  EXPECT_EQ(sh("$H queue run" + store()), 0) << out << err;
  EXPECT_TRUE(out.contains("sent: 1\n") && out.contains("failed: 1\n") && out.contains("../x")) << out;
  EXPECT_EQ(sh("grep -rl again $HOME/share | grep -q ."), 0) << "behind one that cannot be sent";
}

// The session's record was damaged and moved aside, or deleted: its messages are still there, and are reported.
TEST_F(MaestroDoor, M09_MessagesOfMissingSessionAreReported) {
  const std::string id = session();
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"words that stay")")), 0) << err;
  EXPECT_EQ(sh("$H verify" + store()), 0) << out << err;
  fs::remove(home + "/m/sessions/" + id + ".json");
  EXPECT_EQ(sh("$H verify" + store()), 4) << out << err;
  EXPECT_TRUE(out.contains("the session " + id + " is not listed: its record is gone, and 1 message of it is left"))
      << out;
  EXPECT_FALSE(out.contains("holdfast rescue")) << out;
  const auto command = out.find("holdfast message list");
  ASSERT_NE(command, std::string::npos) << out;
  std::string pasted = out.substr(command + 8, out.find(" to show", command) - command - 8);
  if (!pasted.contains("--store")) pasted += store();
  ASSERT_EQ(sh("$H" + pasted), 0) << pasted << err;
  EXPECT_TRUE(out.contains("words that stay")) << out;
}

// Messages name their session, so they are read without its record. Writers still need the record.
TEST_F(MaestroDoor, M09_MessagesAreReadWithoutTheRecordOfTheirSession) {
  const std::string id = session();
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"words that stay")")), 0) << err;
  fs::remove_all(home + "/m/.holdfast/backup");
  std::ofstream(home + "/m/sessions/" + id + ".json") << "{bad";
  EXPECT_EQ(sh("$H search 'words that stay'" + store()), 0) << out << err;
  EXPECT_TRUE(out.contains(id)) << out;
  EXPECT_EQ(sh("$H ls --json" + store()), 0) << err;
  EXPECT_TRUE(out.contains(id)) << out;
  EXPECT_EQ(sh("$H verify" + store()), 4) << out;
  EXPECT_TRUE(out.contains("its messages are shown")) << out;
  const auto is_read = [&](const std::string& copy) {
    for (const std::string& command : {"show " + id, "export " + id}) {
      EXPECT_EQ(sh("$H " + command + store()), 0) << command << err;
      EXPECT_TRUE(out.contains("words that stay")) << command << out;
    }
    EXPECT_EQ(sh("$H rescue " + id + " -o $HOME/" + copy + store()), 0) << err;
    EXPECT_TRUE(text(copy).contains("words that stay")) << text(copy);
  };
  is_read("damaged.jsonl");
  EXPECT_EQ(text("m/sessions/" + id + ".json"), "{bad") << "reading changes nothing";
  EXPECT_NE(call("append_message", record(id, R"("role":"user","content":"more")")), 0) << out;
  EXPECT_TRUE((out + err).contains("serialization_failed")) << out << err;
  ASSERT_EQ(text("m/corrupt/" + id + ".json"), "{bad") << "moved aside";
  is_read("aside.jsonl");
  EXPECT_NE(call("append_message", record(id, R"("role":"user","content":"more")")), 0) << out;
  EXPECT_NE(call("load_session", R"({"session_id":")" + id + "\"}"), 0) << out;
}

TEST_F(MaestroDoor, M14_ReadFailureIsLogged) {
  configure("log_file = \"" + home + "/hf.log\"\n");
  session();
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","title":"Renamed"}})"), 0) << err;
  std::ofstream(home + "/m/threads/thr_1.json") << "{bad";
  std::ofstream(home + "/hf.log") << "";
  ASSERT_EQ(call("load_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  EXPECT_EQ(field({"thread", "title"}), "Add logging") << "from the backup: " << out;
  EXPECT_NE(text("hf.log").find("\"storage.read.failure\""), std::string::npos) << text("hf.log");
  EXPECT_NE(text("hf.log").find("threads/thr_1.json"), std::string::npos);
}

TEST_F(MaestroDoor, M15_EachWriteIsCountedOnce) {
  configure("metrics = true\nlog_file = \"" + home + "/hf.log\"\n");
  const auto writes = [&] {
    EXPECT_EQ(sh("$H store metrics" + store() + " | grep '^storage_write_ms_count'"), 0) << err;
    return std::stoi(out.substr(out.rfind(' ') + 1));
  };
  const std::string id = session();
  EXPECT_EQ(writes(), 2) << "a thread and a session";
  ASSERT_EQ(call("append_message", record(id, R"("role":"user","content":"x")")), 0) << err;
  EXPECT_EQ(writes(), 3);
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","title":"Add logging"}})"), 0) << err;
  EXPECT_EQ(writes(), 3) << "nothing was changed";
  const std::string log = text("hf.log");
  std::size_t lines = 0;
  for (auto at = log.find("storage.write.success"); at != std::string::npos;
       at = log.find("storage.write.success", at + 1))
    ++lines;
  EXPECT_EQ(lines, 3u) << log;
}

// ---- who owns a session

struct SessionOwnership : Shell {
  SessionOwnership() : Shell("desk") {}
};

TEST_F(SessionOwnership, RpcOwnsItsSessionUntilItEnds) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen", "maestro"}) {
    const std::string name = layout + ":" + home + "/" + layout;
    RpcProcess door(home, {"--store", name});
    if (layout == "maestro") door.ask("thread.save", R"({"thread":{"id":"thr_1"}})");
    const std::string made =
        door.ask("session.create", layout == "maestro" ? R"({"thread":"thr_1"})" : R"({"project":"/p"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    EXPECT_TRUE(JsonView(made).find("result").find("session").find("status").is_string("running")) << made;
    const std::string to = " " + id + " --store " + name;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 6) << layout << out;
    EXPECT_NE(err.find("the session is in use by process"), std::string::npos) << err;
    EXPECT_EQ(sh("$H session update" + to + " --status failed"), 6) << layout << out;
    EXPECT_EQ(sh("$H session end" + to), 6) << layout << out;
    ASSERT_EQ(sh("$H session get" + to), 0) << "reading is everybody's: " << err;
    const std::string mine = door.ask("message.append", R"({"session":")" + id + R"(","text":"mine"})");
    EXPECT_TRUE(JsonView(mine).find("result")) << mine;
    {
      RpcProcess other(home, {"--store", name});
      EXPECT_NE(other.ask("message.append", R"({"session":")" + id + R"(","text":"x"})").find("\"busy\""),
                std::string::npos);
    }
    // A refused end changes nothing: the session still belongs to the door.
    if (layout != "holdfast" && layout != "open-agent") {
      const std::string refused = door.ask("session.end", R"({"id":")" + id + R"(","summary":"s"})");
      EXPECT_TRUE(refused.contains("layout " + layout + " cannot hold: the summary of a session")) << refused;
      EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 6) << layout << out;
      ASSERT_EQ(sh("$H session get" + to + " --json"), 0) << err;
      EXPECT_EQ(field({"session", "status"}), "running") << layout << out;
    }
    const std::string status = layout == "linggen" ? "" : R"(,"status":"stopped")";
    const std::string ended = door.ask("session.end", R"({"id":")" + id + "\"" + status + "}");
    EXPECT_TRUE(JsonView(ended).find("result")) << ended;
    EXPECT_EQ(ended.contains("sessions of layout linggen have no status"), layout == "linggen") << ended;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 0) << layout << err;
  }
}

// The conversation goes on.
TEST_F(SessionOwnership, CompactionKeepsTheLease) {
  for (const std::string layout : {"holdfast", "open-agent", "maestro"}) {
    SCOPED_TRACE(layout);
    const std::string name = layout + ":" + home + "/" + layout;
    RpcProcess door(home, {"--store", name});
    const std::string made = door.ask("session.create", R"({"project":"/p"})");
    const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
    const auto append = [&](const std::string& text) {
      const std::string answer = door.ask("message.append", R"({"session":")" + id + R"(","text":")" + text + "\"}");
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
    };
    append("before");
    const std::string compacted = door.ask("session.compact", R"({"id":")" + id + R"(","summary":"so far"})");
    EXPECT_EQ(compacted.contains("cannot hold: a compaction"), layout == "maestro") << compacted;
    EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 6) << out;
    append("after");
    if (layout == "maestro") continue;
    const std::string list = door.ask("message.list", R"({"session":")" + id + "\"}");
    EXPECT_TRUE(list.contains("so far") && list.contains("\"after\"") && !list.contains("\"before\"")) << list;
  }
}

// Linggen has no other sign of an end.
TEST_F(SessionOwnership, EndedLinggenSessionIsNotInterrupted) {
  const std::string name = "linggen:" + home + "/linggen";
  std::string id;
  {
    RpcProcess door(home, {"--store", name});
    const std::string made = door.ask("session.create", R"({"project":"/p"})");
    id = JsonView(made).find("result").find("id").as_string().value_or(made);
    ::kill(door.pid(), SIGKILL);
    EXPECT_EQ(door.wait(), 1000 + SIGKILL);
  }
  ASSERT_EQ(sh("$H session get " + id + " --json --store " + name), 0) << err;
  EXPECT_EQ(field({"session", "status"}), "interrupted");
  ASSERT_EQ(sh("$H session end " + id + " --store " + name), 0) << err;
  EXPECT_TRUE(err.contains("is not marked as complete")) << err;
  ASSERT_EQ(sh("$H session get " + id + " --json --store " + name), 0) << err;
  EXPECT_NE(field({"session", "status"}), "interrupted") << out;
}

TEST_F(SessionOwnership, SessionOfKilledOwnerIsInterruptedAndFree) {
  const std::string name = "holdfast:" + home + "/hf";
  RpcProcess door(home, {"--store", name});
  const std::string made = door.ask("session.create", R"({"owner":"agent seven"})");
  const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
  EXPECT_EQ(sh("$H session end " + id + " --store " + name), 6);
  EXPECT_NE(err.find("agent seven"), std::string::npos) << err;
  ::kill(door.pid(), SIGKILL);
  EXPECT_EQ(door.wait(), 1000 + SIGKILL);
  ASSERT_EQ(sh("$H session get " + id + " --json --store " + name), 0) << err;
  EXPECT_EQ(field({"session", "status"}), "interrupted");
  EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 0) << err;
}

TEST_F(SessionOwnership, LeaseCanBeDeclined) {
  const std::string name = "holdfast:" + home + "/hf";
  RpcProcess door(home, {"--store", name});
  const std::string made = door.ask("session.create", R"({"lease":false})");
  const std::string id = JsonView(made).find("result").find("id").as_string().value_or(made);
  EXPECT_EQ(sh("$H message append " + id + " x --store " + name), 0) << err;
}

// A deleted thread of the same name is not an earlier version.
TEST_F(MaestroDoor, M03_TornThreadIsNotReplacedByDeletedOne) {
  const auto call = [&](const std::string& method, const std::string& params) {
    return sh("$H call " + method + " '" + params + "' --store maestro:$HOME/m");
  };
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"t","title":"SECRET OLD"}})"), 0) << err;
  ASSERT_EQ(call("delete_thread", R"({"thread_id":"t"})"), 0) << err;
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"t","title":"new"}})"), 0) << err;
  ASSERT_EQ(sh("printf '{\"torn' > $HOME/m/threads/t.json"), 0);
  EXPECT_NE(call("load_thread", R"({"thread_id":"t"})"), 0) << out;
  EXPECT_FALSE(out.contains("SECRET OLD")) << out;
  EXPECT_NE(sh("grep -r 'SECRET OLD' $HOME/m"), 0) << out;
}

// A misspelled switch must not pass for one that is on.
TEST_F(MaestroDoor, M08_RejectsInvalidPrivacy) {
  const std::pair<std::string, std::string> wrong[] = {
      {R"({"redactInputs":"true"})", "privacy.redactInputs must be true or false"},
      {R"({"redactinputs":true})", "did you mean redactInputs?"},
      {R"({"redact_inputs":true})", "did you mean redactInputs?"},
      {R"({"localOnly":"no"})", "privacy.localOnly must be true or false"},
      {R"({"secret":true})", "it takes localOnly, redactInputs and redactOutputs"},
  };
  for (const auto& [privacy, why] : wrong) {
    for (const std::string method : {"save_thread", "thread.save"}) {
      EXPECT_EQ(call(method, R"({"thread":{"id":"thr_1","title":"t","privacy":)" + privacy + "}}"), 2) << privacy;
      EXPECT_TRUE(err.contains(why)) << err;
    }
    EXPECT_EQ(call("thread.create", R"({"project":"/p","privacy":)" + privacy + "}"), 2) << privacy;
    EXPECT_TRUE(err.contains(why)) << err;
  }
  EXPECT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","title":"t","privacy":"on"}})"), 2);
  EXPECT_FALSE(fs::exists(home + "/m/threads/thr_1.json"));
  // Null means absent: the setting stays.
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","title":"t","privacy":{"redactInputs":true}}})"), 0) << err;
  for (const std::string privacy : {"null", "{}", R"({"redactInputs":null})", R"({"redactOutputs":true})"}) {
    ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","privacy":)" + privacy + "}}"), 0) << err;
    EXPECT_EQ(field({"thread", "privacy", "redactInputs"}), "true") << privacy << out;
  }
  // A loaded thread can be saved, with the members that a newer program added.
  std::string document = text("m/threads/thr_1.json");
  document.insert(document.find("\"redactInputs\""), "\"consent\": \"2026\", ");
  std::ofstream(home + "/m/threads/thr_1.json") << document;
  ASSERT_EQ(call("load_thread", R"({"thread_id":"thr_1"})"), 0) << err;
  const std::string loaded(JsonView(out).find("thread").raw());
  ASSERT_TRUE(loaded.contains("consent")) << loaded;
  EXPECT_EQ(call("save_thread", R"({"thread":)" + loaded + "}"), 0) << err;
}

TEST_F(SessionOwnership, OnlySessionOwnerCanDeleteThread) {
  for (const std::string layout : {"maestro", "holdfast"}) {
    SCOPED_TRACE(layout);
    const std::string name = layout + ":" + home + "/" + layout;
    RpcProcess door(home, {"--store", name});
    door.ask("thread.save", R"({"thread":{"id":"thr_1"}})");
    EXPECT_TRUE(JsonView(door.ask("session.create", R"({"thread":"thr_1"})")).find("result"));
    EXPECT_EQ(sh("$H thread delete thr_1 --yes --store " + name), 6) << "it is another's: " << out;
    const std::string would = door.ask("thread.delete", R"({"id":"thr_1","dry_run":true})");
    EXPECT_TRUE(JsonView(would).find("result")) << would;
    const std::string gone = door.ask("thread.delete", R"({"id":"thr_1"})");
    EXPECT_EQ(JsonView(gone).find("result").find("sessions").raw(), "1") << gone;
    EXPECT_EQ(sh("$H thread get thr_1 --store " + name), 3) << out;
  }
}

TEST_F(MaestroDoor, M05_EqualMessageIsNotAppendedAgain) {
  const std::string id = session();
  const std::string message = record(id, R"("id":"m1","role":"user","content":"x","createdAt":"2026-01-21T10:04:00Z")");
  ASSERT_EQ(call("append_message", message), 0) << err;
  EXPECT_EQ(field({"appended"}), "true") << out;
  ASSERT_EQ(call("append_message", message), 0) << err;
  EXPECT_EQ(field({"appended"}), "false") << out;
  EXPECT_EQ(messages(), 1u);
}

TEST_F(MaestroDoor, CorruptMessageDoesNotHideTheLatestSession) {
  const std::string id = session();
  ASSERT_EQ(call("append_message", record(id, R"("id":"m1","role":"user","content":"x")")), 0) << err;
  std::ofstream(home + "/m/messages/thr_1/m1.json") << "{bad";
  EXPECT_EQ(sh("$H message append @last y" + store()), 0) << err;
  EXPECT_EQ(sh("$H session end @last" + store()), 0) << err;
}

TEST_F(MaestroDoor, M03_ThreadWhoseSessionIsNewerIsNotResumed) {
  const std::string id = session();
  const std::string path = "m/sessions/" + id + ".json", before = text("m/threads/thr_1.json");
  std::string newer = text(path);
  const std::size_t at = newer.find(R"("schemaVersion": 1)");
  ASSERT_NE(at, std::string::npos) << newer;
  newer.replace(at, 18, R"("schemaVersion": 9)");
  std::ofstream(home + "/" + path) << newer;
  EXPECT_EQ(sh("$H thread resume thr_1" + store()), 4) << out;
  EXPECT_TRUE(err.contains("version 1")) << err;
  EXPECT_EQ(text("m/threads/thr_1.json"), before);
}

TEST_F(MaestroDoor, M17_MessagesOfUnknownThreadAreNotFound) {
  for (const std::string& at : {store(), " --store holdfast:" + home + "/h"}) {
    ASSERT_EQ(sh("$H call thread.save '{\"thread\":{\"id\":\"empty\"}}'" + at), 0) << err;
    EXPECT_EQ(sh("$H call message.list '{\"thread\":\"empty\"}'" + at), 0) << err;
    EXPECT_EQ(sh("$H call message.list '{\"thread\":\"nope\"}'" + at), 3) << at << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
