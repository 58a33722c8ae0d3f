// What a user of the Open Agent SDK asks for, through the command line and rpc (rows O01 to O18).
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "550e8400-e29b-41d4-a716-446655440000";

struct OpenAgentDoor : Shell {
  OpenAgentDoor() : Shell("desk") {}
  std::string store() const { return " --store open-agent:" + home + "/oa"; }
  std::string flat(const std::string& id) const { return "oa/sessions/" + id + ".jsonl"; }
  // A session as the SDK's own command line leaves it: in the flat folder, with all its options in the header.
  void flat_session(const std::string& options, const std::string& id = kId) const {
    fs::create_directories(home + "/oa/sessions");
    std::ofstream(home + "/" + flat(id))
        << R"({"type":"session_header","id":")" << id
        << R"(","model":"m","provider":"p","createdAt":1,"updatedAt":1,"options":)" << options << "}\n"
        << R"({"type":"user","uuid":"13fd8a85-0000-4000-8000-000000000000","session_id":")" << id
        << R"(","message":{"role":"user","content":"hello there"},"parent_tool_use_id":null,"odd":1.50})" << "\n"
        << R"({"type":"assistant","uuid":"13fd8a85-0000-4000-8000-000000000001","session_id":")" << id
        << R"(","message":{"role":"assistant","content":[{"type":"text","text":"good day"}]},"parent_tool_use_id":null,)"
        << R"("timestamp":"2026-01-01T00:00:00.000Z","model":"m","usage":{"input_tokens":3,"output_tokens":5}})"
        << "\n";
  }
};

TEST_F(OpenAgentDoor, O01_UnknownSessionIsAnErrorUnlessIfExists) {
  flat_session("{}");
  const std::string other = "650e8400-e29b-41d4-a716-446655440000";
  EXPECT_EQ(sh("$H message append " + other + " hi" + store()), 3);
  ASSERT_EQ(sh("$H message append " + other + " hi --if-exists --json" + store()), 0) << err;
  EXPECT_EQ(field({"appended"}), "false");
  EXPECT_FALSE(fs::exists(home + "/" + flat(other)));
  ASSERT_EQ(sh("$H message append " + std::string(kId) + " hi --if-exists --json" + store()), 0) << err;
  EXPECT_EQ(field({"appended"}), "true");
  EXPECT_NE(text(flat(kId)).find("\"hi\""), std::string::npos);
}

TEST_F(OpenAgentDoor, O04_AcceptsTheSdkSpellingOfStopReason) {
  flat_session("{}");
  ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + std::string(kId) +
               "\",\"message\":{\"role\":\"assistant\",\"text\":\"x\",\"stopReason\":\"end_turn\"}}'" + store()),
            0)
      << err;
  ASSERT_EQ(sh("$H message list " + std::string(kId) + " --last 1 --json" + store()), 0) << err;
  EXPECT_NE(out.find("\"stop_reason\":\"end_turn\""), std::string::npos) << out;
  EXPECT_EQ(out.find("stopReason"), std::string::npos) << out;
}

// No message to the user has a gap where the name of a message should be.
TEST_F(OpenAgentDoor, AppendOfMessageWithoutIdIsReported) {
  flat_session("{}");
  ASSERT_EQ(sh("$H message append " + std::string(kId) + " --raw '{\"type\":\"progress\"}'" + store()), 0) << err;
  EXPECT_EQ(out, "added a message to " + std::string(kId) + "\n");
}

TEST_F(OpenAgentDoor, O15_MemoryWithoutProjectIsRead) {
  fs::create_directories(home + "/oa/projects/memory");
  std::ofstream(home + "/oa/projects/memory/MEMORY.md") << "of everything\n";
  ASSERT_EQ(sh("$H memory get MEMORY" + store()), 0) << err;
  EXPECT_NE(out.find("of everything"), std::string::npos) << out;
  ASSERT_EQ(sh("$H memory list --json" + store()), 0) << err;
  EXPECT_NE(out.find("of everything"), std::string::npos) << out;
  ASSERT_EQ(sh("$H memory list --project /home/me/p --json" + store()), 0) << err;
  EXPECT_EQ(field({"total"}), "0");
}

TEST_F(OpenAgentDoor, SessionWithoutTimesIsIndexedByFileTime) {
  const std::string folder = "oa/projects/-home-me-p/";
  fs::create_directories(home + "/" + folder);
  std::ofstream(home + "/" + folder + kId + ".jsonl")
      << R"({"type":"user","uuid":"13fd8a85-0000-4000-8000-000000000000","message":{"role":"user","content":"x"}})"
      << "\n";
  std::ofstream(home + "/" + folder + "sessions-index.json") << R"({"version":1,"entries":[]})";
  ASSERT_EQ(sh("touch -d '2026-01-02T03:04:05Z' $HOME/" + folder + kId + ".jsonl && $H store reindex" + store()), 0)
      << err;
  const std::string index = text(folder + "sessions-index.json");
  EXPECT_NE(index.find("\"fileMtime\":1767323045000"), std::string::npos) << index;
  EXPECT_NE(index.find("\"modified\":\"2026-01-02T03:04:05.000Z\""), std::string::npos) << index;
  EXPECT_NE(index.find("\"created\":\"2026-01-02T03:04:05.000Z\""), std::string::npos) << index;
}

// A client that retries after a lost answer is safe through every door.
TEST_F(OpenAgentDoor, RepeatedMessageIsStoredOnce) {
  flat_session("{}");
  const std::string line = R"({"type":"user","uuid":"aaaaaaaa-0000-4000-8000-000000000009",)"
                           R"("message":{"role":"user","content":"same"}})";
  const std::string call = "$H call message.append '{\"session\":\"" + std::string(kId) + "\",\"raw\":" + line + "}'";
  ASSERT_EQ(sh(call + store()), 0) << err;
  const std::string bytes = text(flat(kId));
  EXPECT_NE(sh(call + store()), 0);
  EXPECT_NE((out + err).find("already_exists"), std::string::npos) << out << err;
  EXPECT_EQ(text(flat(kId)), bytes);
  EXPECT_EQ(sh("$H verify " + std::string(kId) + store()), 0) << out;
  // A line without an id may be repeated.
  const std::string nameless =
      "$H call message.append '{\"session\":\"" + std::string(kId) + "\",\"raw\":{\"type\":\"progress\"}}'" + store();
  EXPECT_EQ(sh(nameless + " && " + nameless), 0) << err;
}

// No hint names a command that is refused here.
TEST_F(OpenAgentDoor, DamageHintsWorkWhenPasted) {
  flat_session(R"({"env":{"API_KEY":"sk-planted-0000000000000000"}})");
  ASSERT_EQ(sh("printf '{\"type\":\"us' >> $HOME/" + flat(kId) + "; $H message append " + kId + " b" + store()), 0)
      << err;
  const std::string copy = "holdfast rescue" + store() + " open-agent/" + kId + " -o FILE to write a clean copy";
  for (const std::string command : {"$H show ", "$H export ", "$H verify "}) {
    sh(command + kId + store());
    EXPECT_NE(err.find(copy), std::string::npos) << command << err;
    EXPECT_NE(err.find("holdfast session scrub" + store() + " open-agent/" + kId), std::string::npos) << command << err;
    EXPECT_EQ(err.find("--install"), std::string::npos) << command << err;
  }
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes" + store()), 2);
  EXPECT_NE(err.find(copy), std::string::npos) << err;
  ASSERT_EQ(sh("$H rescue " + std::string(kId) + " -o $HOME/copy.jsonl" + store()), 0) << err;
  EXPECT_NE(text("copy.jsonl").find("hello there"), std::string::npos);
  EXPECT_EQ(text("copy.jsonl").find("{\"type\":\"us\n"), std::string::npos);
  ASSERT_EQ(sh("$H session scrub " + std::string(kId) + " --yes" + store()), 0) << err;
  sh("$H show " + std::string(kId) + store());
  EXPECT_EQ(err.find("scrub"), std::string::npos) << err;
}

// The conversation goes on.
TEST_F(OpenAgentDoor, O17_ScrubbingKeepsTheOwner) {
  flat_session(R"({"env":{"API_KEY":"sk-planted-0000000000000000"}})");
  RpcProcess door(home, {"--store", "open-agent:" + home + "/oa"});
  const std::string named = R"({"id":")" + std::string(kId) + "\"}";
  EXPECT_TRUE(JsonView(door.ask("session.resume", named)).find("result"));
  const std::string scrubbed = door.ask("session.scrub", named);
  EXPECT_TRUE(scrubbed.contains(R"("secrets":1)")) << scrubbed;
  EXPECT_FALSE(text(flat(kId)).contains("sk-planted"));
  EXPECT_EQ(sh("$H message append " + std::string(kId) + " x" + store()), 6) << out;
  const std::string more = door.ask("message.append", R"({"session":")" + std::string(kId) + R"(","text":"more"})");
  EXPECT_TRUE(JsonView(more).find("result")) << more;
  EXPECT_TRUE(text(flat(kId)).contains("\"more\""));
}

TEST_F(OpenAgentDoor, O05_RegroupMovesFlatSessionsToTheirProjects) {
  flat_session(R"({"cwd":"/home/me/p"})");
  const std::string homeless = "750e8400-e29b-41d4-a716-446655440000";
  flat_session("{}", homeless);
  const std::string bytes = text(flat(kId));
  ASSERT_EQ(sh("$H session regroup" + store()), 0) << err;
  EXPECT_NE(out.find(kId), std::string::npos) << out;
  EXPECT_NE(out.find("/home/me/p"), std::string::npos) << out;
  EXPECT_NE(out.find(homeless), std::string::npos) << "what stayed is named: " << out;
  EXPECT_EQ(text("oa/projects/-home-me-p/" + std::string(kId) + ".jsonl"), bytes);
  EXPECT_FALSE(fs::exists(home + "/" + flat(kId)));
  EXPECT_TRUE(fs::exists(home + "/" + flat(homeless)));
  ASSERT_EQ(sh("$H session regroup " + homeless + " --project /home/me/q --json" + store()), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/oa/projects/-home-me-q/" + homeless + ".jsonl")) << out;
  EXPECT_EQ(sh("$H session regroup --project /home/me/q" + store()), 2) << "of which session?";
}

TEST_F(OpenAgentDoor, O08_ExportsTheRequestedAtifVersion) {
  flat_session("{}");
  const std::string show = "$H export " + std::string(kId) + " --format atif" + store();
  ASSERT_EQ(sh(show), 0) << err;
  EXPECT_NE(out.find("ATIF-v1.7"), std::string::npos) << out;
  ASSERT_EQ(sh(show + " --atif-version 1.6"), 0) << err;
  EXPECT_NE(out.find("ATIF-v1.6"), std::string::npos) << out;
  EXPECT_NE(out.find("\"completion_tokens\": 5"), std::string::npos) << out;
  EXPECT_EQ(sh("$H export " + std::string(kId) + " --format md --atif-version 1.6" + store()), 2);
}

struct SummaryCommand : OpenAgentDoor {
  void configure(const std::string& toml) const {
    fs::create_directories(home + "/.config/holdfast");
    std::ofstream(home + "/.config/holdfast/config.toml") << toml;
  }
  std::string summary() {
    EXPECT_EQ(sh("$H session get " + std::string(kId) + " --json" + store()), 0) << err;
    return field({"session", "summary"});
  }
};

TEST_F(SummaryCommand, O09_CommandReadsTranscriptAndItsOutputIsStored) {
  flat_session("{}");
  configure("summary_command = 'cat > \"$HOME/seen\"; echo Two greetings.'\n");
  ASSERT_EQ(sh("$H session end " + std::string(kId) + store()), 0) << err;
  EXPECT_EQ(summary(), "Two greetings.");
  EXPECT_NE(text("seen").find("hello there"), std::string::npos) << text("seen");
  EXPECT_NE(text("seen").find("good day"), std::string::npos);
  EXPECT_NE(text("oa/sessions/sessions-index.json").find("Two greetings."), std::string::npos);
}

TEST_F(SummaryCommand, O09_FailedCommandFallsBackToExtract) {
  flat_session("{}");
  configure("summary_command = 'exit 3'\n");
  ASSERT_EQ(sh("$H session end " + std::string(kId) + " --json" + store()), 0) << err;
  EXPECT_NE(out.find("the command exited with 3"), std::string::npos) << out;
  EXPECT_EQ(summary(), "hello there — good day");
}

TEST_F(SummaryCommand, O09_EachEndSummarizesWhatWasAdded) {
  flat_session("{}");
  const std::string id = kId, end = "$H session end " + id + store();
  const std::string answer = R"({"session":")" + id + R"(","message":{"role":"assistant","text":"done now"}})";
  ASSERT_EQ(sh(end), 0) << err;
  EXPECT_EQ(summary(), "hello there — good day");
  ASSERT_EQ(sh("$H call message.append '" + answer + "'" + store() + " && " + end), 0) << err;
  EXPECT_EQ(summary(), "hello there — done now");
  configure("summary_command = 'wc -l | tr -d \" \"; echo lines'\n");
  ASSERT_EQ(sh(end), 0) << err;
  const std::string before = summary();
  ASSERT_EQ(sh("$H call message.append '" + answer + "'" + store() + " && " + end), 0) << err;
  EXPECT_NE(summary(), before);
}

TEST_F(SummaryCommand, O09_SummaryInOnesOwnWordsIsKept) {
  flat_session("{}");
  const std::string id = kId;
  ASSERT_EQ(sh("$H session update " + id + " --summary 'my words'" + store() + " && $H session end " + id + store()), 0)
      << err;
  EXPECT_EQ(summary(), "my words");
}

TEST_F(SummaryCommand, O09_ProjectCannotSetTheCommand) {
  flat_session("{}");
  fs::create_directories(home + "/desk/.holdfast");
  std::ofstream(home + "/desk/.holdfast/config.toml") << "summary_command = 'touch $HOME/pwned'\n";
  EXPECT_EQ(sh("$H session end " + std::string(kId) + store()), 2);
  EXPECT_NE(err.find("it can only be set in your own configuration"), std::string::npos) << err;
  EXPECT_FALSE(fs::exists(home + "/pwned"));
}

TEST_F(OpenAgentDoor, O14_HistoryAppendCreatesTheStore) {
  ASSERT_EQ(sh("$H history append 'fix the parser'" + store()), 0) << err;
  ASSERT_EQ(sh("$H history list" + store()), 0) << err;
  EXPECT_NE(out.find("fix the parser"), std::string::npos) << out;
}

TEST_F(OpenAgentDoor, O14_HistoryListTakesEveryNameOfASession) {
  flat_session("{}");
  const std::string id = kId;
  ASSERT_EQ(sh("$H history append 'fix the parser' --session " + id + store()), 0) << err;
  ASSERT_EQ(sh("$H history append 'in no session'" + store()), 0) << err;
  for (const std::string& name : {id, id.substr(0, 8), "open-agent/" + id, std::string("@last")}) {
    ASSERT_EQ(sh("$H history list --session " + name + store()), 0) << name << err;
    EXPECT_TRUE(out.contains("fix the parser")) << name << out;
    EXPECT_FALSE(out.contains("in no session")) << name << out;
  }
}

TEST_F(OpenAgentDoor, O17_ScrubRemovesSecretsFromOldHeaders) {
  flat_session(R"({"model":"m","apiKey":"sk-old-and-secret","cwd":"/x"})");
  const std::string scrub = "$H session scrub" + store();
  EXPECT_EQ(sh(scrub), 2) << "it asks first";
  EXPECT_NE(err.find("remove 1 secret from the headers of 1 session"), std::string::npos) << err;
  ASSERT_EQ(sh("$H session list" + store()), 0) << err;
  EXPECT_NE(err.find("run holdfast session scrub" + store() + " open-agent/" + kId + " to remove it\n"),
            std::string::npos)
      << err;
  EXPECT_NE(text(flat(kId)).find("sk-old"), std::string::npos);
  ASSERT_EQ(sh(scrub + " --yes"), 0) << err;
  EXPECT_NE(out.find(kId), std::string::npos) << out;
  EXPECT_NE(out.front(), '\n') << out;
  EXPECT_EQ(sh("grep -rlF sk-old-and-secret $HOME/oa"), 1) << out;
  EXPECT_NE(text(flat(kId)).find("hello there"), std::string::npos);
  EXPECT_NE(text(flat(kId)).find(R"("cwd":"/x")"), std::string::npos);
  ASSERT_EQ(sh(scrub + " --yes"), 0) << err;
}

TEST_F(OpenAgentDoor, LinkInPlaceOfALogIsNamed) {
  flat_session("{}");
  ASSERT_EQ(sh("mv $HOME/" + flat(kId) + " $HOME/real.jsonl && ln -s $HOME/real.jsonl $HOME/" + flat(kId)), 0) << err;
  const std::string why =
      "cannot open for appending: a symbolic link, which is not followed (" + home + "/" + flat(kId) + ")\n";
  EXPECT_EQ(sh("$H message append " + std::string(kId) + " x" + store()), 2) << out;
  EXPECT_EQ(err, "holdfast: " + why);
  ASSERT_EQ(sh("$H session end " + std::string(kId) + store()), 0) << err;
  EXPECT_EQ(err, "warning: other programs cannot see yet that the session has ended: " + why);
}

TEST_F(OpenAgentDoor, O18_RawListReturnsLinesAsStored) {
  flat_session("{}");
  ASSERT_EQ(sh("$H call message.list '{\"session\":\"" + std::string(kId) + "\",\"as\":\"raw\"}'" + store()), 0) << err;
  std::string lines;
  for (const JsonItem& item : JsonView(out).find("items").elements()) lines += std::string(item.value.raw()) + "\n";
  const std::string file = text(flat(kId));
  EXPECT_EQ(lines, file.substr(file.find('\n') + 1));
}

TEST_F(OpenAgentDoor, O15_MemoryPutRequiresId) {
  EXPECT_EQ(sh("$H memory put --body x --project /p" + store()), 2) << out;
  EXPECT_TRUE(err.contains("give the id of one")) << err;
}

// The index of a project follows within 250 ms; until then it lags behind, which is not damage.
TEST_F(OpenAgentDoor, VerifyFindsNoDamageDuringWrites) {
  ASSERT_EQ(sh("$H store create" + store()), 0) << err;
  RpcProcess rpc(home, {"--store", "open-agent:" + home + "/oa"});
  std::atomic<bool> over = false;
  std::jthread writer([&] {
    for (int n = 10; n < 60 && !over; ++n) {
      const std::string id = "aaaaaaaa-0000-4000-8000-0000000000" + std::to_string(n);
      rpc.ask("session.create", R"({"project":"/tmp","id":")" + id + "\"}");
      rpc.ask("message.append", R"({"session":")" + id + R"(","text":"x"})");
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
  });
  for (int look = 0; look < 3; ++look) {
    EXPECT_EQ(sh("$H verify" + store()), 0) << out << err;
    EXPECT_FALSE(out.contains("index_lies")) << out;
  }
  over = true;
  writer.join();
  // An index that stays wrong is reported.
  const std::string index = "$(ls $HOME/oa/projects/*/sessions-index.json)";
  sh("sleep 0.6; test -e " + index +
     " && sed -i 's/aaaaaaaa-0000-4000-8000-000000000010/bbbbbbbb-0000-4000-8000-000000000010/g' " + index);
  EXPECT_EQ(sh("$H verify" + store()), 4) << out << err;
  EXPECT_TRUE(out.contains("index_lies")) << out;
}

// A writer that is killed cannot bring the index up to date any more; nothing is damaged.
TEST_F(OpenAgentDoor, IndexThatLagsBehindAKillIsANote) {
  ASSERT_EQ(sh("$H store create" + store() + " && $H session create --no-lease --project /p" + store() + "; sleep 0.1"),
            0)
      << err;
  RpcProcess rpc(home, {"--store", "open-agent:" + home + "/oa"});
  const std::string made = rpc.ask("session.create", R"({"project":"/p"})");
  ::kill(rpc.pid(), SIGKILL);
  EXPECT_EQ(rpc.wait(), 1000 + SIGKILL);
  EXPECT_TRUE(JsonView(made).find("result")) << made;
  EXPECT_EQ(sh("$H verify" + store()), 0) << out << err;
  EXPECT_FALSE(out.contains("index_lies")) << out;
  EXPECT_EQ(sh("$H verify --json" + store()), 0) << out << err;
  EXPECT_TRUE(out.contains("index_stale") && out.contains("it does not list session")) << out;
  EXPECT_EQ(sh("$H doctor" + store()), 0) << out << err;
}

// A line without a uuid belongs to the line that it follows.
TEST_F(OpenAgentDoor, MessagesBeforeCompactionAreNotActive) {
  ASSERT_EQ(sh("$H store create" + store()), 0) << err;
  RpcProcess rpc(home, {"--store", "open-agent:" + home + "/oa"});
  const std::string id(kId);
  const auto ask = [&](const std::string& method, const std::string& more) {
    const std::string answer = rpc.ask(method, more);
    EXPECT_TRUE(JsonView(answer).find("result")) << method << answer;
    return answer;
  };
  const std::string line = R"("raw":{"type":"progress","toolUseID":"t","data":{"type":"tool_progress","text":"50%"}})";
  ask("session.create", R"({"project":"/tmp","id":")" + id + "\"}");
  ask("message.append", R"({"session":")" + id + R"(","text":"q1"})");
  ask("message.append", R"({"session":")" + id + R"(","text":"a1","role":"assistant"})");
  ask("message.append", R"({"session":")" + id + "\"," + line + "}");
  ask("session.compact", R"({"id":")" + id + R"(","summary":"so far"})");
  ask("message.append", R"({"session":")" + id + R"(","text":"after"})");
  ask("message.append", R"({"session":")" + id + "\"," + line + "}");
  const std::string active = ask("message.list", R"({"session":")" + id + "\"}");
  EXPECT_EQ(JsonView(active).find("result").find("total").as_int64(), 4)
      << "boundary, summary, after, its line: " << active;
  EXPECT_FALSE(active.contains("\"q1\"")) << active;
  const std::string all = ask("message.list", R"({"branch":"all","session":")" + id + "\"}");
  EXPECT_EQ(JsonView(all).find("result").find("total").as_int64(), 7) << all;
}

}  // namespace
}  // namespace holdfast::inline v1
