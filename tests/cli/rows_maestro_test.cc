// Rows of the mission for Maestro that need the binary: what is on disk, what is reported, and what a failure does.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RowsMaestro : CliHome {
  std::string name() const { return "maestro:" + home + "/m"; }
  int hf(const std::string& words) { return sh("$H " + words + " --store " + name()); }
  int call(const std::string& method, const std::string& params) {
    std::ofstream(home + "/params") << params;
    return hf("call " + method + " @$HOME/params");
  }
  void configure(const std::string& toml) const {
    fs::create_directories(home + "/.config/holdfast");
    std::ofstream(home + "/.config/holdfast/config.toml") << toml;
  }
  void thread(const std::string& members = R"("title":"Add logging")") {
    ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","projectPath":"/p",)" + members + "}}"), 0) << err;
  }
  std::string session(const std::string& config = "{}") {
    EXPECT_EQ(call("create_session", R"({"thread_id":"thr_1","harness":"opencode","config":)" + config + "}"), 0)
        << err;
    return field({"session", "id"});
  }
  static std::string message(const std::string& session, const std::string& role, const std::string& content) {
    return R"({"message":{"sessionId":")" + session + R"(","role":")" + role + R"(","content":")" + content + "\"}}";
  }
  std::string value(const std::string& file, std::string_view key) const {
    const std::string bytes = text(file);
    const JsonView found = JsonView(bytes).find(key);
    return found.as_string().value_or(std::string(found.raw()));
  }
  // Returns a value of the only thread in the index.
  std::string indexed(std::string_view key) const {
    const std::string bytes = text("m/index.json");
    for (const JsonItem& one : JsonView(bytes).find("threads").elements())
      return one.value.find(key).as_string().value_or("");
    return {};
  }
  std::size_t count(const std::string& folder) const {
    std::size_t files = 0;
    if (!fs::exists(home + "/m/" + folder)) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/m/" + folder))
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }
  // Returns the result of the answer, which must have one.
  static std::string done(RpcProcess& door, const std::string& method, const std::string& params) {
    const std::string answer = door.ask(method, params);
    const JsonView result = JsonView(answer).find("result");
    EXPECT_TRUE(result) << answer;
    return std::string(result.raw());
  }
  static std::string rename(int number) {
    return R"({"thread":{"id":"thr_1","title":"save )" + std::to_string(number) + "\"}}";
  }
};

// Whenever a process is killed, every document is whole; leftovers of the application's own writer are ignored.
TEST_F(RowsMaestro, M02_KillLeavesValidDocumentsAndLeftoversAreIgnored) {
  thread();
  const std::string id = session();
  fs::create_directories(home + "/m/messages/thr_1");
  const std::pair<const char*, const char*> leftovers[] = {
      {"m/index.tmp", "{\"schemaVersion\":"}, {"m/threads/thr_1.tmp", "{"}, {"m/messages/thr_1/msg_9.tmp", "{\"id\""}};
  for (const auto& [path, bytes] : leftovers) std::ofstream(home + "/" + path) << bytes;
  for (int round = 0; round < 4; ++round) {
    RpcProcess door(home, {"--store", name()});
    done(door, "append_message", message(id, "user", "kept " + std::to_string(round)));
    door.send(door.request("append_message", message(id, "user", "maybe " + std::to_string(round))));
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
    ::kill(door.pid(), SIGKILL);
    EXPECT_EQ(door.wait(), 1000 + SIGKILL);
    for (const auto& entry : fs::recursive_directory_iterator(home + "/m")) {
      const std::string path = entry.path().string().substr(home.size() + 1);
      if (!path.ends_with(".json") || path.contains("/.holdfast/")) continue;
      EXPECT_TRUE(check_json(text(path)).ok()) << path << "\n" << text(path);
    }
    ASSERT_EQ(hf("message list " + id), 0) << err;
    for (int i = 0; i <= round; ++i) EXPECT_TRUE(out.contains("kept " + std::to_string(i))) << i << out;
  }
  ASSERT_EQ(hf("store repair"), 0) << err;
  for (const auto& [path, bytes] : leftovers) EXPECT_EQ(text(path), bytes) << path;
  ASSERT_EQ(hf("thread list"), 0) << err;
  EXPECT_TRUE(out.contains("thr_1  Add logging")) << out;
  EXPECT_EQ(err, "");
  EXPECT_EQ(hf("verify"), 0) << out << err;
}

TEST_F(RowsMaestro, M03_LaterSchemaVersionIsRejectedAndUnchanged) {
  thread();
  const std::string later =
      R"({"schemaVersion":2,"id":"thr_2","title":"later","createdAt":"2026-01-01T00:00:00Z","projectPath":"/q"})";
  std::ofstream(home + "/m/threads/thr_2.json") << later;
  EXPECT_EQ(hf("thread get thr_2"), 4) << out;
  EXPECT_EQ(err, "holdfast: schemaVersion is 2; version 1 is required (threads/thr_2.json)\n");
  EXPECT_EQ(call("save_thread", R"({"thread":{"id":"thr_2","title":"x"}})"), 4) << out;
  EXPECT_TRUE((out + err).contains("\"schema_version_mismatch\"")) << out << err;
  ASSERT_EQ(hf("thread list"), 0) << err;
  EXPECT_TRUE(out.contains("thr_1  Add logging")) << "it hides nobody: " << out;
  EXPECT_TRUE(err.contains("warning: threads/thr_2.json: schemaVersion is 2; version 1 is required")) << err;
  ASSERT_EQ(hf("store repair"), 0) << err;
  EXPECT_EQ(text("m/threads/thr_2.json"), later);
  EXPECT_FALSE(fs::exists(home + "/m/corrupt"));
}

TEST_F(RowsMaestro, M03_RecordsHaveVersionAndStaleIndexIsRebuilt) {
  thread();
  const std::string id = session();
  ASSERT_EQ(call("append_message", message(id, "user", "hello")), 0) << err;
  for (const char* const folder : {"threads", "sessions", "messages"}) {
    for (const auto& entry : fs::recursive_directory_iterator(home + "/m/" + folder)) {
      if (!entry.is_regular_file()) continue;
      EXPECT_EQ(value(entry.path().string().substr(home.size() + 1), "schemaVersion"), "1") << entry.path();
    }
  }
  std::ofstream(home + "/m/index.json") << R"({"schemaVersion":9,"threads":[],"rebuiltAt":"2026-01-01T00:00:00Z"})";
  ASSERT_EQ(hf("thread list"), 0) << err;
  EXPECT_TRUE(out.contains("thr_1  Add logging")) << out;
  thread(R"("title":"Renamed")");
  EXPECT_EQ(value("m/index.json", "schemaVersion"), "1");
  EXPECT_EQ(indexed("title"), "Renamed");
}

TEST_F(RowsMaestro, M08_SecretsAreMaskedBeforeWriting) {
  const std::string token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const auto found = [&] { return sh("grep -rl " + token + " $HOME/m") == 0 ? out : std::string(); };
  thread(R"("title":"t","privacy":{"redactInputs":true,"redactOutputs":false})");
  const std::string id = session(R"({"env":{"TOKEN":")" + token + R"(","TERM":"xterm"}})");
  EXPECT_EQ(field({"session", "agent", "env", "TERM"}), "xterm");
  ASSERT_EQ(call("append_message", message(id, "user", "mine is " + token)), 0) << err;
  EXPECT_EQ(found(), "") << "neither in a message nor in agent.env, a backup or a journal";
  ASSERT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("mine is [redacted: GitHub token]")) << out;
  ASSERT_EQ(call("append_message", message(id, "assistant", "yours is " + token)), 0) << err;
  EXPECT_NE(found(), "") << "outputs were not asked for";
  thread(R"("privacy":{"redactOutputs":true})");
  const std::size_t before = count("messages");
  ASSERT_EQ(call("append_message", message(id, "tool", "it was " + token)), 0) << err;
  EXPECT_EQ(count("messages"), before + 1);
  EXPECT_EQ(found().find('\n'), found().size() - 1) << "only the one from before: " << found();
  ASSERT_EQ(hf("message list " + id), 0) << err;
  EXPECT_TRUE(out.contains("it was [redacted: GitHub token]")) << out;
}

TEST_F(RowsMaestro, M08_NativeStoreMasksAccordingToSettings) {
  configure("redact_inputs = true\n");
  const std::string token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const std::string native = " --store holdfast:$HOME/h";
  ASSERT_EQ(sh("$H session create --title t" + native + " && $H message append @last 'mine is " + token + "'" + native),
            0)
      << err;
  EXPECT_EQ(sh("grep -rl " + token + " $HOME/h"), 1) << out;
  ASSERT_EQ(sh("$H show @last" + native), 0) << err;
  EXPECT_TRUE(out.contains("mine is [redacted: GitHub token]")) << out;
}

TEST_F(RowsMaestro, M09_CorruptThreadIsRestoredFromBackupOnWrite) {
  thread();
  thread(R"("title":"Renamed")");
  std::ofstream(home + "/m/threads/thr_1.json") << "{bad";
  ASSERT_EQ(hf("thread get thr_1"), 0) << err;
  EXPECT_TRUE(out.contains("title: Add logging\n")) << out;
  EXPECT_TRUE(
      err.contains("warning: threads/thr_1.json: not a JSON document: unexpected character at byte 1; the previous "
                   "version is shown"))
      << err;
  EXPECT_EQ(text("m/threads/thr_1.json"), "{bad") << "reading changes nothing";
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_1","model":"gpt-4.1"}})"), 0) << err;
  EXPECT_TRUE(out.contains("\"restored_from_backup\"")) << out;
  EXPECT_TRUE(out.contains("the bad file is now corrupt/thr_1.json")) << out;
  EXPECT_EQ(text("m/corrupt/thr_1.json"), "{bad");
  EXPECT_EQ(value("m/threads/thr_1.json", "title"), "Add logging");
  EXPECT_EQ(value("m/threads/thr_1.json", "model"), "gpt-4.1");
}

TEST_F(RowsMaestro, M09_CorruptThreadWithoutBackupIsAnError) {
  thread();
  std::ofstream(home + "/m/threads/thr_9.json") << "{bad";
  EXPECT_EQ(hf("thread get thr_9"), 4) << out;
  EXPECT_EQ(err, "holdfast: not a JSON document: unexpected character at byte 1 (threads/thr_9.json)\n");
  EXPECT_EQ(call("save_thread", R"({"thread":{"id":"thr_9","title":"x"}})"), 4) << out;
  EXPECT_TRUE((out + err).contains("\"serialization_failed\"")) << out << err;
  EXPECT_EQ(text("m/corrupt/thr_9.json"), "{bad") << "never deleted";
  EXPECT_FALSE(fs::exists(home + "/m/threads/thr_9.json"));
}

TEST_F(RowsMaestro, M11_ResumeContinuesUnfinishedSessionOnly) {
  thread();
  const auto resumed = [&] {
    EXPECT_EQ(hf("thread resume thr_1"), 0) << err;
    const std::size_t at = out.find("last_session_id: ") + 17;
    return out.substr(at, out.find('\n', at) - at);
  };
  const std::string first = resumed();
  EXPECT_TRUE(first.starts_with("ses_")) << out;
  EXPECT_EQ(resumed(), first);
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + first + R"(","status":"completed"})"), 0) << err;
  const std::string second = resumed();
  EXPECT_NE(second, first);
  EXPECT_EQ(value("m/threads/thr_1.json", "lastSessionId"), second);
  EXPECT_EQ(value("m/sessions/" + second + ".json", "status"), "running");
  EXPECT_EQ(indexed("updatedAt"), value("m/threads/thr_1.json", "updatedAt"));
  fs::remove(home + "/m/sessions/" + second + ".json");
  EXPECT_NE(resumed(), second) << "one that is missing is replaced";
}

TEST_F(RowsMaestro, M11_TextSaysWhetherThreadAndSessionAreNew) {
  ASSERT_EQ(hf("thread create --project /p --title One"), 0) << err;
  EXPECT_TRUE(out.starts_with("created: true\nid: thr_")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(hf("thread create --project /p --title Two --model m"), 0) << err;
  EXPECT_TRUE(out.starts_with("created: false\nid: thr_") && out.contains("title: One\n")) << out;
  EXPECT_EQ(err, "warning: the project already has this thread, which is unchanged; ignored: title, model\n");
  ASSERT_EQ(hf("thread create --project /p --json"), 0) << err;
  const std::string id = field({"thread", "id"});
  EXPECT_FALSE(JsonView(out).find("warnings")) << out;
  ASSERT_EQ(hf("thread resume " + id), 0) << err;
  EXPECT_TRUE(out.starts_with("session: ses_") && out.contains("\nnew_session: true\nowner: none\n")) << out;
  const std::string session = out.substr(0, out.find('\n'));
  ASSERT_EQ(hf("thread resume " + id), 0) << err;
  EXPECT_TRUE(out.starts_with(session + "\nnew_session: false\nowner: none\n")) << out;
}

TEST_F(RowsMaestro, M06_ThreadWithoutMessagesHasNoMessages) {
  thread();
  ASSERT_EQ(hf("thread resume thr_1"), 0) << err;
  for (const char* const words : {"message list --thread thr_1", "message list @last"}) {
    EXPECT_EQ(hf(words), 0) << words << err;
    EXPECT_EQ(out, "") << words;
    EXPECT_EQ(err, "no messages yet\n") << words;
  }
}

TEST_F(RowsMaestro, M11_ResumeIsBusyWhileOwnerIsAlive) {
  thread();
  RpcProcess door(home, {"--store", name()});
  done(door, "events.subscribe", "{}");
  const std::string answer = done(door, "resume_thread", R"({"thread_id":"thr_1"})");
  const std::string id = JsonView(answer).find("session").find("id").as_string().value_or(answer);
  EXPECT_EQ(JsonView(answer).find("newSession").as_bool(), true) << answer;
  const auto told = [&](const std::string& event) {
    return std::ranges::any_of(door.events, [&](const std::string& one) { return one.contains(event); });
  };
  EXPECT_TRUE(told(R"("name":"session:resumed","data":{"threadId":"thr_1","sessionId":")" + id + "\"}"));
  EXPECT_EQ(hf("thread resume thr_1"), 6) << out;
  EXPECT_TRUE(err.contains("the session is in use by process " + std::to_string(door.pid()) + " (" + id + ")")) << err;
  ::kill(door.pid(), SIGKILL);
  EXPECT_EQ(door.wait(), 1000 + SIGKILL);
  ASSERT_EQ(hf("thread resume thr_1 --json"), 0) << err;
  EXPECT_EQ(field({"session"}), id);
  EXPECT_EQ(field({"new_session"}), "false");
}

TEST_F(RowsMaestro, M18_ToolRunsEndOnceAndAreInTheSessionFile) {
  thread();
  const std::string id = session();
  ASSERT_EQ(hf("tool start " + id + " edit_file --run-id tool_1"), 0) << err;
  EXPECT_TRUE(out.contains("status: Running\n")) << out;
  ASSERT_EQ(hf("tool finish " + id + " tool_1 --status Succeeded"), 0) << err;
  EXPECT_EQ(hf("tool finish " + id + " tool_1 --status Failed"), 2) << out;
  ASSERT_EQ(hf("tool start " + id + " bash --run-id tool_2 --status Failed"), 0) << err;
  ASSERT_EQ(hf("tool start " + id + " bash --run-id tool_3"), 0) << err;
  EXPECT_EQ(hf("tool finish " + id + " tool_3 --status bogus"), 2) << out;
  EXPECT_TRUE(err.contains("Succeeded, Failed or Canceled")) << err;
  ASSERT_EQ(hf("tool finish " + id + " tool_3 --status Canceled"), 0) << err;
  ASSERT_EQ(hf("tool list " + id), 0) << err;
  EXPECT_EQ(out,
            "run_id  tool       status\ntool_1  edit_file  Succeeded\ntool_2  bash       Failed\n"
            "tool_3  bash       Canceled\n");
  std::string runs;
  for (const char c : value("m/sessions/" + id + ".json", "toolRuns"))
    if (c != ' ' && c != '\n') runs += c;
  EXPECT_EQ(runs, R"([{"runId":"tool_1","toolName":"edit_file","status":"Succeeded"},)"
                  R"({"runId":"tool_2","toolName":"bash","status":"Failed"},)"
                  R"({"runId":"tool_3","toolName":"bash","status":"Canceled"}])");
}

TEST_F(RowsMaestro, M18_BothSnapshotShapesAreKeptAndShown) {
  thread(R"("stateSnapshot":{"state":"Ready","pendingToolCalls":[{"callId":"c1"}]})");
  ASSERT_EQ(hf("thread get thr_1"), 0) << err;
  EXPECT_TRUE(out.contains("state_snapshot.state: Ready\n")) << out;
  const std::string inner =
      R"({"kind":"ready","pending_tool_calls":[{"call_id":"c","name":"edit_file","arguments":{},"mutating":true}],)"
      R"("tool_runs":[]})";
  thread(R"("stateSnapshot":)" + inner);
  ASSERT_EQ(hf("thread get thr_1"), 0) << err;
  EXPECT_TRUE(out.contains("state_snapshot.kind: ready\n")) << out;
  EXPECT_TRUE(out.contains("c        edit_file  true\n")) << out;
  ASSERT_EQ(hf("call list_threads"), 0) << err;
  EXPECT_TRUE(out.contains(R"("state":"ready","pendingToolCalls":1)")) << out;
  std::string kept;
  for (const char c : value("m/threads/thr_1.json", "stateSnapshot"))
    if (c != ' ' && c != '\n') kept += c;
  EXPECT_EQ(kept, inner);
}

// The answers of docs/adr/0005, and a store that follows them.
TEST_F(RowsMaestro, M19_MessagesAreKeptAndToolOutputsAreVerbatim) {
  std::ifstream page(paths::source() + "/docs/adr/0005-messages-are-files-nothing-is-deleted-outputs-are-verbatim.md");
  const std::string answers{std::istreambuf_iterator<char>(page), {}};
  for (const char* const answer : {"Default retention? None", "Tool outputs verbatim or summarised? Verbatim"})
    EXPECT_TRUE(answers.contains(answer)) << answer;
  thread();
  const std::string id = session();
  std::string output;
  for (int i = 0; i < 8000; ++i) output += "line " + std::to_string(i) + R"(\t\"x\"\n)";
  ASSERT_EQ(call("append_message", R"({"message":{"id":"msg_1","sessionId":")" + id +
                                       R"(","role":"tool","toolCallId":"c1","content":")" + output + "\"}}"),
            0)
      << err;
  EXPECT_TRUE(text("m/messages/thr_1/msg_1.json").contains("\"content\": \"" + output + "\"")) << "word for word";
  ASSERT_EQ(call("mark_session_ended", R"({"session_id":")" + id + R"(","status":"completed"})"), 0) << err;
  ASSERT_EQ(sh("find $HOME/m -exec touch -d '10 years ago' {} +"), 0) << err;
  ASSERT_EQ(hf("store repair"), 0) << err;
  thread(R"("title":"Renamed")");
  EXPECT_EQ(count("messages"), 1u);
  EXPECT_EQ(count("sessions"), 1u);
  ASSERT_EQ(hf("call list_messages '{\"thread_id\":\"thr_1\"}'"), 0) << err;
  EXPECT_TRUE(out.contains("\"content\":\"" + output + "\""));
}

// An acknowledged save is on disk: thread, index and queue item are one commit.
TEST_F(RowsMaestro, M20_SaveIsAtomicAcrossThreadIndexAndQueue) {
  configure("sync_enabled = true\nsync_directory = \"" + home + "/share\"\n");
  thread(R"("title":"save 0","privacy":{"localOnly":false})");
  EXPECT_EQ(count("sync_queue"), 1u);
  int save = 0;
  for (int round = 0; round < 4; ++round) {
    RpcProcess door(home, {"--store", name()});
    done(door, "events.subscribe", "{}");
    for (int i = 0; i < 2; ++i) {
      done(door, "save_thread", rename(++save));
      const std::string updated = value("m/threads/thr_1.json", "updatedAt");
      EXPECT_EQ(value("m/threads/thr_1.json", "title"), "save " + std::to_string(save));
      EXPECT_EQ(indexed("title"), "save " + std::to_string(save));
      EXPECT_EQ(indexed("updatedAt"), updated);
      EXPECT_TRUE(std::ranges::any_of(door.events, [&](const std::string& one) {
        return one.contains("\"session:persisted\"") && one.contains(updated);
      })) << updated;
    }
    door.send(door.request("save_thread", rename(save + 1)));
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
    ::kill(door.pid(), SIGKILL);
    EXPECT_EQ(door.wait(), 1000 + SIGKILL);
    ASSERT_EQ(hf("store repair"), 0) << err;
    const std::string title = value("m/threads/thr_1.json", "title");
    if (title == "save " + std::to_string(save + 1)) ++save;
    EXPECT_EQ(title, "save " + std::to_string(save));
    EXPECT_EQ(indexed("title"), title);
    EXPECT_EQ(indexed("updatedAt"), value("m/threads/thr_1.json", "updatedAt"));
    EXPECT_GE(count("sync_queue"), 1u);
  }
  // A local thread is not queued.
  ASSERT_EQ(call("save_thread", R"({"thread":{"id":"thr_2","title":"mine","projectPath":"/q"}})"), 0) << err;
  EXPECT_EQ(sh("grep -l thr_2 $HOME/m/sync_queue/*"), 1) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
