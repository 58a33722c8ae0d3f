// The real binary on real files, in its own home: what scripts rely on.
#include <algorithm>
#include <filesystem>

#include "tests/cli/shell_testing.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Commands : Shell {
  Commands() : Shell("desk") {}

  std::string error_code() const { return JsonView(err).find("error").find("code").as_string().value_or(err); }
  bool out_is_one_document() const {
    return check_json(out).ok() && std::count(out.begin(), out.end(), '\n') == 1 && field({"schema_version"}) == "1";
  }
  std::string create() {
    EXPECT_EQ(sh("$H session create --title 'Fix it' --json"), 0) << err;
    return field({"id"});
  }
};

TEST_F(Commands, SessionLifecycle) {
  const std::string id = create();
  EXPECT_TRUE(out_is_one_document()) << out;
  EXPECT_EQ(field({"session", "store"}), "holdfast:" + home + "/.local/share/holdfast");
  ASSERT_EQ(sh("$H message append " + id + " 'What is it?' --json"), 0) << err;
  EXPECT_EQ(field({"durability"}), "power");
  ASSERT_EQ(sh("$H call message.append '{\"session\":\"@last\",\"message\":{\"role\":\"assistant\",\"text\":\"A "
               "parser.\"}}'"),
            0)
      << err;
  EXPECT_TRUE(out_is_one_document()) << out;
  ASSERT_EQ(sh("$H session list"), 0);
  EXPECT_NE(out.find(id), std::string::npos);
  EXPECT_NE(out.find("Fix it"), std::string::npos);
  ASSERT_EQ(sh("$H session show " + id), 0);
  EXPECT_TRUE(out.starts_with("Fix it\n")) << out;
  EXPECT_NE(out.find("A parser."), std::string::npos);
  ASSERT_EQ(sh("$H session show " + id + " --format json"), 0);
  EXPECT_EQ(field({"session", "counts", "assistant"}), "1");
  ASSERT_EQ(sh("$H session show " + id + " --format yaml"), 0);
  EXPECT_TRUE(out.starts_with("schema_version: 1\n")) << out;
  ASSERT_EQ(sh("$H session end " + id + " --status failed --json"), 0);
  EXPECT_EQ(field({"session", "status"}), "failed");
  EXPECT_EQ(sh("$H session delete " + id), 2);
  EXPECT_NE(err.find("--yes"), std::string::npos);
  EXPECT_EQ(sh("$H session delete " + id + " --dry-run"), 0);
  EXPECT_TRUE(out.starts_with("would delete session " + id)) << out;
  EXPECT_EQ(sh("$H session get " + id), 0) << "nothing was deleted so far";
  EXPECT_EQ(sh("$H session delete " + id + " --yes"), 0);
  EXPECT_EQ(sh("$H session get " + id), 3);
  EXPECT_EQ(out, "");
}

TEST_F(Commands, ArgumentAndOptionOfTheSameNameAreRefused) {
  const std::string id = create();
  EXPECT_EQ(sh("$H message append " + id + " first --text second"), 2) << out;
  EXPECT_EQ(err, "holdfast: message append takes --text or an argument for it, not both\n");
  EXPECT_EQ(sh("$H rename " + id + " T1 --title T2"), 2) << out;
  EXPECT_TRUE(err.contains("--title or an argument for it, not both")) << err;
  ASSERT_EQ(sh("$H show " + id), 0) << err;
  EXPECT_TRUE(out.starts_with("Fix it\n") && !out.contains("second")) << out;
}

TEST_F(Commands, CallReadsAllParameterSourcesAndMapsErrors) {
  EXPECT_EQ(sh("echo '{\"title\":\"in\"}' | $H call session.create -"), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "in");
  EXPECT_EQ(sh("echo '{\"title\":\"file\"}' > p.json; $H call session.create @p.json"), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "file");
  EXPECT_EQ(sh("$H call create_session"), 0);
  EXPECT_EQ(sh("$H call session.list '{\"limit\":1}'"), 0);
  EXPECT_EQ(field({"total"}), "3");
  EXPECT_EQ(field({"next"}), "1");
  EXPECT_EQ(sh("$H call sesion.list"), 2);
  EXPECT_EQ(out, "");
  EXPECT_EQ(error_code(), "invalid_argument");
  EXPECT_EQ(sh("$H call session.list '{oops'"), 2);
  EXPECT_EQ(error_code(), "invalid_argument");
  EXPECT_EQ(sh("$H call session.get '{\"id\":\"nobody\"}'"), 3);
  EXPECT_EQ(error_code(), "not_found");
  EXPECT_EQ(sh("$H call session.get '{\"id\":\"ses_\"}'"), 3) << "ambiguous";
  EXPECT_EQ(sh("$H call session.create @missing.json"), 3);
  EXPECT_EQ(sh("$H call"), 2);
  EXPECT_EQ(sh("$H call events.subscribe"), 2);
  EXPECT_EQ(error_code(), "unsupported");
  EXPECT_EQ(sh("HOLDFAST_HOME=/sys/nowhere $H call session.create"), 5) << err;
}

TEST_F(Commands, InitCreatesProjectStore) {
  ASSERT_EQ(sh("$H init && mkdir -p deep/er && cd deep/er && $H session create --json --project ."), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/desk/.holdfast/FORMAT"));
  EXPECT_FALSE(fs::exists(home + "/.local/share/holdfast"));
  ASSERT_EQ(sh("$H session list --json"), 0);
  EXPECT_EQ(field({"total"}), "1");
  EXPECT_NE(out.find("\"project\":\"" + home + "/desk/deep/er\""), std::string::npos) << out;
  EXPECT_EQ(sh("$H init"), 0) << "again is harmless";
  EXPECT_EQ(sh("cd / && $H session list --json"), 0);
  EXPECT_EQ(field({"total"}), "0") << "not below the project";
}

TEST_F(Commands, SelectsStoreByFlagAndEnvironment) {
  ASSERT_EQ(sh("$H session create --store linggen:lg --project . --json"), 0) << err;
  EXPECT_EQ(field({"session", "store"}), "linggen:" + home + "/desk/lg");
  ASSERT_EQ(sh("$H --store linggen:lg session list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  ASSERT_EQ(sh("HOLDFAST_STORE=linggen:lg $H session list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  ASSERT_EQ(sh("LINGGEN_HOME=$HOME/desk/lg $H session list --layout linggen --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  ASSERT_EQ(sh("$H session list --json"), 0);
  EXPECT_EQ(field({"total"}), "0");
  EXPECT_EQ(sh("$H session list --store lingen:lg"), 2);
  EXPECT_NE(err.find("did you mean linggen?"), std::string::npos) << err;
  ASSERT_EQ(sh("LINGGEN_HOME=$HOME/desk/lg $H store list --json"), 0);
  EXPECT_NE(out.find("\"layout\":\"linggen\""), std::string::npos) << out;
}

TEST_F(Commands, RunMissionCredentialAndPermissionCommands) {
  ASSERT_EQ(sh("$H run start --project . --agent coder --json"), 0) << err;
  const std::string run = field({"run", "id"});
  ASSERT_EQ(sh("$H run finish " + run + " --project . --status failed --json"), 0) << err;
  EXPECT_EQ(field({"run", "status"}), "failed");
  ASSERT_EQ(sh("$H mission set 'All green' --project . && $H mission get --project ."), 0) << err;
  EXPECT_NE(out.find("text: All green"), std::string::npos);
  ASSERT_EQ(sh("echo sk-secret | $H credential set m1 --api-key - && $H credential list && $H credential list --json"),
            0)
      << err;
  EXPECT_EQ((out + err).find("sk-secret"), std::string::npos);
  EXPECT_NE(out.find("***"), std::string::npos);
  ASSERT_EQ(sh("$H permission allow Bash --project . && $H permission list --project ."), 0);
  EXPECT_TRUE(out.ends_with("Bash\n")) << out;
}

TEST_F(Commands, StripsEscapeSequencesFromTitles) {
  ASSERT_EQ(sh("$H session create --title \"$(printf 'evil\\033[2Jtitle')\""), 0) << err;
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  ASSERT_EQ(sh("$H session list"), 0);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_NE(out.find("eviltitle"), std::string::npos) << out;
}

TEST_F(Commands, HelpAndHints) {
  EXPECT_EQ(sh("$H session"), 0);
  EXPECT_NE(out.find("create"), std::string::npos);
  EXPECT_EQ(sh("$H help session"), 0);
  const std::string noun = out;
  EXPECT_EQ(sh("$H session --help"), 0);
  EXPECT_EQ(out, noun);
  EXPECT_EQ(sh("$H session create --help"), 0);
  EXPECT_NE(out.find("Example\n  holdfast session create"), std::string::npos) << out;
  EXPECT_EQ(sh("$H session creat"), 2);
  EXPECT_EQ(err, "holdfast: session has no verb creat; did you mean create?\n");
  EXPECT_EQ(sh("$H sesion list"), 2);
  EXPECT_EQ(err, "holdfast: unknown command sesion; did you mean session?\n");
  EXPECT_EQ(sh("$H session list --limt 3"), 2);
  EXPECT_EQ(err, "holdfast: unknown option --limt; did you mean --limit?\n");
  EXPECT_EQ(sh("$H session list --limit x"), 2);
  EXPECT_EQ(sh("$H session get"), 2);
  EXPECT_NE(err.find("needs an ID"), std::string::npos) << err;
  EXPECT_EQ(sh("$H api"), 0);
  EXPECT_NE(out.find("session.create"), std::string::npos);
  EXPECT_EQ(sh("$H api --json"), 0);
  EXPECT_TRUE(check_json(out).ok());
}

// An id is looked up in every store on this machine, whatever its layout.
// A prefix of several sessions of one store is ambiguous, whatever other stores have.
TEST_F(Commands, LooksUpIdInAllStores) {
  create();
  const std::string id = "bbbbbbbb-0000-4000-8000-00000000000";
  const auto put = [&](const std::string& path, const std::string& line) {
    fs::create_directories(fs::path(home + path).parent_path());
    std::ofstream(home + path) << line << "\n";
  };
  const std::string said = R"({"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"hi"}})";
  put("/.claude/projects/-desk/" + id + "1.jsonl", said);
  put("/.claude/projects/-desk/" + id + "2.jsonl", said);
  put("/.pi/agent/sessions/--desk--/2026-01-01T00-00-00-000Z_" + id + "3.jsonl",
      R"({"type":"session","version":3,"id":")" + id + R"(3","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/desk"})");
  for (const char* const command : {"show", "export", "tail -n 1"}) {
    EXPECT_EQ(sh(std::string("$H ") + command + " bbbb"), 3) << command << out;
    EXPECT_NE(err.find("\"bbbb\" is ambiguous: 3 sessions begin with it"), std::string::npos) << command << err;
  }
  EXPECT_EQ(sh("$H show pi/bbbb"), 0) << err;
  EXPECT_EQ(sh("$H show " + id + "3"), 0) << err;
  EXPECT_EQ(sh("$H show cccc"), 3);
  EXPECT_NE(err.find("there is no session cccc in any of 3 stores"), std::string::npos) << err;
  EXPECT_EQ(sh("$H show '2 sessions begin with c'"), 3) << "an id is no reason, whatever words it has";
  EXPECT_NE(err.find("there is no session 2 sessions begin with c in any of 3 stores"), std::string::npos) << err;
  EXPECT_EQ(sh("$H show cccc --store pi:$HOME/.pi/agent"), 3);
  EXPECT_NE(err.find("there is no session cccc (pi:"), std::string::npos) << err;
  EXPECT_EQ(sh("$H ls --layout nope"), 2) << out;
  EXPECT_NE(err.find("there is no layout \"nope\"; known names are "), std::string::npos) << err;
  EXPECT_NE(err.find(" codex, gemini"), std::string::npos) << err;
  EXPECT_EQ(sh("$H ls --layout qwen"), 1) << "it could be here";
}

TEST_F(Commands, ListSearchStatsShowExportAndImportAcrossStores) {
  const std::string id = create();
  ASSERT_EQ(sh("$H message append " + id + " --text 'find the needle here'"), 0) << err;
  const std::string claude = home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl";
  fs::create_directories(fs::path(claude).parent_path());
  std::ofstream(claude)
      << "{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null,\"timestamp\":\"2026-01-01T00:00:00Z\","
         "\"message\":{\"role\":\"user\",\"content\":\"a NEEDLE \\u001b[31mtoo\"}}\n"
         "{\"type\":\"assistant\",\"uuid\":\"v\",\"parentUuid\":\"u\",\"timestamp\":"
         "\"2026-01-01T00:00:01Z\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"model\":\"opus\","
         "\"content\":[{\"type\":\"text\",\"text\":\"yes\"}],\"usage\":{\"input_tokens\":1,"
         "\"output_tokens\":7}}}\n";
  EXPECT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out_is_one_document()) << out;
  EXPECT_NE(out.find(id), std::string::npos);
  EXPECT_NE(out.find("\"layout\":\"claude-code\""), std::string::npos);
  EXPECT_EQ(sh("$H ls --layout claude-code --json"), 0) << err;
  EXPECT_EQ(out.find(id), std::string::npos);
  EXPECT_EQ(sh("$H ls --since 1d --json"), 0) << err;
  EXPECT_EQ(out.find("claude-code"), std::string::npos) << out;
  EXPECT_EQ(sh("$H ls --since soon"), 2);
  EXPECT_EQ(sh("$H"), 0) << err;
  EXPECT_TRUE(out.starts_with("2 sessions on this machine, 1 KB\n")) << out;
  EXPECT_EQ(sh("HOME=$HOME/gone $H"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/gone")) << "nobody's home is made";
  EXPECT_TRUE(out.starts_with("There are no sessions on this machine yet.\n")) << out;
  EXPECT_EQ(sh("$H stores --json"), 0) << err;
  EXPECT_NE(out.find("\"layout\":\"claude-code\""), std::string::npos);
  EXPECT_EQ(sh("$H search needle --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
  EXPECT_EQ(sh("$H search needle find --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_EQ(sh("$H search nowhere"), 1);
  EXPECT_EQ(sh("$H search '(' --regex"), 2);
  EXPECT_EQ(sh("$H stats --by model --json"), 0) << err;
  EXPECT_EQ(field({"total", "usage", "output"}), "7") << out;
  EXPECT_EQ(field({"total", "prompts"}), "2") << out;
  EXPECT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("a NEEDLE too"), std::string::npos) << out;
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(sh("$H show aaaaaaaa --format json"), 0) << err;
  EXPECT_EQ(field({"session", "id"}), "aaaaaaaa-0000-4000-8000-000000000001");
  EXPECT_EQ(sh("$H export aaaaaaaa --format html"), 0) << err;
  EXPECT_TRUE(out.starts_with("<!doctype html>")) << out.substr(0, 80);
  EXPECT_EQ(sh("$H export aaaaaaaa --format jsonl > copy; $H import copy --json"), 0) << err;
  EXPECT_EQ(field({"session", "usage", "output"}), "7") << out;
  EXPECT_EQ(field({"session", "layout"}), "holdfast") << out;
  EXPECT_EQ(sh("$H import copy"), 2) << out;  // it already exists
}

TEST_F(Commands, TailFollowsASession) {
  const std::string id = create();
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(sh("$H message append " + id + " --text 'old " + std::to_string(i) + "'"), 0) << err;
  EXPECT_EQ(sh("$H tail " + id + " -n 2 --json"), 0) << err;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2) << out;
  EXPECT_EQ(out.find("old 0"), std::string::npos) << out;
  // Interrupted once everything is there.
  EXPECT_EQ(sh("$H tail " + id +
               " -f -n 1 > tailed & P=$!\n"
               "until_in 'old 2' tailed\n"
               "$H message append " +
               id +
               " --text 'new one' > /dev/null\n"
               "until_in 'new one' tailed\n"
               "$H message append " +
               id +
               " --text 'new two' > /dev/null\n"
               "until_in 'new two' tailed\n"
               "kill -INT $P; wait $P"),
            130)
      << err;
  const std::string seen = text("desk/tailed");
  EXPECT_LT(seen.find("old 2"), seen.find("new one")) << seen;
  EXPECT_LT(seen.find("new one"), seen.find("new two")) << seen;
  EXPECT_NE(seen.find("new two"), std::string::npos) << seen;
  EXPECT_EQ(seen.find("new one"), seen.rfind("new one")) << seen;
}

TEST_F(Commands, RpcServesAndHoldsTheLease) {
  const std::string id = create();
  // A fifo keeps the input open while another process reads.
  ASSERT_EQ(sh("mkfifo in; $H rpc < in > answers & exec 3> in\n"
               "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}' >&3\n"
               "echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session.resume\",\"params\":{\"id\":\"" +
               id +
               "\"}}' >&3\n"
               "until_in '\"id\":2' answers\n"
               "$H call session.resume '{\"id\":\"" +
               id + "\"}'; echo $? > busy\nexec 3>&-; wait; cat answers\n$H call session.resume '{\"id\":\"" + id +
               "\"}' > /dev/null"),
            0)
      << err;
  EXPECT_EQ(text("desk/busy"), "6\n");
  EXPECT_EQ(error_code(), "busy");
  EXPECT_NE(out.find("\"owner\":\"this\""), std::string::npos) << out;
}

// A script owns its session as long as it lives; others are refused.
TEST_F(Commands, OwnerPidHoldsSessionUntilProcessEnds) {
  ASSERT_EQ(sh("sleep 60 & A=$!\n"
               "sleep 60 & B=$!\n"
               "$H call session.create --owner-pid $A > made\n"
               "ID=$(sed 's/.*\"id\":\"\\(ses_[a-z0-9]*\\)\".*/\\1/' made)\n"
               "M='{\"session\":\"'$ID'\",\"role\":\"user\",\"text\":\"hi\"}'\n"
               "R='{\"id\":\"'$ID'\"}'\n"
               "$H call message.append \"$M\" --owner-pid $A; echo same $? > codes\n"
               "$H call message.append \"$M\" --owner-pid $B; echo other $? >> codes\n"
               "$H call session.resume \"$R\"; echo nobody $? >> codes\n"
               "$H call session.get \"$R\" > running\n"
               "kill $A; for i in $(seq 600); do\n"
               "  $H call session.get \"$R\" > dead; grep -q running dead || break; sleep 0.05; done\n"
               "$H call session.resume \"$R\" --owner-pid $B; echo heir $? >> codes\n"
               "$H call session.end \"$R\" --owner-pid $B; echo end $? >> codes\n"
               "$H call session.get \"$R\" > ended\n"
               "$H call session.resume \"$R\" --owner-pid 999999999; echo nosuch $? >> codes\n"
               "kill $B"),
            0)
      << err;
  EXPECT_EQ(text("desk/codes"), "same 0\nother 6\nnobody 6\nheir 0\nend 0\nnosuch 2\n") << out << err;
  EXPECT_NE(text("desk/running").find("\"status\":\"running\""), std::string::npos) << text("desk/running");
  EXPECT_NE(text("desk/dead").find("\"status\":\"interrupted\""), std::string::npos) << text("desk/dead");
  EXPECT_NE(text("desk/ended").find("\"status\":\"complete\""), std::string::npos) << text("desk/ended");
}

TEST_F(Commands, ConcurrentCallsOfSameOwnerSucceed) {
  ASSERT_EQ(
      sh("sleep 60 & A=$!\n"
         "$H call session.create > made\n"
         "ID=$(sed 's/.*\"id\":\"\\(ses_[a-z0-9]*\\)\".*/\\1/' made)\n"
         "M='{\"session\":\"'$ID'\",\"role\":\"user\",\"text\":\"hi\"}'\n"
         "for i in 1 2 3 4; do ($H call message.append \"$M\" --owner-pid $A; echo $? >> codes) & P=\"$P $!\"; done\n"
         "wait $P; kill $A; cat codes"),
      0)
      << err;
  EXPECT_NE(out.find("0\n0\n0\n0\n"), std::string::npos) << out << err;
  ASSERT_EQ(sh("$H call message.list '{\"session\":\"@last\"}'"), 0) << err;
  EXPECT_EQ(field({"total"}), "4") << out;
}

TEST_F(Commands, RpcExitsOnSigterm) {
  EXPECT_EQ(sh("mkfifo in; $H rpc < in > answers & P=$!; exec 3> in\n"
               "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}' >&3\n"
               "until_in result answers\n"
               "kill -TERM $P; wait $P"),
            130)
      << err;
}

// JSON cannot hold other bytes; if they were replaced, they would be acknowledged but lost.
TEST_F(Commands, RefusesTextThatIsNotUtf8) {
  const std::string id = create();
  EXPECT_EQ(sh("$H message append " + id + " \"$(printf 'a\\377b')\""), 2);
  EXPECT_TRUE(err.contains("TEXT is not valid UTF-8")) << err;
  EXPECT_EQ(sh("$H session create --project /srv/p --title \"$(printf 'a\\377b')\""), 2);
  EXPECT_TRUE(err.contains("--title is not valid UTF-8")) << err;
  ASSERT_EQ(sh("$H message list " + id + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":0")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
