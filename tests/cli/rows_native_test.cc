// Rows of the mission that name the native layout: a native store can do what all three can, through the binary.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RowsNative : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(hf("store create"), 0) << err;
  }
  std::string name() const { return "holdfast:" + home + "/h"; }
  int hf(const std::string& words) { return sh("$H " + words + " --store " + name()); }
  // Runs a command in the project of the desk.
  int here(const std::string& words) { return hf(words + " --project ."); }
  // Returns the project's folder in the store, empty if there is none.
  std::string folder() const {
    for (const auto& entry : fs::directory_iterator(home + "/h/projects"))
      if (entry.path().filename().string().starts_with("desk-"))
        return "h/projects/" + entry.path().filename().string();
    return {};
  }
  void put(const std::string& path, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + path).parent_path());
    std::ofstream(home + "/" + path) << bytes;
  }
};

TEST_F(RowsNative, G01_ForeignFilesAreUnchanged) {
  ASSERT_EQ(here("mission set one"), 0) << err;
  const std::string paths[] = {folder() + "/memory/a/b.bin", folder() + "/unknown.json", "h/odd/file"};
  for (const std::string& path : paths) put(path, "opaque");
  ASSERT_EQ(here("mission set two"), 0) << err;
  ASSERT_EQ(hf("store repair"), 0) << err;
  for (const std::string& path : paths) EXPECT_EQ(text(path), "opaque") << path;
}

TEST_F(RowsNative, G02_ProjectsAreAddedListedAndRemoved) {
  fs::create_directories(home + "/real/p");
  fs::create_directory_symlink(home + "/real", home + "/link");
  for (const std::string path : {"/a/b-c", "/a/b/c", "$HOME/real/p", "$HOME/link/p"})
    ASSERT_EQ(hf("project add " + path), 0) << err;
  ASSERT_EQ(hf("project list --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "3") << out;
  ASSERT_EQ(hf("mission set kept --project /a/b/c"), 0) << err;
  ASSERT_EQ(hf("project remove /a/b-c --yes"), 0) << err;
  EXPECT_EQ(hf("project get /a/b-c"), 3) << out;
  EXPECT_EQ(err, "holdfast: there is no project /a/b-c (" + name() + ")\n");
  ASSERT_EQ(hf("mission get --project /a/b/c"), 0) << err;
  EXPECT_TRUE(out.contains("text: kept\n")) << out;
}

TEST_F(RowsNative, G05_OneMissionIsActiveAndOthersAreHistory) {
  ASSERT_EQ(sh("for i in 1 2 3 4 5; do $H mission set m$i --project . --store " + name() + " & done; wait"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(here("mission list --json"), 0) << err;
  int active = 0;
  std::set<std::string> texts;
  for (const JsonItem& one : JsonView(out).find("missions").elements()) {
    active += one.value.find("active").as_bool().value_or(false) ? 1 : 0;
    texts.insert(one.value.find("text").as_string().value_or("?"));
  }
  EXPECT_EQ(active, 1) << out;
  EXPECT_EQ(texts.size(), 5u) << out;
  ASSERT_EQ(here("mission clear"), 0) << err;
  EXPECT_EQ(here("mission get"), 3) << out;
  ASSERT_EQ(here("mission list"), 0) << err;
  EXPECT_FALSE(out.contains("true")) << out;
  EXPECT_EQ(std::ranges::count(out, '\n'), 6) << out;
}

TEST_F(RowsNative, G06_AgentOverridesAreSetShownChangedAndRemoved) {
  ASSERT_EQ(here("agent set ling --idle-prompt 'Custom prompt' --idle-interval-secs 120"), 0) << err;
  ASSERT_EQ(here("agent set ling --idle-interval-secs 60"), 0) << err;
  ASSERT_EQ(here("agent get ling"), 0) << err;
  EXPECT_TRUE(out.contains("idle_prompt: Custom prompt\nidle_interval_secs: 60\n")) << out;
  ASSERT_EQ(here("agent remove ling --yes"), 0) << err;
  EXPECT_EQ(here("agent get ling"), 3) << out;
}

TEST_F(RowsNative, G07_PlanIsTickedUntilCompleted) {
  const std::string items = R"('["a",{"title":"b","depth":1,"description":"one\ntwo"}]')";
  ASSERT_EQ(here("plan put 'Fix it' --items " + items), 0) << err;
  ASSERT_EQ(here("plan put 'Fix it'"), 0) << err;
  EXPECT_TRUE(out.starts_with("id: fix-it-2\n")) << out;
  EXPECT_EQ(here("plan get"), 3) << out;
  ASSERT_EQ(here("plan update fix-it --status executing"), 0) << err;
  ASSERT_EQ(here("plan tick fix-it a --status skipped"), 0) << err;
  ASSERT_EQ(here("plan get"), 0) << err;
  EXPECT_TRUE(out.contains("skipped  a\npending    b    one two\n")) << out;
  EXPECT_TRUE(text(folder() + "/plans/fix-it.md").ends_with("- [-] a\n  - [ ] b\n    one\n    two\n"));
  ASSERT_EQ(here("plan tick fix-it a/b"), 0) << err;
  EXPECT_TRUE(out.contains("status: completed\n")) << out;
  EXPECT_EQ(here("plan get"), 3) << out;
}

TEST_F(RowsNative, G12_RejectsUnsafeNames) {
  const std::string project = R"("project":")" + home + R"(/desk")";
  RpcProcess door(home, {"--store", name()});
  for (const std::string bad : {"..", "../x", "a/b", "a\\\\b", "con", "a\\u0001b", "a\\u0000b"}) {
    const std::string id = R"({"id":")" + bad + R"(",)" + project;
    const std::pair<const char*, std::string> calls[] = {
        {"session.create", id + "}"},
        {"run.get", id + "}"},
        {"run.start", R"({"agent":")" + bad + R"(",)" + project + "}"},
        {"agent.set", id + R"(,"idle_prompt":"x"})"},
        {"plan.get", id + "}"},
        {"record.put", id + R"(,"kind":"state_file","record":{"type":"user_stories","task_id":"x"}})"},
    };
    for (const auto& [method, params] : calls) {
      const std::string answer = door.ask(method, params);
      EXPECT_TRUE(answer.contains(R"("code":"unsafe_path")")) << method << bad << answer;
    }
  }
}

TEST_F(RowsNative, G13_ConcurrentWritersLoseNoLine) {
  constexpr int kEach = 40;
  ASSERT_EQ(here("session create --title t --json"), 0) << err;
  const std::string id = field({"id"});
  RpcProcess one(home, {"--store", name()}), two(home, {"--store", name()});
  for (RpcProcess* const door : {&one, &two}) {
    std::string lines;
    for (int i = 0; i < kEach; ++i)
      lines += door->request("message.append", R"({"session":")" + id + R"(","text":")" +
                                                   (door == &one ? "one-" : "two-") + std::to_string(i) + R"("})");
    door->send(lines);
  }
  ASSERT_EQ(sh("for i in 0 1 2 3 4; do $H message append " + id + " call-$i --store " + name() + " & done; wait"), 0);
  for (RpcProcess* const door : {&one, &two})
    for (int i = 0; i < kEach; ++i) EXPECT_TRUE(JsonView(door->receive()).find("result"));
  ASSERT_EQ(hf("message list " + id + " --branch all --limit 1000 --json"), 0) << err;
  std::multiset<std::string> said;
  for (const JsonItem& message : JsonView(out).find("messages").elements())
    for (const JsonItem& block : message.value.find("blocks").elements())
      said.insert(block.value.find("text").as_string().value_or(std::string(block.value.raw())));
  EXPECT_EQ(said.size(), 2u * kEach + 5);
  for (int i = 0; i < kEach; ++i) {
    EXPECT_EQ(said.count("one-" + std::to_string(i)), 1u) << i;
    EXPECT_EQ(said.count("two-" + std::to_string(i)), 1u) << i;
  }
  EXPECT_EQ(hf("verify " + id), 0) << out << err;
}

TEST_F(RowsNative, G14_AgentsAndSkillsAreListedWithTheirFrontMatter) {
  put("h/agents/ling.md", "---\nname: ling\ndescription: The main agent\n---\nYou are.\n");
  put("h/skills/review.md", "---\ndescription: Reviews code\n---\nb\n");
  put("h/skills/deploy/SKILL.md", "---\ndescription: Deploys it\n---\nb\n");
  ASSERT_EQ(hf("agent list"), 0) << err;
  EXPECT_TRUE(out.contains("ling  ling  The main agent  You are.\n")) << out;
  ASSERT_EQ(hf("skill list"), 0) << err;
  EXPECT_TRUE(out.contains("review  Reviews code")) << out;
  EXPECT_TRUE(out.contains("deploy  Deploys it")) << out;
}

TEST_F(RowsNative, W02_LearningIsStoredOnce) {
  ASSERT_EQ(here("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/" + folder() + "/memory/MEMORY.md")) << "nothing was learned";
  for (const std::string words : {"start M1", "task one"})
    ASSERT_EQ(here("initiative " + words + " --learning 'use cmake'"), 0) << err;
  EXPECT_EQ(text(folder() + "/memory/MEMORY.md"), "## Initiative Patterns\n\n- use cmake\n");
}

TEST_F(RowsNative, W06_CompletedMilestoneAdvancesToNext) {
  ASSERT_EQ(here("initiative create login --milestones '[\"M1\",\"M2\"]'"), 0) << err;
  ASSERT_EQ(here("initiative start M1"), 0) << err;
  ASSERT_EQ(here("initiative task 'write the form'"), 0) << err;
  ASSERT_EQ(here("initiative milestone M1"), 0) << err;
  EXPECT_TRUE(out.contains("current_milestone: M2\n")) << out;
  ASSERT_EQ(here("initiative get"), 0) << err;
  EXPECT_TRUE(out.contains("progress.M1: completed\nprogress.M2: pending\n")) << out;
}

TEST_F(RowsNative, W08_StatusFollowsStateMachineAndLosesNoUpdate) {
  ASSERT_EQ(here("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  EXPECT_EQ(here("initiative status completed"), 2) << out;
  ASSERT_EQ(here("initiative start M1"), 0) << err;
  ASSERT_EQ(here("initiative get --json"), 0) << err;
  const std::string revision = field({"revision"});
  ASSERT_EQ(here("initiative task one --revision " + revision), 0) << err;
  EXPECT_EQ(here("initiative task two --revision " + revision), 6) << out;
  EXPECT_TRUE(err.contains("nothing was written")) << err;
  ASSERT_EQ(sh("for i in 1 2 3 4 5; do $H initiative task agent-$i --project . --store " + name() + " & done; wait"),
            0);
  ASSERT_EQ(here("initiative get --json"), 0) << err;
  for (const std::string who : {"1", "2", "3", "4", "5"}) EXPECT_TRUE(out.contains("\"agent-" + who + "\"")) << out;
  ASSERT_EQ(here("initiative status completed"), 0) << err;
  EXPECT_EQ(here("initiative status in_progress"), 2) << out;
  EXPECT_TRUE(err.contains("completed → in_progress is refused: must create new initiative")) << err;
}

TEST_F(RowsNative, W12_KilledRpcLeavesNoPartialEvent) {
  ASSERT_EQ(here("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  ASSERT_EQ(here("initiative start M1"), 0) << err;
  int event = 0;
  for (int round = 0; round < 4; ++round) {
    {
      RpcProcess door(home, {"--store", name()});
      const auto change = [&](int number) {
        return R"({"project":")" + home + R"(/desk","status":")" + (number % 2 == 1 ? "blocked" : "in_progress") +
               R"(","learning":"event )" + std::to_string(number) + R"( ."})";
      };
      const std::string answer = door.ask("initiative.status", change(++event));
      EXPECT_TRUE(JsonView(answer).find("result")) << answer;
      door.send(door.request("initiative.status", change(event + 1)));
      // Before, during or after the change.
      std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
      ::kill(door.pid(), SIGKILL);
      EXPECT_EQ(door.wait(), 1000 + SIGKILL);
    }
    ASSERT_EQ(hf("store repair"), 0) << err;
    const std::string memory = text(folder() + "/memory/MEMORY.md");
    const auto learned = [&](int number) { return memory.contains("- event " + std::to_string(number) + " ."); };
    for (int i = 1; i <= event; ++i) EXPECT_TRUE(learned(i)) << i << memory;
    if (learned(event + 1)) ++event;
    ASSERT_EQ(here("initiative get"), 0) << err;
    EXPECT_TRUE(out.contains(event % 2 == 1 ? "status: blocked\n" : "status: in_progress\n")) << out << memory;
  }
}

TEST_F(RowsNative, M09_CorruptThreadIsRestoredFromBackupOnWrite) {
  for (const std::string title : {"one", "two"})
    ASSERT_EQ(hf("call thread.save '{\"thread\":{\"id\":\"thr_1\",\"title\":\"" + title + "\"}}'"), 0) << err;
  put("h/threads/thr_1.json", "{bad");
  ASSERT_EQ(hf("thread get thr_1"), 0) << err;
  EXPECT_TRUE(out.contains("title: one\n")) << out;
  EXPECT_TRUE(err.contains("warning: threads/thr_1.json: ")) << err;
  EXPECT_EQ(text("h/threads/thr_1.json"), "{bad");
  ASSERT_EQ(hf("call thread.save '{\"thread\":{\"id\":\"thr_1\",\"model\":\"m\"}}'"), 0) << err;
  EXPECT_TRUE(out.contains("\"restored_from_backup\"")) << out;
  ASSERT_EQ(hf("thread get thr_1"), 0) << err;
  EXPECT_TRUE(out.contains("title: one\n") && out.contains("model: m\n")) << out;
  EXPECT_EQ(sh("grep -rl '^{bad$' $HOME/h"), 0) << "the bad bytes are kept";
  put("h/threads/thr_9.json", "{bad");
  EXPECT_EQ(hf("thread get thr_9"), 4) << out;
  EXPECT_TRUE(err.contains("threads/thr_9.json")) << err;
}

TEST_F(RowsNative, M11_ThreadIsResumedUnlessInUse) {
  ASSERT_EQ(hf("call thread.save '{\"thread\":{\"id\":\"thr_1\",\"project_path\":\"/p\"}}'"), 0) << err;
  ASSERT_EQ(hf("thread resume thr_1 --json"), 0) << err;
  const std::string first = field({"session"});
  ASSERT_EQ(hf("session end " + first), 0) << err;
  std::string second;
  {
    RpcProcess door(home, {"--store", name()});
    const std::string answer = door.ask("thread.resume", R"({"id":"thr_1"})");
    second = JsonView(answer).find("result").find("session").as_string().value_or(answer);
    EXPECT_NE(second, first);
    EXPECT_EQ(hf("thread resume thr_1"), 6) << out;
    EXPECT_TRUE(err.contains("the session is in use by process ") && err.contains(second)) << err;
    ::kill(door.pid(), SIGKILL);
    EXPECT_EQ(door.wait(), 1000 + SIGKILL);
  }
  ASSERT_EQ(hf("thread resume thr_1 --json"), 0) << err;
  EXPECT_EQ(field({"session"}), second);
  EXPECT_EQ(field({"new_session"}), "false");
}

TEST_F(RowsNative, M16_SessionSpansAreWrittenInOrder) {
  put(".config/holdfast/config.toml", "spans_file = \"" + home + "/spans.jsonl\"\n");
  ASSERT_EQ(here("session create --title t --json"), 0) << err;
  const std::string id = field({"id"});
  for (const std::string& words : {"message append " + id + " hello", "session resume " + id, "session end " + id})
    ASSERT_EQ(hf(words), 0) << words << err;
  std::vector<std::string> spans;
  std::ifstream lines(home + "/spans.jsonl");
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.contains("\"stringValue\":\"" + id + "\"")) << line;
    for (const JsonItem& resource : JsonView(line).find("resourceSpans").elements())
      for (const JsonItem& scope : resource.value.find("scopeSpans").elements())
        for (const JsonItem& span : scope.value.find("spans").elements()) spans.emplace_back(span.value.raw());
  }
  const auto value = [](const std::string& span, std::string_view key) {
    return JsonView(span).find(key).as_string().value_or("");
  };
  std::string names;
  for (const std::string& span : spans) names += value(span, "name") + " ";
  ASSERT_EQ(names, "session.create session.save session.resume session.save session ");
  // That of the whole session is the parent of the others, and ends last.
  const std::string& whole = spans.back();
  EXPECT_EQ(value(whole, "traceId").size(), 32u) << whole;
  for (const std::string& span : spans) {
    EXPECT_EQ(value(span, "traceId"), value(whole, "traceId")) << span;
    EXPECT_EQ(value(span, "parentSpanId"), &span == &whole ? "" : value(whole, "spanId")) << span;
    EXPECT_LE(value(span, "endTimeUnixNano"), value(whole, "endTimeUnixNano")) << span;
  }
}

TEST_F(RowsNative, M18_ToolRunsEndOnce) {
  ASSERT_EQ(here("session create --title t --json"), 0) << err;
  const std::string id = field({"id"});
  ASSERT_EQ(hf("tool start " + id + " edit_file --run-id tool_1"), 0) << err;
  ASSERT_EQ(hf("tool finish " + id + " tool_1 --status Succeeded"), 0) << err;
  EXPECT_EQ(hf("tool finish " + id + " tool_1 --status Failed"), 2) << out;
  ASSERT_EQ(hf("tool start " + id + " bash --run-id tool_2"), 0) << err;
  ASSERT_EQ(hf("tool list " + id), 0) << err;
  EXPECT_EQ(out, "run_id  tool       status\ntool_1  edit_file  Succeeded\ntool_2  bash       Running\n");
}

}  // namespace
}  // namespace holdfast::inline v1
