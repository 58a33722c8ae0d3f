// What a user of Linggen asks for, through the command line and rpc (rows G01 to G16).
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/cli/rpc_process_testing.h"
#include "tests/cli/shell_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct LinggenDoor : Shell {
  LinggenDoor() : Shell("desk") {}
  std::string store() const { return " --store linggen:" + home + "/.linggen"; }
  std::string in_file(const std::string& path) const { return text(path); }
  void put(const std::string& path, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + path).parent_path());
    std::ofstream(home + "/" + path) << bytes;
  }
};

// Linggen writes whole seconds; the times of the files are finer.
TEST_F(LinggenDoor, G03_SessionsOfTheSameSecondAreListedNewestFirst) {
  ASSERT_EQ(sh("$H store create" + store()), 0) << err;
  for (const std::string title : {"A", "B", "C", "D", "E", "F"}) {
    ASSERT_EQ(sh("$H session create --title " + title + " --project /srv/p" + store()), 0) << err;
    ASSERT_EQ(sh("$H session get @last --json" + store()), 0) << err;
    EXPECT_EQ(field({"session", "title"}), title);
  }
  ASSERT_EQ(sh("$H session list --json" + store()), 0) << err;
  std::string titles;
  for (const JsonItem& one : JsonView(out).find("sessions").elements())
    titles += one.value.find("title").as_string().value_or("?");
  EXPECT_EQ(titles, "FEDCBA");
  // A message in an older session makes it the newest, for ls too.
  ASSERT_EQ(sh("B=$($H session list --json" + store() +
               " | grep -o '\"id\":\"[^\"]*\"' | sed -n 5p | cut -d'\"' -f4); $H message append $B hello" + store()),
            0)
      << err;
  ASSERT_EQ(sh("$H session get @last --json" + store()), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "B");
  ASSERT_EQ(sh("$H ls -n 1 --json" + store()), 0) << err;
  EXPECT_NE(out.find("\"title\":\"B\""), std::string::npos) << out;
}

TEST_F(LinggenDoor, G03_MessagesAreFilteredByAgent) {
  put(".linggen/projects/-srv-p/sessions/sess-1-ab/session.yaml", "id: sess-1-ab\ntitle: t\ncreated_at: 1\n");
  std::string lines;
  for (const std::string agent : {"ling", "coder", "ling"})
    lines += R"({"agent_id":")" + agent + R"(","from_id":"user","to_id":")" + agent + R"(","content":"to )" + agent +
             R"(","timestamp":1700000000,"is_observation":false})" + "\n";
  put(".linggen/projects/-srv-p/sessions/sess-1-ab/messages.jsonl", lines);
  ASSERT_EQ(sh("$H message list sess-1-ab --from-agent coder" + store()), 0) << err;
  EXPECT_NE(out.find("to coder"), std::string::npos) << out;
  EXPECT_EQ(out.find("to ling"), std::string::npos) << out;
  ASSERT_EQ(sh("$H message list sess-1-ab --from-agent ling --json" + store()), 0) << err;
  EXPECT_EQ(field({"total"}), "2");
  ASSERT_EQ(sh("$H message list sess-1-ab --from-agent nobody --json" + store()), 0) << err;
  EXPECT_EQ(field({"total"}), "0");
}

// What Maestro calls a harness is not an agent of Linggen.
TEST_F(LinggenDoor, G03_ConfigurationNamesNoAgent) {
  ASSERT_EQ(sh("$H call session.create '{\"title\":\"t\",\"project\":\"/srv/p\",\"config\":{\"harness\":\"codex\"}}'" +
               store()),
            0)
      << err;
  ASSERT_EQ(sh("cat $HOME/.linggen/projects/*/sessions/*/session.yaml"), 0) << err;
  EXPECT_TRUE(out.contains("harness: codex")) << out;
  EXPECT_FALSE(out.contains("agent_id")) << out;
}

// A run belongs to the rpc process that began it; if that is killed, others see the run as interrupted.
TEST_F(LinggenDoor, G04_RunOfKilledRpcIsInterruptedThenFailed) {
  std::string id;
  {
    RpcProcess door(home, {"--store", "linggen:" + home + "/.linggen"});
    const std::string begun = door.ask("run.start", R"({"project":"/srv/p","agent":"ling"})");
    id = JsonView(begun).find("result").find("run").find("run_id").as_string().value_or(begun);
    EXPECT_TRUE(JsonView(begun).find("result").find("owner").is_string("this")) << begun;
    ASSERT_EQ(sh("$H run get " + id + " --project /srv/p" + store()), 0) << err;
    EXPECT_NE(out.find("running"), std::string::npos) << out;
    const std::string other = door.ask("run.start", R"({"project":"/srv/p","agent":"ling"})");
    const std::string done = JsonView(other).find("result").find("run").find("run_id").as_string().value_or("");
    door.ask("run.finish", R"({"id":")" + done + R"(","project":"/srv/p"})");
    ::kill(door.pid(), SIGKILL);
    EXPECT_EQ(door.wait(), 1000 + SIGKILL);
  }
  ASSERT_EQ(sh("$H run list" + store()), 0) << err;
  EXPECT_NE(out.find("interrupted"), std::string::npos) << out;
  EXPECT_NE(out.find("completed"), std::string::npos) << out;
  ASSERT_EQ(sh("$H mission set 'go on' --project /srv/p" + store()), 0) << err;  // as any write does
  ASSERT_EQ(sh("$H run get " + id + " --project /srv/p --json" + store()), 0) << err;
  EXPECT_EQ(field({"run", "status"}), "failed");
  EXPECT_EQ(field({"run", "detail"}), "interrupted");
}

TEST_F(LinggenDoor, G04_RunIsInterruptedWhenItsOwnerExits) {
  // The script runs until a line arrives in the fifo.
  ASSERT_EQ(sh("mkfifo go; sh -c 'read x < go' & P=$!; echo $P > pid; "
               "$H call run.start '{\"project\":\"/srv/p\",\"agent\":\"ling\"}' --owner-pid $P" +
               store()),
            0)
      << err;
  const std::string id = field({"run", "run_id"});
  ASSERT_EQ(sh("$H run get " + id + " --project /srv/p --json" + store()), 0) << err;
  EXPECT_EQ(field({"run", "status"}), "running");
  ASSERT_EQ(sh("echo > go; while kill -0 $(cat pid) 2>/dev/null; do :; done"), 0);
  // The holder of the lease notices by itself.
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(sh("$H run get " + id + " --project /srv/p --json" + store()), 0) << err;
    if (field({"run", "status"}) != "running") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(field({"run", "status"}), "interrupted");
}

// What a crash of Linggen leaves: the session is listed from its messages, so it can be the latest.
TEST_F(LinggenDoor, G03_SessionWithEmptyDocumentCanBeTheLatest) {
  ASSERT_EQ(sh("$H session create --title first --project /srv/p --json" + store()), 0) << err;
  const std::string first = field({"id"});
  ASSERT_EQ(sh("$H message append " + first + " one" + store()), 0) << err;
  const std::string empty = "F=$(find $HOME/.linggen -path '*" + first + "/session.yaml'); : > $F; ";
  ASSERT_EQ(sh(empty + "touch -d '+5 seconds' $F"), 0) << err;
  ASSERT_EQ(sh("$H session show @last" + store()), 0) << err;
  EXPECT_TRUE(out.contains("one")) << out;
  ASSERT_EQ(sh("$H message append @last two" + store()), 0) << err;
  EXPECT_TRUE(out.contains(first)) << out;
  // If another one has the later messages, either may be meant.
  ASSERT_EQ(sh("$H session create --title second --project /srv/p --json" + store()), 0) << err;
  const std::string second = field({"id"});
  ASSERT_EQ(sh("sleep 1; $H message append " + second + " three" + store()), 0) << err;
  ASSERT_EQ(sh(empty + "touch -d '+5 seconds' $F; $H session get @last" + store()), 4) << out;
  EXPECT_TRUE(err.contains("name the session you mean")) << err;
}

// A message without an id is named by its offset, which a fork accepts.
TEST_F(LinggenDoor, G03_AppendedMessageIsNamedByItsOffset) {
  ASSERT_EQ(sh("$H session create --title t --project /srv/p" + store()), 0) << err;
  ASSERT_EQ(sh("$H message append @last one" + store()), 0) << err;
  EXPECT_EQ(out.substr(0, 16), "added 0 to sess-") << out;
  ASSERT_EQ(sh("$H message append @last two --json" + store()), 0) << err;
  EXPECT_NE(field({"offset"}), "0");
  EXPECT_EQ(field({"id"}), field({"offset"}));
  EXPECT_EQ(sh("$H session fork @last " + field({"id"}) + store()), 0) << err;
}

TEST_F(LinggenDoor, G03_UntitledSessionIsNamedByFirstPrompt) {
  ASSERT_EQ(sh("$H session create --project /srv/p --json" + store()), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "New Chat");
  ASSERT_EQ(sh("$H message append @last 'one two three four five six seven'" + store()), 0) << err;
  ASSERT_EQ(sh("$H message append @last 'and more'" + store()), 0) << err;
  ASSERT_EQ(sh("$H session get @last --json" + store()), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "one two three four five six...");
  ASSERT_EQ(sh("$H session update @last --title Mine" + store()), 0) << err;
  ASSERT_EQ(sh("$H session get @last --json" + store()), 0) << err;
  EXPECT_EQ(field({"session", "title"}), "Mine");
}

TEST_F(LinggenDoor, G05_OldMissionFileDoesNotAddAnActiveMission) {
  const std::string folder = ".linggen/projects/-srv-p/";
  put(folder + "project.json", R"({"path":"/srv/p","name":"p","added_at":1})");
  put(folder + "mission.json", R"({"text":"old","created_at":1690000000,"active":true,"agents":[]})");
  put(folder + "missions/1700000000.json", R"({"text":"new","created_at":1700000000,"active":true,"agents":[]})");
  const auto active = [&] {
    EXPECT_EQ(sh("$H mission list --project /srv/p --json" + store()), 0) << err;
    std::string texts;
    for (const JsonItem& one : JsonView(out).find("missions").elements())
      if (one.value.find("active").as_bool() == true) texts += one.value.find("text").as_string().value_or("?");
    return texts;
  };
  EXPECT_EQ(active(), "new");
  ASSERT_EQ(sh("$H store repair" + store()), 0) << err;
  EXPECT_EQ(active(), "new");
  EXPECT_NE(text(folder + "missions/1690000000.json").find("\"active\": false"), std::string::npos)
      << text(folder + "missions/1690000000.json");
}

TEST_F(LinggenDoor, G12_MissionRejectsInvalidAgentId) {
  ASSERT_EQ(sh("$H store create" + store()), 0) << err;
  EXPECT_EQ(sh("$H mission set x --project /srv/p --agents '[{\"id\":\"../x\"}]'" + store()), 2);
  EXPECT_NE(err.find("not a valid agent id: ../x"), std::string::npos) << err;
  EXPECT_EQ(sh("$H mission set x --project /srv/p --agents '[{\"id\":\"ling\"}]'" + store()), 0) << err;
}

TEST_F(LinggenDoor, RevokingMissingPermissionChangesNothing) {
  ASSERT_EQ(sh("$H store create" + store()), 0) << err;
  ASSERT_EQ(sh("$H permission revoke Bash --project ." + store()), 0) << err;
  EXPECT_EQ(out, "Bash was not allowed; nothing was changed\n");
  ASSERT_EQ(sh("$H permission allow Bash --project ." + store()), 0) << err;
  ASSERT_EQ(sh("$H permission revoke Bash --project ." + store()), 0) << err;
  EXPECT_EQ(out, "revoked Bash\n");
}

TEST_F(LinggenDoor, G08_KeysAreFoundInOrderAndNeverPrinted) {
  const std::string get = "$H credential get gemini-flash" + store();
  fs::create_directories(home + "/.linggen/projects");
  EXPECT_EQ(sh(get), 3);
  EXPECT_NE(err.find("LINGGEN_API_KEY_GEMINI_FLASH"), std::string::npos) << err;
  ASSERT_EQ(sh(get, "LINGGEN_API_KEY_GEMINI_FLASH=k3y-of-mine"), 0) << err;
  EXPECT_NE(out.find("LINGGEN_API_KEY_GEMINI_FLASH"), std::string::npos) << out;
  EXPECT_EQ((out + err).find("k3y"), std::string::npos);
  ASSERT_EQ(sh("printf k3y-of-mine | $H credential set gemini-flash --api-key -" + store()), 0) << err;
  ASSERT_EQ(sh(get, "LINGGEN_API_KEY_GEMINI_FLASH=k3y-of-mine"), 0) << err;
  EXPECT_NE(out.find("source: file"), std::string::npos) << out;
  put("desk/linggen-agent.toml", "[[models]]\nid = \"gemini-flash\"\napi_key = \"k3y-of-mine\"\n");
  ASSERT_EQ(sh(get, "LINGGEN_API_KEY_GEMINI_FLASH=k3y-of-mine"), 0) << err;
  EXPECT_NE(out.find("source: config"), std::string::npos) << out;
  EXPECT_NE(out.find("desk/linggen-agent.toml"), std::string::npos) << out;
  EXPECT_EQ((out + err).find("k3y"), std::string::npos);
}

TEST_F(LinggenDoor, G09_PermissionsBelongToTheNamedWorkspace) {
  fs::create_directories(home + "/ws");
  ASSERT_EQ(sh("$H permission allow Write --project ../ws" + store()), 0) << err;
  EXPECT_NE(text("ws/.linggen/permissions.json").find("\"Write\""), std::string::npos);
  EXPECT_FALSE(fs::exists(home + "/desk/.linggen"));
  ASSERT_EQ(sh("$H permission list --project ../ws" + store()), 0) << err;
  EXPECT_NE(out.find("Write"), std::string::npos) << out;
  ASSERT_EQ(sh("$H permission list" + store()), 0) << err;
  EXPECT_EQ(out.find("Write"), std::string::npos) << out;
  RpcProcess door(home, {"--store", "linggen:" + home + "/.linggen"});
  EXPECT_NE(door.ask("permission.list", R"({"project":")" + home + R"(/ws"})").find("Write"), std::string::npos);
}

TEST_F(LinggenDoor, G10_ConfigurationPathsHaveThePrecedenceOfTheSeed) {
  fs::create_directories(home + "/.linggen/projects");
  const std::string settings = "$H store settings --json" + store();
  const std::vector<std::string> places{".local/share/linggen-agent/linggen-agent.toml",
                                        ".config/linggen-agent/linggen-agent.toml", "desk/linggen-agent.toml"};
  for (const std::string& place : places) {
    put(place, "port = 1\nfrom = \"" + place + "\"\napi_key = \"k3y-of-mine\"\n");
    ASSERT_EQ(sh(settings), 0) << err;
    EXPECT_EQ(field({"settings", "from"}), place);
    EXPECT_EQ(field({"file"}), home + "/" + place);
    EXPECT_EQ(field({"sources", "from"}), home + "/" + place);
    EXPECT_EQ(out.find("k3y"), std::string::npos) << out;
  }
  put("named.toml", "from = \"named\"\n");
  ASSERT_EQ(sh(settings, "LINGGEN_CONFIG=" + home + "/named.toml"), 0) << err;
  EXPECT_EQ(field({"settings", "from"}), "named");
  ASSERT_EQ(sh("$H store settings" + store()), 0) << err;
  EXPECT_NE(out.find("desk/linggen-agent.toml"), std::string::npos) << out;
  EXPECT_EQ(out.find("k3y"), std::string::npos) << out;
}

TEST_F(LinggenDoor, G10_SettingsOfTablesHaveTheirSource) {
  put(".linggen/config/linggen-agent.runtime.toml", "[server]\nport = 1\n[server.tls]\non = true\n");
  ASSERT_EQ(sh("$H store settings" + store()), 0) << err;
  for (const std::string_view name : {"\nserver.port ", "\nserver.tls.on "}) {
    const std::size_t at = out.find(name);
    ASSERT_NE(at, std::string::npos) << out;
    EXPECT_TRUE(out.substr(at + 1, out.find('\n', at + 1) - at - 1).ends_with("/linggen-agent.runtime.toml")) << out;
  }
}

TEST_F(LinggenDoor, G10_StoreConfigureKeepsCommentsAndSecrets) {
  put(".linggen/config/linggen-agent.runtime.toml",
      "# mine\nport = 1\n[[models]]\nid = \"m\"\napi_key = \"k3y-of-mine\"\n");
  ASSERT_EQ(sh("$H store configure '{\"port\":2,\"name\":\"x\"}'" + store()), 0) << err;
  EXPECT_EQ((out + err).find("k3y"), std::string::npos) << out;
  const std::string file = text(".linggen/config/linggen-agent.runtime.toml");
  EXPECT_NE(file.find("# mine\nport = 2\n"), std::string::npos) << file;
  EXPECT_NE(file.find("k3y-of-mine"), std::string::npos) << file;
  ASSERT_EQ(sh("$H store settings --json" + store()), 0) << err;
  EXPECT_EQ(field({"config", "port"}), "2");
  EXPECT_EQ(out.find("k3y"), std::string::npos) << out;
  EXPECT_EQ(sh("$H store configure '{\"models\":[{\"id\":\"m\",\"api_key\":\"[redacted: secret]\"}]}'" + store()), 2);
}

TEST_F(LinggenDoor, G11_DailyLogsAreRemovedAfterSevenDays) {
  ASSERT_EQ(sh("$H log append 'agent started'" + store()), 0) << err;
  for (const std::string name : {"linggen-agent-2026-01-01.log", "linggen-agent.2026-01-02", "notes.txt"})
    put(".linggen/logs/" + name, "old\n");
  ASSERT_EQ(sh("cd $HOME/.linggen/logs; touch -d '8 days ago' linggen-agent* notes.txt; touch linggen-agent-*-*-*.log; "
               "touch -d '8 days ago' linggen-agent-2026-01-01.log"),
            0);
  ASSERT_EQ(sh("$H log list" + store()), 0) << err;
  EXPECT_NE(out.find("linggen-agent.2026-01-02"), std::string::npos) << out;
  ASSERT_EQ(sh("$H log show 2026-01-01" + store()), 0) << err;
  EXPECT_EQ(out, "old\n");
  ASSERT_EQ(sh("$H log append 'and again' --json" + store()), 0) << err;
  const std::string today = field({"name"});
  EXPECT_FALSE(fs::exists(home + "/.linggen/logs/linggen-agent-2026-01-01.log"));
  EXPECT_FALSE(fs::exists(home + "/.linggen/logs/linggen-agent.2026-01-02"));
  EXPECT_TRUE(fs::exists(home + "/.linggen/logs/notes.txt")) << "whatever its age";
  EXPECT_EQ(text(".linggen/logs/" + today), "agent started\nand again\n");
  ASSERT_EQ(sh("$H log show" + store()), 0) << err;
  EXPECT_EQ(out, "agent started\nand again\n");
}

TEST_F(LinggenDoor, G15_StateFileRequiresKnownType) {
  fs::create_directories(home + "/ws");
  fs::create_directories(home + "/.linggen/projects");
  const std::string put_one = "$H record put state_file t1 --project ../ws" + store() + " --record ";
  EXPECT_EQ(sh(put_one + R"('{"type":"bogus","task_id":"x","body":"b"}')"), 2);
  EXPECT_NE(err.find("pm_task, user_stories, coder_task or message"), std::string::npos) << err;
  EXPECT_FALSE(fs::exists(home + "/ws/.linggen/workspace/tasks/t1.md"));
  EXPECT_EQ(sh(put_one + R"('{"type":"pm_task","task_id":"x","body":"b"}')"), 2) << "without its status";
  ASSERT_EQ(sh(put_one + R"('{"type":"user_stories","task_id":"x","body":"b"}')"), 0) << err;
  EXPECT_NE(text("ws/.linggen/workspace/tasks/t1.md").find("type: user_stories"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
