// Stores in every variant that the skills write (tests/fixtures/workflow): all are read, saving
// without a change changes no byte, and an edit changes only its own lines.
#include "base/paths_testing.h"
#include "disk/staged.h"
#include "rules/initiative/delegation.h"
#include "rules/initiative/interview.h"
#include "rules/initiative/phases.h"
#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_testing.h"

namespace holdfast::inline v1 {
namespace {

void read_tree(Directory& top, const std::string& path, std::map<std::string, std::string>& files) {
  for (const DirectoryEntry& entry : must(top.list(path))) {
    const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.kind == FileKind::directory) {
      read_tree(top, below, files);
    } else {
      files["/" + below] = must(read_whole(top, below));
    }
  }
}

std::map<std::string, std::string> golden(const std::string& name) {
  std::map<std::string, std::string> files;
  const std::string top = paths::source() + "/tests/fixtures/workflow/" + name;
  read_tree(*must(real_file_system().open_directory(top, false)), "", files);
  return files;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kStatusA = "/project/documentation/milestones/_active/auth/WORKFLOW-STATUS.yaml";
const std::string kStatusB = "/project/.claude/WORKFLOW-STATUS.yaml";

TEST(WorkflowGolden, W01_BothVariantsAreRead) {
  // The fixtures are newer than the clock of the tests, which is too early for their initiatives.
  const auto viewed = [](const std::string& name) {
    WorkflowStore later(golden(name));
    later.clock.step(std::chrono::hours(24 * 1000));
    return must(read_initiative(later.context, *later.store, ""));
  };
  WorkflowStore seed(golden("seed"));
  const LayerView view = viewed("seed");
  EXPECT_EQ(view.source, "initiative.json");
  EXPECT_EQ(text_in(view.initiative, "current_milestone"), "M2");
  EXPECT_EQ(text_in(view.initiative, "owner"), "somebody");
  EXPECT_EQ(text_in(view.initiative, "next_action"), "write the tests") << "from WORKFLOW-STATUS.yaml";
  EXPECT_TRUE(view.warnings.empty());
  const std::string talks = must(read_interviews(seed.context, *seed.store, "", "x-plan"));
  EXPECT_EQ(JsonView(talks).find("baseline").as_int64(), 59) << "0.85 of 70";
  EXPECT_EQ(JsonView(talks).find("expired").as_int64(), 1);
  const std::string phases = must(read_phases(seed.context, *seed.store, ""));
  EXPECT_TRUE(JsonView(phases).find("active").find("phase").is_string("implement"));

  WorkflowStore older(golden("older"));
  const LayerView old = viewed("older");
  EXPECT_EQ(text_in(old.initiative, "status"), "created");
  EXPECT_EQ(text_in(old.initiative, "last_updated"), "2026-01-20T07:00:00.000Z");
  const std::string single = must(read_interviews(older.context, *older.store, "", ""));
  EXPECT_EQ(JsonView(single).find("baseline").as_int64(), 27);
  EXPECT_TRUE(JsonView(single).find("state").find("gateStatus").is_string("blocked"));
  const std::string flat = must(read_phases(older.context, *older.store, ""));
  EXPECT_TRUE(JsonView(flat).find("active").find("context").is_string("login fails"));
}

TEST(WorkflowGolden, W01_SavingUnchangedStateChangesNoByte) {
  for (const std::string name : {"seed", "older"}) {
    WorkflowStore files(golden(name));
    const auto before = files.tree();
    must(read_initiative(files.context, *files.store, ""));
    must(files.store->list(files.context));
    const std::string status = name == "seed" ? "in_progress" : "created";
    must(set_initiative_status(files.context, *files.store, status));
    must(update_initiative(files.context, *files.store, R"({"status":")" + status + "\"}"));
    if (name == "seed") {
      must(resume_initiative(files.context, *files.store, "", "", true));
      must(record_learning(files.context, *files.store, "", "Initiative Patterns", "Small milestones work better"));
      must(record_delegation(files.context, *files.store, {"", "tester", "unit tests", "found two bugs"}));
    }
    EXPECT_EQ(files.tree(), before) << name;
  }
}

TEST(WorkflowGolden, W01_EditKeepsCommentsAndIndentationOfShapeA) {
  WorkflowStore files(golden("seed"));
  const std::string before = files.bytes(kStatusA);
  must(complete_milestone(files.context, *files.store, {"", "", ""}));
  EXPECT_EQ(files.bytes(kStatusA),
            replaced(replaced(before, "\"M2\"", "M3"), "2026-01-26T00:00:00Z", "\"2023-11-14T22:13:20.000Z\""));
  EXPECT_EQ(files.bytes(kStatusB), "<none>");
}

TEST(WorkflowGolden, W01_EditKeepsShapePathAndLineEndingsOfShapeB) {
  WorkflowStore files(golden("older"));
  const std::string before = files.bytes(kStatusB);
  must(start_milestone(files.context, *files.store, "M1-skill-centralization"));
  EXPECT_EQ(files.bytes(kStatusB), replaced(replaced(before, "pending   # next", "in_progress   # next"),
                                            "current_step: 1", "current_step: 2"));
  EXPECT_EQ(files.bytes(kStatusA), "<none>") << "it is used where it is";
  const std::string initiative = files.initiative();
  EXPECT_NE(initiative.find("\r\n\t\t{\"milestone\": \"M0\", \"phase\""), std::string::npos);
  EXPECT_NE(initiative.find("\"status\": \"in_progress\",\r\n"), std::string::npos) << initiative;
}

TEST(WorkflowGolden, W04_AdvancesWorkflowsOfEitherShape) {
  WorkflowStore seed(golden("seed"));
  const std::string memory = seed.memory();
  const PhaseResult review = must(advance_phase(seed.context, *seed.store, {.next = "review"}));
  EXPECT_EQ(review.line, "Active APEX workflow: implementation done, reviewing token rotation");
  EXPECT_EQ(seed.memory(),
            replaced(memory, "Active APEX workflow: plan approved, implementing token rotation", review.line));
  must(advance_phase(seed.context, *seed.store, {.next = "git-commit", .outcome = "merged"}));
  EXPECT_EQ(seed.memory(), replaced(memory, "Active APEX workflow: plan approved, implementing token rotation",
                                    "Completed APEX for token rotation: merged"));
  const std::string state = must(read_phases(seed.context, *seed.store, ""));
  EXPECT_TRUE(JsonView(state).find("active").is_null());
  EXPECT_NE(state.find("\"enforcement\""), std::string::npos) << "the history keeps what it had";
  EXPECT_EQ(state.find("in_progress"), std::string::npos) << "nothing of it is under way: " << state;

  WorkflowStore older(golden("older"));
  must(advance_phase(older.context, *older.store, {.next = "fix"}));
  EXPECT_EQ(older.bytes("/project/.claude/workflow-state.json"),
            "{ \"type\": \"DEBUG\", \"phase\": \"fix\", \"lastUpdated\": \"2023-11-14T22:13:20.000Z\", "
            "\"ttl\": \"24h\", \"context\": \"login fails\", \"worktree\": null }\n");
  EXPECT_NE(older.memory().find("* \"Active DEBUG workflow: root cause found, fixing login fails\"\r\ntail"),
            std::string::npos)
      << older.memory();
}

TEST(WorkflowGolden, W11_OlderInterviewShapeIsKeptAndAnswersAreBounded) {
  WorkflowStore files(golden("older"));
  const std::string path = "/project/.claude/interview-state.json";
  const std::string before = files.bytes(path);
  InterviewEntry entry;
  entry.skill = "x-plan";
  entry.confidence = {{"problem_understanding", 71}};
  const auto refused = record_interview(files.context, *files.store, entry);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "problem_understanding cannot rise from 40 to 71: one answer adds at most 30");
  entry.confidence = {{"problem_understanding", 70}};
  must(record_interview(files.context, *files.store, entry));
  const std::string after = files.bytes(path);
  EXPECT_NE(after.find("\"problem\":70"), std::string::npos) << after;
  EXPECT_NE(after.find("\"odd\":{\"kept\":1}"), std::string::npos);
  EXPECT_EQ(after.find("sessions"), std::string::npos) << "it keeps its shape";
}

// The initiative is the only session of such a store.
TEST(WorkflowGolden, W01_ListsInitiativeAsSession) {
  const std::vector<std::pair<std::string, Status>> words = {
      {"created", Status::active},   {"planned", Status::active},     {"in_progress", Status::active},
      {"blocked", Status::active},   {"completed", Status::complete}, {"archived", Status::complete},
      {"something", Status::unknown}};
  for (const auto& [word, status] : words) {
    WorkflowStore files({{"/project/.claude/initiative.json", R"({"name":"login","status":")" + word + "\"}"}});
    const auto sessions = must(files.store->list(files.context)).sessions;
    ASSERT_EQ(sessions.size(), 1u) << word;
    EXPECT_EQ(sessions[0].id, "login");
    EXPECT_EQ(sessions[0].status, status) << word;
  }
  // A name that is not a file name is shown as the title but gives no id.
  for (const std::string name : {"../up", "a/b", ""}) {
    WorkflowStore files({{"/project/.claude/initiative.json", R"({"name":")" + name + R"(","status":"created"})"}});
    const auto sessions = must(files.store->list(files.context)).sessions;
    ASSERT_EQ(sessions.size(), 1u) << name;
    EXPECT_EQ(sessions[0].id, "initiative");
    EXPECT_EQ(sessions[0].title, name);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
