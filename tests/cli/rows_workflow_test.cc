// Rows of the mission for two-layer persistence that need the binary: both layers on disk, event by event.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RowsWorkflow : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("mkdir .git .claude"), 0);
  }
  int hf(const std::string& words) { return sh("$H " + words + " --store workflow:$HOME/desk"); }
  std::string memory() const { return text("desk/.claude/MEMORY.md"); }
  std::string initiative() const { return text("desk/.claude/initiative.json"); }
  std::string yaml() const { return text("desk/documentation/milestones/_active/login/WORKFLOW-STATUS.yaml"); }
  void put(const std::string& path, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/desk/" + path).parent_path());
    std::ofstream(home + "/desk/" + path) << bytes;
  }
  void copy_older() const {
    fs::copy(paths::source() + "/tests/fixtures/workflow/older/project", home + "/desk",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    for (const auto& entry : fs::recursive_directory_iterator(home + "/desk"))
      fs::permissions(entry, fs::perms::owner_write | fs::perms::owner_read, fs::perm_options::add);
  }
  static std::string said(const std::string& json, std::string_view key) {
    return JsonView(json).find(key).as_string().value_or("");
  }
};

TEST_F(RowsWorkflow, W01_EventWritesFilesInTheSeedShapes) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\",\"M2\"]'"), 0) << err;
  EXPECT_EQ(said(initiative(), "name"), "login");
  EXPECT_EQ(said(initiative(), "status"), "created");
  EXPECT_EQ(said(initiative(), "currentMilestone"), "M1");
  EXPECT_EQ(JsonView(initiative()).find("progress").raw(), R"({"M1":"pending","M2":"pending"})");
  EXPECT_TRUE(yaml().starts_with("active:\n  initiative: login\n  milestone: M1\n  status: created\nlastUpdated: \"" +
                                 said(initiative(), "lastUpdated") + "\"\n"))
      << yaml();
  EXPECT_FALSE(fs::exists(home + "/desk/.claude/MEMORY.md")) << "nothing was learned";
  ASSERT_EQ(hf("interview record x-plan --questions-asked 2 --confidence '{\"problem_understanding\":70}'"), 0) << err;
  const std::string interview = text("desk/.claude/interview-state.json");
  std::string skills;
  for (const JsonItem& one : JsonView(interview).find("sessions").elements())
    skills += one.value.find("skill").as_string().value_or("?");
  EXPECT_EQ(skills, "x-plan") << interview;
}

// Files in the older shapes keep their shape; a milestone is the step of its name.
TEST_F(RowsWorkflow, W01_OlderShapesAreReadAndPreserved) {
  copy_older();
  const std::string before = initiative(), steps = text("desk/.claude/WORKFLOW-STATUS.yaml");
  ASSERT_EQ(hf("initiative get"), 0) << err;
  for (const char* const line : {"source: initiative.json\n", "name: auth\n", "status: created\n",
                                 "current_milestone: M1-skill-centralization\n", "next_action: centralise\n"})
    EXPECT_TRUE(out.contains(line)) << line << out;
  EXPECT_EQ(initiative(), before) << "reading changes nothing";
  ASSERT_EQ(hf("initiative start M1-skill-centralization"), 0) << err;
  std::string expected = steps;
  expected.replace(expected.find("current_step: 1"), 15, "current_step: 2");
  expected.replace(expected.find("pending   # next"), 7, "in_progress");
  EXPECT_EQ(text("desk/.claude/WORKFLOW-STATUS.yaml"), expected);
  EXPECT_EQ(said(initiative(), "status"), "in_progress");
  EXPECT_TRUE(initiative().contains("\t\"name\": \"auth\"")) << initiative();
  EXPECT_TRUE(initiative().contains("\"contextFiles\"")) << initiative();
  ASSERT_EQ(hf("interview record x-plan --confidence '{\"problem_understanding\":60}'"), 0) << err;
  const std::string interview = text("desk/.claude/interview-state.json");
  EXPECT_EQ(JsonView(interview).find("confidence").find("problem").raw(), "60") << interview;
  EXPECT_EQ(JsonView(interview).find("odd").raw(), R"({"kept":1})");
}

TEST_F(RowsWorkflow, W01_WorkflowExpiresAfterOneDay) {
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow state"), 0) << err;
  EXPECT_TRUE(out.contains("active.type: APEX\nactive.phase: plan\nactive.context: login form\n")) << out;
  EXPECT_TRUE(out.contains("expired: false\n")) << out;
  ASSERT_EQ(sh("sed -i 's/\"20[0-9][0-9]-/\"2020-/g' .claude/workflow-state.json"), 0);
  const std::string old = text("desk/.claude/workflow-state.json");
  ASSERT_EQ(hf("workflow state"), 0) << err;
  EXPECT_TRUE(out.starts_with("expired: true\n")) << out;
  EXPECT_EQ(text("desk/.claude/workflow-state.json"), old) << "reading changes nothing";
  ASSERT_EQ(hf("workflow phase plan --completed analyze --context 'billing page'"), 0) << err;
  EXPECT_EQ(memory(),
            "## Workflow State\n\n- Expired APEX workflow: no progress for 24 h in plan, login form\n"
            "- Active APEX workflow: analyze completed, planning billing page\n");
  EXPECT_FALSE(text("desk/.claude/workflow-state.json").contains("login form"));
}

TEST_F(RowsWorkflow, W02_LearningIsAddedOnceUnderItsHeading) {
  const std::string head = "# Notes\n\nmine\n\n## Initiative Patterns\n\n- old\n", tail = "\n## Other\n- x\n";
  put(".claude/MEMORY.md", head + tail);
  fs::permissions(home + "/desk/.claude/MEMORY.md", fs::perms(0644));
  ASSERT_EQ(hf("initiative create login"), 0) << err;
  ASSERT_EQ(hf("initiative start M1"), 0) << err;
  EXPECT_EQ(memory(), head + tail) << "without a learning nothing is written there";
  for (int twice = 0; twice < 2; ++twice)
    ASSERT_EQ(hf("initiative task t" + std::to_string(twice) + " --learning 'use cmake'"), 0) << err;
  EXPECT_EQ(memory(), head + "- use cmake\n" + tail);
  for (int twice = 0; twice < 2; ++twice)
    ASSERT_EQ(hf("memory learn 'asks twice' --heading 'Interview Patterns'"), 0) << err;
  EXPECT_EQ(memory(), head + "- use cmake\n" + tail + "\n## Interview Patterns\n\n- asks twice\n");
  EXPECT_EQ(fs::status(home + "/desk/.claude/MEMORY.md").permissions(), fs::perms(0644));
}

// The table of the seed: which event changes which file.
TEST_F(RowsWorkflow, W06_EachEventUpdatesItsFiles) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\",\"M2\"]'"), 0) << err;
  ASSERT_EQ(hf("initiative start M1"), 0) << err;
  EXPECT_EQ(JsonView(initiative()).find("progress").raw(), R"({"M1":"in_progress","M2":"pending"})");
  EXPECT_TRUE(yaml().contains("  milestone: M1\n  status: in_progress\n")) << yaml();
  const std::string started = yaml();
  ASSERT_EQ(hf("initiative task 'write the form' --next-action 'test it'"), 0) << err;
  EXPECT_TRUE(out.contains("M1         write the form  test it")) << out;
  EXPECT_EQ(said(initiative(), "nextAction"), "test it");
  EXPECT_EQ(yaml(), started) << "a task is not its business";
  ASSERT_EQ(hf("initiative milestone M1"), 0) << err;
  EXPECT_TRUE(out.contains("current_milestone: M2\n")) << out;
  EXPECT_EQ(said(initiative(), "currentMilestone"), "M2");
  EXPECT_EQ(JsonView(initiative()).find("progress").raw(), R"({"M1":"completed","M2":"pending"})");
  EXPECT_TRUE(yaml().contains("  milestone: M2\n")) << yaml();
  ASSERT_EQ(hf("initiative status blocked"), 0) << err;
  EXPECT_EQ(said(initiative(), "status"), "blocked");
  EXPECT_TRUE(yaml().contains("  status: blocked\n")) << yaml();
  EXPECT_TRUE(yaml().contains("lastUpdated: \"" + said(initiative(), "lastUpdated") + "\"\n")) << yaml();
  const std::string json = initiative(), last = yaml();
  ASSERT_EQ(hf("initiative resume"), 0) << err;
  EXPECT_TRUE(out.starts_with("source: initiative.json\n")) << out;
  EXPECT_EQ(initiative(), json);
  EXPECT_EQ(yaml(), last);
}

TEST_F(RowsWorkflow, W08_StatusFollowsItsStateMachine) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  const auto refused = [&](const std::string& status, const std::string& why) {
    const std::string json = initiative(), before = yaml();
    EXPECT_EQ(hf("initiative status " + status), 2) << out;
    EXPECT_TRUE(err.contains(why)) << err;
    EXPECT_EQ(initiative(), json);
    EXPECT_EQ(yaml(), before);
  };
  refused("completed", "created → completed is refused: after created comes in_progress");
  for (const std::string status : {"in_progress", "blocked", "blocked"})
    ASSERT_EQ(hf("initiative status " + status), 0) << err;
  refused("completed", "blocked → completed is refused: after blocked comes in_progress");
  ASSERT_EQ(hf("initiative status in_progress"), 0) << err;
  const std::string json = initiative();
  ASSERT_EQ(hf("initiative status in_progress"), 0) << err;
  EXPECT_EQ(initiative(), json) << "the same again is nothing";
  ASSERT_EQ(hf("initiative status completed"), 0) << err;
  refused("in_progress", "completed → in_progress is refused: must create new initiative");
  ASSERT_EQ(hf("initiative status archived"), 0) << err;
  for (const std::string status : {"created", "in_progress", "blocked", "completed"})
    refused(status, "archived → " + status + " is refused");
}

TEST_F(RowsWorkflow, W08_StaleRevisionIsRejected) {
  for (const std::string words :
       {"initiative create login --milestones '[\"M1\"]'", "initiative start M1", "initiative get --json"})
    ASSERT_EQ(hf(words), 0) << err;
  std::string revision = out.substr(out.find("\"revision\":\"") + 12);
  revision = revision.substr(0, revision.find('"'));
  ASSERT_EQ(hf("initiative task one --revision " + revision), 0) << err;
  EXPECT_EQ(hf("initiative task two --revision " + revision), 6) << out;
  EXPECT_TRUE(err.contains("the initiative was changed by somebody else: expected revision " + revision)) << err;
  EXPECT_TRUE(err.contains("nothing was written")) << err;
  EXPECT_FALSE(initiative().contains("\"two\"")) << initiative();
  ASSERT_EQ(sh("for i in 1 2 3 4 5 6; do $H initiative task agent-$i --store workflow:. & done; wait"), 0);
  for (const std::string who : {"1", "2", "3", "4", "5", "6"})
    EXPECT_TRUE(initiative().contains("\"lastAction\":\"agent-" + who + "\"")) << who << initiative();
}

// Whenever the door is killed, an event is in both state files and in MEMORY.md, or in none of them.
TEST_F(RowsWorkflow, W12_KilledRpcLeavesNoPartialEvent) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\"]'"), 0) << err;
  ASSERT_EQ(hf("initiative start M1"), 0) << err;
  int event = 0;
  for (int round = 0; round < 4; ++round) {
    int acknowledged = event;
    {
      RpcProcess door(home, {"--store", "workflow:" + home + "/desk"});
      const auto change = [&] {
        ++event;
        return R"({"status":")" + std::string(event % 2 == 1 ? "blocked" : "in_progress") + R"(","learning":"event )" +
               std::to_string(event) + R"( ."})";
      };
      for (int i = 0; i < 2; ++i) {
        const std::string answer = door.ask("initiative.status", change());
        EXPECT_TRUE(JsonView(answer).find("result")) << answer;
        acknowledged = event;
      }
      door.send(door.request("initiative.status", change()));
      // Before, during or after the change.
      std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
      ::kill(door.pid(), SIGKILL);
      EXPECT_EQ(door.wait(), 1000 + SIGKILL);
    }
    EXPECT_TRUE(check_json(initiative()).ok()) << initiative();
    ASSERT_EQ(hf("store repair"), 0) << err;
    const auto learned = [&](int number) { return memory().contains("- event " + std::to_string(number) + " ."); };
    for (int i = 1; i <= acknowledged; ++i) EXPECT_TRUE(learned(i)) << i << "\n" << memory();
    if (!learned(event)) --event;
    EXPECT_GE(event, acknowledged);
    const std::string status = event % 2 == 1 ? "blocked" : "in_progress";
    EXPECT_EQ(said(initiative(), "status"), status) << memory();
    EXPECT_TRUE(yaml().contains("  status: " + status + "\n")) << yaml();
    EXPECT_TRUE(yaml().contains("lastUpdated: \"" + said(initiative(), "lastUpdated") + "\"\n")) << yaml();
    ASSERT_EQ(hf("initiative get"), 0) << err;
    EXPECT_EQ(err, "");
  }
}

// A checkpoint of a milestone and one of a task have other fields; the outcome of a workflow is part of its history.
TEST_F(RowsWorkflow, TextShowsEveryCheckpointAndOutcome) {
  ASSERT_EQ(hf("initiative create login --milestones '[\"M1\",\"M2\"]'"), 0) << err;
  ASSERT_EQ(hf("initiative start M1"), 0) << err;
  ASSERT_EQ(hf("initiative milestone"), 0) << err;
  ASSERT_EQ(hf("initiative task 'wrote the parser'"), 0) << err;
  EXPECT_TRUE(out.contains("wrote the parser")) << out;
  ASSERT_EQ(hf("initiative get"), 0) << err;
  EXPECT_TRUE(out.contains("\nmilestone  completedAt       notes  lastAction        timestamp\nM1  ")) << out;
  EXPECT_TRUE(out.contains("\nM2                                  wrote the parser  20")) << out;
  ASSERT_EQ(hf("workflow phase implement --completed plan --context 'login form'"), 0) << err;
  ASSERT_EQ(hf("workflow phase git-commit --outcome 'all green'"), 0) << err;
  ASSERT_EQ(hf("workflow state"), 0) << err;
  EXPECT_TRUE(out.contains("  end        outcome\n") && out.contains("  completed  all green\n")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
