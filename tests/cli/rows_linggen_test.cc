// Rows of the mission for Linggen that need the binary: the tree, projects, missions, plans, names, concurrent writers.
#include <fcntl.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RowsLinggen : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    fs::create_directories(home + "/.linggen/projects");
  }
  std::string store() const { return " --store linggen:" + home + "/.linggen"; }
  int hf(const std::string& words) { return sh("$H " + words + store()); }
  void put(const std::string& path, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + path).parent_path());
    std::ofstream(home + "/" + path) << bytes;
  }
  void copy_fixture(const std::string& name) const {
    fs::copy(paths::source() + "/tests/fixtures/linggen/" + name + "/home", home + "/.linggen",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    for (const auto& entry : fs::recursive_directory_iterator(home + "/.linggen"))
      fs::permissions(entry, fs::perms::owner_all, fs::perm_options::add);
  }
  // Each file below the folder with its bytes, without the side folder.
  std::map<std::string, std::string> files(const std::string& below) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + below)) {
      const std::string path = entry.path().string().substr(home.size() + 1);
      if (entry.is_regular_file() && !path.contains("/.holdfast/")) all[path] = text(path);
    }
    return all;
  }
};

TEST_F(RowsLinggen, G01_ReadsTheFullTreeWithoutChangingIt) {
  copy_fixture("seed");
  const auto before = files(".linggen");
  ASSERT_TRUE(before.contains(".linggen/ling.pid"));
  const std::pair<const char*, const char*> shown[] = {
      {"store info", "daemon.pid: 4242\n"},
      {"store info", "daemon.log_bytes: 10\n"},
      {"store settings", "linggen-agent.runtime.toml"},
      {"log list", "linggen-agent-"},
      {"plan list", "approved"},
      {"agent list", "ling"},
      {"skill list", "description"},
      {"credential list", "***"},
      {"project list", "/Users/foo/project  project-name"},
      {"session list", "sess-"},
  };
  for (const auto& [words, wanted] : shown) {
    EXPECT_EQ(hf(words), 0) << words << err;
    EXPECT_TRUE(out.contains(wanted)) << words << "\n" << out;
  }
  EXPECT_EQ(files(".linggen"), before);
}

// Writes leave the daemon's files, an agent's memory and unknown files as they are.
TEST_F(RowsLinggen, G01_ForeignFilesAreUnchanged) {
  put(".linggen/ling.pid", "4242\n");
  put(".linggen/ling.log", "started\n");
  ASSERT_EQ(hf("project add $HOME/desk"), 0) << err;
  ASSERT_EQ(hf("project get $HOME/desk --json"), 0) << err;
  const std::string folder = ".linggen/projects/" + field({"project", "id"});
  for (const std::string name : {"/memory/a/b.bin", "/memory/MEMORY.md", "/unknown.json"}) put(folder + name, "opaque");
  const auto before = files(".linggen");
  for (const std::string words : {"mission set m --project .", "session create --project . --title t",
                                  "message append @last hello", "store repair"})
    ASSERT_EQ(hf(words), 0) << words << err;
  auto after = files(".linggen");
  for (const auto& [path, bytes] : before) EXPECT_EQ(after[path], bytes) << path;
  EXPECT_TRUE(fs::exists(home + "/" + folder + "/missions"));
}

TEST_F(RowsLinggen, G01_RuntimeConfigurationIsSavedAndLoaded) {
  ASSERT_EQ(hf("store configure '{\"port\":9898}'"), 0) << err;
  EXPECT_TRUE(text(".linggen/config/linggen-agent.runtime.toml").contains("port = 9898"));
  ASSERT_EQ(hf("store settings"), 0) << err;
  EXPECT_TRUE(out.contains("port     9898   ")) << out;
  EXPECT_TRUE(out.contains("/.linggen/config/linggen-agent.runtime.toml")) << out;
}

TEST_F(RowsLinggen, G02_ProjectsAreAddedListedAndRemovedWithTheirFile) {
  fs::create_directories(home + "/real/p");
  fs::create_directory_symlink(home + "/real", home + "/link");
  ASSERT_EQ(hf("project add $HOME/real/p"), 0) << err;
  std::string key = home + "/real/p";
  std::ranges::replace(key, '/', '-');
  const std::string file = text(".linggen/projects/" + key + "/project.json");
  EXPECT_EQ(JsonView(file).find("path").as_string(), home + "/real/p") << file;
  EXPECT_EQ(JsonView(file).find("name").as_string(), "p");
  EXPECT_EQ(JsonView(file).find("added_at").kind(), JsonKind::number);
  ASSERT_EQ(hf("project add $HOME/link/p --name Pete"), 0) << err;
  ASSERT_EQ(hf("project list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << "two spellings of one directory: " << out;
  ASSERT_EQ(hf("project list"), 0) << err;
  EXPECT_TRUE(out.contains(home + "/real/p  Pete")) << out;
  EXPECT_EQ(hf("project remove $HOME/link/p"), 2);
  EXPECT_TRUE(err.contains("this would delete the project " + home + "/real/p")) << err;
  ASSERT_EQ(hf("project remove $HOME/link/p --yes"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/.linggen/projects/" + key));
  EXPECT_EQ(hf("project get $HOME/real/p"), 3);
  EXPECT_EQ(err, "holdfast: there is no project " + home + "/real/p (linggen:" + home + "/.linggen)\n");
}

TEST_F(RowsLinggen, G02_PathsWithEqualEncodingAreTwoProjects) {
  for (const std::string path : {"/a/b-c", "/a/b/c"}) {
    ASSERT_EQ(hf("project add " + path), 0) << err;
    ASSERT_EQ(hf("mission set 'of " + path + "' --project " + path), 0) << err;
  }
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(home + "/.linggen/projects")) folders.insert(entry.path().filename());
  ASSERT_EQ(folders.size(), 2u);
  EXPECT_EQ(*folders.begin(), "-a-b-c");
  EXPECT_EQ(folders.rbegin()->size(), std::string("-a-b-c-12345678").size()) << *folders.rbegin();
  ASSERT_EQ(hf("project remove /a/b-c --yes"), 0) << err;
  ASSERT_EQ(hf("mission get --project /a/b/c"), 0) << err;
  EXPECT_TRUE(out.contains("text: of /a/b/c\n")) << out;
  EXPECT_EQ(hf("mission get --project /a/b-c"), 3) << out;
}

TEST_F(RowsLinggen, G05_MissionsAreSetClearedAndKeptInHistory) {
  ASSERT_EQ(hf("mission set first --project /srv/p --agents "
               "'[{\"id\":\"ling\",\"idle_prompt\":\"Check status\",\"idle_interval_secs\":60}]'"),
            0)
      << err;
  EXPECT_TRUE(out.contains("active: true\n")) << out;
  EXPECT_TRUE(out.contains("ling  Check status  60")) << out;
  ASSERT_EQ(hf("mission set second --project /srv/p"), 0) << err;  // most likely in the same second
  const auto kept = files(".linggen/projects/-srv-p/missions");
  ASSERT_EQ(kept.size(), 2u);
  const JsonView first(kept.begin()->second), second(kept.rbegin()->second);
  EXPECT_EQ(first.find("text").as_string(), "first");
  EXPECT_EQ(first.find("active").as_bool(), false);
  EXPECT_EQ(first.find("agents").raw(), R"([{"id":"ling","idle_prompt":"Check status","idle_interval_secs":60}])");
  EXPECT_EQ(second.find("text").as_string(), "second");
  EXPECT_EQ(second.find("active").as_bool(), true);
  for (const auto& [path, bytes] : kept)
    EXPECT_EQ(fs::path(path).stem(), std::string(JsonView(bytes).find("created_at").raw()));
  ASSERT_EQ(hf("mission clear --project /srv/p"), 0) << err;
  EXPECT_EQ(hf("mission get --project /srv/p"), 3) << out;
  EXPECT_TRUE(err.contains("no mission is active")) << err;
  ASSERT_EQ(hf("mission list --project /srv/p"), 0) << err;
  EXPECT_LT(out.find("second"), out.find("first")) << out;
  EXPECT_FALSE(out.contains("true")) << out;
  EXPECT_EQ(files(".linggen/projects/-srv-p/missions").size(), 2u);
}

TEST_F(RowsLinggen, G05_ConcurrentSetsLeaveOneActiveMission) {
  ASSERT_EQ(sh("for i in 1 2 3 4 5 6; do $H mission set m$i --project /srv/p" + store() + " & done; wait"), 0) << err;
  EXPECT_EQ(err, "");
  int active = 0;
  const auto kept = files(".linggen/projects/-srv-p/missions");
  for (const auto& [path, bytes] : kept) active += JsonView(bytes).find("active").as_bool().value_or(false) ? 1 : 0;
  EXPECT_EQ(kept.size(), 6u);
  EXPECT_EQ(active, 1);
}

TEST_F(RowsLinggen, G05_OldMissionFileMovesIntoHistory) {
  const std::string folder = ".linggen/projects/-srv-p/";
  put(folder + "project.json", R"({"path":"/srv/p","name":"p","added_at":1})");
  put(folder + "mission.json", R"({"text":"old","created_at":1690000000,"active":true,"agents":[]})");
  ASSERT_EQ(hf("mission get --project /srv/p"), 0) << err;
  EXPECT_TRUE(out.contains("text: old\n")) << out;
  EXPECT_TRUE(fs::exists(home + "/" + folder + "mission.json")) << "reading changes nothing";
  ASSERT_EQ(hf("mission set new --project /srv/p"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/" + folder + "mission.json"));
  EXPECT_TRUE(text(folder + "missions/1690000000.json").contains("\"old\""));
  // A mission that cannot be read is never thrown away.
  put(folder + "mission.json", "{torn");
  ASSERT_EQ(hf("mission set newer --project /srv/p"), 0) << err;
  EXPECT_EQ(text(folder + "mission.json"), "{torn");
}

TEST_F(RowsLinggen, G06_AgentOverridesAreSetShownChangedAndRemoved) {
  EXPECT_EQ(hf("agent get ling --project /srv/p"), 3) << out;
  ASSERT_EQ(hf("agent set ling --project /srv/p --idle-prompt 'Custom prompt' --idle-interval-secs 120"), 0) << err;
  const std::string path = ".linggen/projects/-srv-p/agent_overrides/ling.json";
  const std::string file = text(path);
  EXPECT_EQ(JsonView(file).find("agent_id").as_string(), "ling") << file;
  EXPECT_EQ(JsonView(file).find("idle_prompt").as_string(), "Custom prompt");
  EXPECT_EQ(JsonView(file).find("idle_interval_secs").raw(), "120");
  ASSERT_EQ(hf("agent set ling --project /srv/p --idle-interval-secs 60"), 0) << err;
  ASSERT_EQ(hf("agent get ling --project /srv/p"), 0) << err;
  EXPECT_TRUE(out.contains("idle_prompt: Custom prompt\nidle_interval_secs: 60\n")) << out;
  EXPECT_EQ(hf("agent remove ling --project /srv/p"), 2) << out;
  ASSERT_EQ(hf("agent remove ling --project /srv/p --yes"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/" + path));
  EXPECT_EQ(hf("agent get ling --project /srv/p"), 3) << out;
}

TEST_F(RowsLinggen, G07_PlanIsTickedUntilCompleted) {
  const std::string id = "refactor-the-auth-module-jwt", path = ".linggen/plans/" + id + ".md";
  ASSERT_EQ(hf("plan put 'Refactor the Auth module (JWT), now please' --items "
               "'[\"Read\",\"Write\",{\"title\":\"Nested\",\"depth\":1,\"description\":\"one\\ntwo\"}]'"),
            0)
      << err;
  const std::string head = "# Plan: Refactor the Auth module (JWT), now please\n\n**Status:** ";
  EXPECT_EQ(text(path), head +
                            "planned\n\n**Origin:** model_managed\n\n- [ ] Read\n- [ ] Write\n  - [ ] Nested\n"
                            "    one\n    two\n");
  EXPECT_EQ(hf("plan get"), 3) << "one that is only planned is not resumed: " << out;
  ASSERT_EQ(hf("plan update " + id + " --status executing"), 0) << err;
  ASSERT_EQ(hf("plan tick " + id + " Read"), 0) << err;
  ASSERT_EQ(hf("plan tick " + id + " Write --status skipped"), 0) << err;
  ASSERT_EQ(hf("plan tick " + id + " Write/Nested --status in_progress"), 0) << err;
  ASSERT_EQ(hf("plan get"), 0) << err;
  EXPECT_TRUE(out.contains("done         Read\nskipped      Write\nin_progress    Nested  one two\n")) << out;
  EXPECT_EQ(text(path), head +
                            "executing\n\n**Origin:** model_managed\n\n- [x] Read\n- [-] Write\n  - [~] Nested\n"
                            "    one\n    two\n");
  ASSERT_EQ(hf("plan tick " + id + " Nested"), 0) << err;
  EXPECT_TRUE(out.contains("status: completed\n")) << out;
  EXPECT_TRUE(text(path).contains("**Status:** completed")) << text(path);
  EXPECT_EQ(hf("plan get"), 3) << out;
  EXPECT_EQ(hf("plan update " + id + " --status bogus"), 2);
  // The same slug again is another file.
  ASSERT_EQ(hf("plan put 'Refactor the Auth module (JWT), again' --origin user_requested --items '[\"a\"]'"), 0) << err;
  EXPECT_TRUE(out.starts_with("id: " + id + "-2\n")) << out;
  EXPECT_TRUE(text(".linggen/plans/" + id + "-2.md").contains("**Origin:** user_requested\n"));
}

TEST_F(RowsLinggen, G07_TickChangesOneMarkerOfTheSeedPlan) {
  const std::string before =
      "# Plan: Refactor auth module\n\n**Status:** approved\n**Origin:** model_managed\n\n- [x] Read existing auth "
      "code\n"
      "  src/auth.rs — understand current session handling\n- [~] Implement JWT validation\n- [ ] Add tests\n"
      "- [-] Skipped: migration script\n\nMy own prose stays.\n";
  put(".linggen/plans/refactor-auth-module.md", before);
  ASSERT_EQ(hf("plan get"), 0) << err;
  for (const char* const line : {"status: approved\n", "done         Read existing auth code    src/auth.rs — under",
                                 "in_progress  Implement JWT validation\n", "pending      Add tests\n",
                                 "skipped      Skipped: migration script\n"})
    EXPECT_TRUE(out.contains(line)) << line << out;
  ASSERT_EQ(hf("plan tick refactor-auth-module 'Add tests'"), 0) << err;
  std::string after = before;
  after.replace(after.find("[ ] Add"), 3, "[x]");
  EXPECT_EQ(text(".linggen/plans/refactor-auth-module.md"), after);
}

TEST_F(RowsLinggen, G12_RejectsUnsafeNamesAndWritesNothing) {
  ASSERT_EQ(hf("project add ."), 0) << err;
  const auto before = files("");
  const std::string project = R"("project":")" + home + R"(/desk")";
  RpcProcess door(home, {"--store", "linggen:" + home + "/.linggen"});
  for (const std::string bad : {"..", "../x", "a/b", "a\\b", "a..b", "con", "nul.md", "a\\u0001b", "a\\u0000b"}) {
    const bool controls = bad.contains("\\u");
    const std::string json = controls || !bad.contains('\\') ? bad : "a\\\\b";
    const std::string id = R"({"id":")" + json + R"(",)" + project;
    const std::pair<const char*, std::string> calls[] = {
        {"session.create", id + "}"},
        {"run.get", id + "}"},
        {"run.finish", id + "}"},
        {"run.start", R"({"agent":")" + json + R"(",)" + project + "}"},
        {"mission.set", R"({"text":"x","agents":[{"id":")" + json + R"("}],)" + project + "}"},
        {"record.get", id + R"(,"kind":"mission"})"},
        {"agent.set", id + R"(,"idle_prompt":"x"})"},
        {"plan.get", R"({"id":")" + json + "\"}"},
        {"plan.update", R"({"id":")" + json + R"(","status":"approved"})"},
        {"record.put", id + R"(,"kind":"state_file","record":{"type":"user_stories","task_id":"x"}})"},
    };
    for (const auto& [method, params] : calls) {
      const std::string answer = door.ask(method, params);
      EXPECT_TRUE(answer.contains(R"("code":"unsafe_path")")) << method << bad << answer;
    }
    if (controls) continue;
    EXPECT_EQ(hf("session create --id '" + bad + "' --project ."), 2);
    EXPECT_EQ(err, "holdfast: not a valid session id: " + bad + "\n");
  }
  for (const std::string part : {".linggen", "desk"}) {
    auto after = files(part);
    for (const auto& [path, bytes] : after) EXPECT_TRUE(before.contains(path)) << path;
  }
}

// Single calls, a long-running door, and Linggen itself, which writes a line and its newline in two steps.
TEST_F(RowsLinggen, G13_ConcurrentWritersLoseNoLine) {
  constexpr int kEach = 40, kCalls = 8;
  ASSERT_EQ(hf("session create --project /srv/p --title t --json"), 0) << err;
  const std::string id = field({"id"});
  const std::string path = home + "/.linggen/projects/-srv-p/sessions/" + id + "/messages.jsonl";
  const auto begin = [&](RpcProcess& door, const std::string& who) {
    std::string lines;
    for (int i = 0; i < kEach; ++i)
      lines +=
          door.request("message.append", R"({"session":")" + id + R"(","text":")" + who + std::to_string(i) + R"("})");
    door.send(lines);
  };
  RpcProcess one(home, {"--store", "linggen:" + home + "/.linggen"});
  RpcProcess two(home, {"--store", "linggen:" + home + "/.linggen"});
  begin(one, "one-");
  begin(two, "two-");
  const int foreign = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(foreign, 0);
  for (int i = 0; i < kEach; ++i) {
    const std::string line = R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"foreign-)" +
                             std::to_string(i) + R"(","timestamp":1,"is_observation":false})";
    ASSERT_EQ(::write(foreign, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    ASSERT_EQ(::write(foreign, "\n", 1), 1);
  }
  ::close(foreign);
  ASSERT_EQ(sh("for i in 0 1 2 3 4 5 6 7; do $H message append " + id + " call-$i" + store() + " & done; wait"), 0);
  for (RpcProcess* const door : {&one, &two})
    for (int i = 0; i < kEach; ++i) EXPECT_TRUE(JsonView(door->receive()).find("result"));
  ASSERT_EQ(hf("message list " + id + " --limit 1000 --json"), 0) << err;
  std::multiset<std::string> said;
  for (const JsonItem& message : JsonView(out).find("messages").elements())
    for (const JsonItem& block : message.value.find("blocks").elements())
      said.insert(block.value.find("text").as_string().value_or(std::string(block.value.raw())));
  EXPECT_EQ(said.size(), 3u * kEach + kCalls);
  for (const std::string who : {"one-", "two-", "foreign-"})
    for (int i = 0; i < kEach; ++i) EXPECT_EQ(said.count(who + std::to_string(i)), 1u) << who << i;
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(said.count("call-" + std::to_string(i)), 1u) << i;
  ASSERT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("foreign-39")) << out;
}

TEST_F(RowsLinggen, G14_AgentsAndSkillsAreListedWithTheirFrontMatter) {
  put(".linggen/agents/ling.md", "---\nname: ling\ndescription: The main agent\ntools: [Read, Write]\n---\nYou are.\n");
  put(".linggen/agents/plain.md", "No front matter.\n");
  put(".linggen/agents/bad.md", "---\nname: [\n---\nx\n");
  put(".linggen/skills/review.md", "---\nname: review\ndescription: Reviews code\n---\nb\n");
  put(".linggen/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys it\n---\nb\n");
  put(".linggen/skills/deploy/notes.md", "no skill");
  ASSERT_EQ(hf("agent list"), 0) << err;
  EXPECT_TRUE(out.contains("\nling   ling  The main agent  You are.\n")) << out;
  EXPECT_TRUE(out.contains("\nplain")) << out;
  EXPECT_TRUE(err.contains("warning: agents/bad.md: ")) << err << out;
  ASSERT_EQ(hf("agent list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("tools":["Read","Write"])")) << out;
  ASSERT_EQ(hf("skill list"), 0) << err;
  EXPECT_TRUE(out.contains("review  review  Reviews code")) << out;
  EXPECT_TRUE(out.contains("deploy  deploy  Deploys it")) << out;
  EXPECT_FALSE(out.contains("notes")) << out;
}

TEST_F(RowsLinggen, G16_CurrentSessionsAreShownWithAllFields) {
  fs::remove_all(home + "/.linggen");
  copy_fixture("today");
  const std::string id = "sess-1760000000-feedbeef";
  ASSERT_EQ(hf("session get " + id), 0) << err;
  for (const char* const line :
       {"path: sessions/sess-1760000000-feedbeef/messages.jsonl\n", "project: /srv/p\n", "title: Refactor auth\n",
        "models: [\"gemini-2.5-pro\"]\n", "metadata.creator: mission\n", "metadata.mission_id: daily\n",
        "metadata.user_id: u1\n", "metadata.compact_threshold: 0.75\n", "metadata.title_locked: false\n",
        "metadata.new_key: [1,{\"a\":\"b\"}]\n"})
    EXPECT_TRUE(out.contains(line)) << line << out;
  // A plan inside a message is shown like any other text.
  ASSERT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("Plan the refactoring")) << out;
  EXPECT_TRUE(out.contains("    1. read\n    2. write\n")) << out;
  ASSERT_EQ(sh("$H search '2. write'" + store()), 0) << err;
  EXPECT_TRUE(out.contains(id.substr(0, 8))) << out;
  ASSERT_EQ(hf("message list " + id + " --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("raw":{"type":"plan","plan":{"summary":"Refactor auth","status":"rejected")")) << out;
  // And written like any other text.
  std::ofstream(home + "/params") << R"({"session":")" << id << R"(","message":{"role":"assistant","blocks":[)"
                                  << R"({"type":"other","raw":{"type":"plan","plan":{"summary":"Ship it"}}}]}})";
  ASSERT_EQ(hf("call message.append @$HOME/params"), 0) << err << out;
  ASSERT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("    Ship it\n")) << out;
}

TEST_F(RowsLinggen, G16_CurrentMissionsAreShownAndYamlIsEditedInPlace) {
  fs::remove_all(home + "/.linggen");
  copy_fixture("today");
  const auto before = files(".linggen");
  ASSERT_EQ(hf("record get cron_mission daily"), 0) << err;
  EXPECT_TRUE(out.contains("schedule: 0 9 * * *\n")) << out;
  EXPECT_TRUE(out.contains("allowed-tools: [\"Read\",\"Bash\"]\n")) << out;
  EXPECT_TRUE(out.contains("body: Look at the errors of the night.")) << out;
  ASSERT_EQ(hf("record get cron_mission_runs daily"), 0) << err;
  EXPECT_TRUE(out.contains("mission-run-1760000000-0a0b0c0d  sess-1760000000-feedbeef")) << out;
  EXPECT_EQ(files(".linggen"), before);
  const std::string path = ".linggen/sessions/sess-1760000000-feedbeef/session.yaml";
  std::string expected = text(path);
  expected.replace(expected.find("Refactor auth"), 13, "Other");
  ASSERT_EQ(hf("session update sess-1760000000-feedbeef --title Other"), 0) << err;
  EXPECT_EQ(text(path), expected);
  ASSERT_EQ(hf("session create --project /srv/q --title T --json"), 0) << err;
  EXPECT_TRUE(text(".linggen/sessions/" + field({"id"}) + "/session.yaml").contains("project: /srv/q\n"));
}

}  // namespace
}  // namespace holdfast::inline v1
