// The read protocol: which source answers, what the others add, and which one wins if they disagree.
#include "rules/initiative/two_layer.h"

#include "rules/initiative/phases.h"
#include "rules/initiative/workflow_testing.h"

namespace holdfast::inline v1 {
namespace {

const std::string kFolder = "/project/documentation/milestones/_active/login/";

std::string initiative(const std::string& status, const std::string& milestone, const std::string& time) {
  return R"({"name":"login","status":")" + status + R"(","currentMilestone":")" + milestone + R"(","lastUpdated":")" +
         time + "\"}";
}
std::string yaml(const std::string& status, const std::string& milestone, const std::string& time) {
  return "active: {initiative: login, milestone: " + milestone + ", status: " + status + "}\nlastUpdated: " + time +
         "\n";
}

TEST(TwoLayer, W05_HighestSourceWinsAndLowerSourcesFillGaps) {
  WorkflowStore files({{"/project/.claude/initiative.json", R"({"name":"login","status":"in_progress"})"},
                       {kFolder + "WORKFLOW-STATUS.yaml", "active: {initiative: login, milestone: M2, phase: plan}\n"},
                       {"/memory/MEMORY.md", "- Active APEX workflow: analyze completed, planning login\n"},
                       {kFolder + "milestone-1.md", "- [x] a\n"},
                       {kFolder + "milestone-2.md", "- [ ] b\n"}});
  const LayerView view =
      must(read_initiative(files.context, *files.store, "", R"({"name":"login","next_action":"go on"})"));
  EXPECT_EQ(view.source, "context");
  EXPECT_EQ(view.initiative,
            R"({"name":"login","next_action":"go on","status":"in_progress","current_milestone":"M2","phase":"plan",)"
            R"("workflow":"APEX","position":"Active APEX workflow: analyze completed, planning login",)"
            R"("progress":{"M1":"completed","M2":"pending"}})");
  EXPECT_EQ(view.enriched,
            R"({"status":"initiative.json","current_milestone":"WORKFLOW-STATUS.yaml","phase":"WORKFLOW-STATUS.yaml",)"
            R"("workflow":"MEMORY.md","position":"MEMORY.md","progress":"scan"})");
}

TEST(TwoLayer, W05_SourcesAreTriedInPriorityOrder) {
  WorkflowStore files({{kFolder + "milestone-1.md", "- [x] a\n- [ ] b\n"}});
  LayerView view = must(read_initiative(files.context, *files.store, ""));
  EXPECT_EQ(view.source, "scan");
  EXPECT_EQ(view.initiative,
            R"({"name":"login","status":"in_progress","current_milestone":"M1","progress":{"M1":"in_progress"}})");
  must(files.disk.put_file("/memory/MEMORY.md", "- Active APEX workflow: plan approved, implementing x\n"));
  EXPECT_EQ(must(read_initiative(files.context, *files.store, "")).source, "MEMORY.md");
  must(files.disk.put_file(kFolder + "WORKFLOW-STATUS.yaml", yaml("in_progress", "M1", "2023-11-14T22:00:00Z")));
  EXPECT_EQ(must(read_initiative(files.context, *files.store, "")).source, "WORKFLOW-STATUS.yaml");
  must(files.disk.put_file("/project/.claude/initiative.json", initiative("blocked", "M1", "2023-11-14T22:00:00Z")));
  EXPECT_EQ(must(read_initiative(files.context, *files.store, "")).source, "initiative.json");
  WorkflowStore none;
  EXPECT_EQ(must(read_initiative(none.context, *none.store, "")).source, "");
}

TEST(TwoLayer, W05_UnreadableStateFileIsReportedAndScanUsed) {
  WorkflowStore files({{"/project/.claude/initiative.json", "{\"name\": \"lo"}, {kFolder + "M1.md", "- [ ] a\n"}});
  const LayerView view = must(read_initiative(files.context, *files.store, ""));
  EXPECT_EQ(view.source, "scan");
  ASSERT_EQ(view.warnings.size(), 1u);
  EXPECT_NE(view.warnings[0].find(".claude/initiative.json cannot be read"), std::string::npos);
  EXPECT_EQ(set_initiative_status(files.context, *files.store, "blocked").error().code, Code::corrupt);
  EXPECT_EQ(files.initiative(), "{\"name\": \"lo") << "nothing writes over it unasked";
  const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", true));
  EXPECT_EQ(resumed.corrections, std::vector<std::string>{"Sync corrected: initiative.json updated to match scan"});
  EXPECT_EQ(text_in(must(read_initiative(files.context, *files.store, "")).initiative, "status"), "created");
}

// As one that is not JSON: else its empty status would win over a source that can be read.
TEST(TwoLayer, W05_StateFileWithValueOfWrongKindIsUnreadable) {
  const std::pair<std::string, std::string> kOdd[] = {
      {R"("status":["completed"],"currentMilestone":"M1","progress":{})", "status"},
      {R"("status":"in_progress","progress":["M1"])", "progress"},
      {R"("status":"in_progress","checkpoints":{})", "checkpoints"},
      {R"("status":"in_progress","currentMilestone":{"M1":1})", "currentMilestone"}};
  for (const auto& [members, name] : kOdd) {
    SCOPED_TRACE(members);
    const std::string odd = R"({"name":"login",)" + members + R"(,"lastUpdated":"2023-11-14T20:00:00Z"})";
    WorkflowStore files({{"/project/.claude/initiative.json", odd},
                         {kFolder + "WORKFLOW-STATUS.yaml", yaml("blocked", "M2", "2023-11-14T20:13:20Z")}});
    const LayerView view = must(read_initiative(files.context, *files.store, ""));
    EXPECT_EQ(view.source, "WORKFLOW-STATUS.yaml");
    EXPECT_EQ(text_in(view.initiative, "status"), "blocked");
    EXPECT_EQ(view.warnings, std::vector<std::string>{".claude/initiative.json cannot be read (" + name +
                                                      " has a value of the wrong kind); the other sources are used"});
    EXPECT_EQ(start_milestone(files.context, *files.store, "M1").error().code, Code::corrupt);
    EXPECT_EQ(files.initiative(), odd) << "nothing writes over it unasked";
    must(resume_initiative(files.context, *files.store, "", "", true));
    EXPECT_EQ(text_in(files.initiative(), "status"), "blocked");
  }
}

TEST(TwoLayer, W05_CheckboxesOverrideClaimedCompletion) {
  WorkflowStore files({{"/project/.claude/initiative.json",
                        R"({"name":"login","status":"completed","progress":{"M1":"completed","M2-docs":"completed"}})"},
                       {kFolder + "milestone-1.md", "- [x] a\n"},
                       {kFolder + "M2-docs.md", "- [x] b\n- [ ] c\n"}});
  const LayerView view = must(read_initiative(files.context, *files.store, ""));
  EXPECT_EQ(view.initiative,
            R"({"name":"login","status":"in_progress","progress":{"M1":"completed","M2-docs":"in_progress"},)"
            R"("current_milestone":"M2"})");
  EXPECT_EQ(view.warnings,
            std::vector<std::string>{"initiative.json says that M2-docs is completed, but 1 of 2 boxes in "
                                     "documentation/milestones/_active/login/M2-docs.md are open; the boxes are "
                                     "trusted"});
}

TEST(TwoLayer, W07_NewestSourceWinsAndStaleFileIsCorrected) {
  WorkflowStore files({{"/project/.claude/initiative.json", initiative("in_progress", "M1", "2023-11-14T20:00:00Z")},
                       {kFolder + "WORKFLOW-STATUS.yaml", yaml("blocked", "M2", "2023-11-14T20:13:20Z")}});
  const auto before = files.tree();
  const LayerView view = must(read_initiative(files.context, *files.store, ""));
  EXPECT_EQ(view.source, "WORKFLOW-STATUS.yaml");
  EXPECT_EQ(view.warnings, std::vector<std::string>{"Initiative state may be stale — last updated 2 hours ago in "
                                                    "WORKFLOW-STATUS.yaml, 2 hours ago in initiative.json"});
  EXPECT_EQ(files.tree(), before) << "reading writes nothing";
  const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
  EXPECT_EQ(resumed.corrections,
            std::vector<std::string>{"Sync corrected: initiative.json updated to match WORKFLOW-STATUS.yaml"});
  EXPECT_EQ(files.initiative(), initiative("blocked", "M2", "2023-11-14T20:13:20.000Z"));
  EXPECT_TRUE(must(resume_initiative(files.context, *files.store, "", "", false)).corrections.empty());
}

TEST(TwoLayer, W07_FiveMinuteDifferenceIsCorrectedWithoutWarning) {
  WorkflowStore files({{"/project/.claude/initiative.json", initiative("in_progress", "M2", "2023-11-14T22:05:00Z")},
                       {kFolder + "WORKFLOW-STATUS.yaml", yaml("in_progress", "M1", "2023-11-14T22:00:00Z")}});
  const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
  EXPECT_EQ(resumed.view.source, "initiative.json");
  EXPECT_TRUE(resumed.view.warnings.empty());
  EXPECT_EQ(resumed.corrections,
            std::vector<std::string>{"Sync corrected: WORKFLOW-STATUS.yaml updated to match initiative.json"});
  EXPECT_NE(files.status().find("milestone: M2"), std::string::npos) << files.status();
}

TEST(TwoLayer, W07_TimeDifferenceAloneIsNoConflict) {
  WorkflowStore files({{"/project/.claude/initiative.json", initiative("in_progress", "M1", "2023-11-14T22:05:00Z")},
                       {kFolder + "WORKFLOW-STATUS.yaml", yaml("in_progress", "M1", "2023-11-01T22:00:00Z")}});
  const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
  EXPECT_TRUE(resumed.view.warnings.empty() && resumed.corrections.empty()) << "tasks update one file only";
}

TEST(TwoLayer, W07_SourceWithoutDateIsRankedByPriority) {
  WorkflowStore files({{"/project/.claude/initiative.json", R"({"name":"login","status":"in_progress"})"},
                       {kFolder + "WORKFLOW-STATUS.yaml", yaml("blocked", "M1", "2023-11-14T20:13:20Z")}});
  EXPECT_EQ(must(read_initiative(files.context, *files.store, "")).source, "initiative.json");
}

// A model invents dates. One that cannot be must not overwrite what a person wrote.
TEST(TwoLayer, W07_DateInTheFutureIsReportedAndDoesNotWin) {
  const std::string person = "2023-11-14T20:13:20Z", invented = "2030-01-01T00:00:00Z";
  {
    WorkflowStore files({{"/project/.claude/initiative.json", initiative("blocked", "M1", person)},
                         {kFolder + "WORKFLOW-STATUS.yaml", yaml("in_progress", "M1", invented)}});
    const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
    EXPECT_EQ(resumed.view.source, "initiative.json");
    EXPECT_EQ(resumed.view.warnings, std::vector<std::string>{"the date of WORKFLOW-STATUS.yaml, 2030-01-01T00:00:00"
                                                              ".000Z, is in the future and is ignored"});
    EXPECT_EQ(files.initiative(), initiative("blocked", "M1", person));
    EXPECT_TRUE(files.status().contains("status: blocked") && !files.status().contains("2030")) << files.status();
  }
  {
    WorkflowStore files({{"/project/.claude/initiative.json", initiative("in_progress", "M1", invented)},
                         {kFolder + "WORKFLOW-STATUS.yaml", yaml("blocked", "M1", person)}});
    const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
    EXPECT_EQ(resumed.view.source, "WORKFLOW-STATUS.yaml") << "a real date is better than an invented one";
    EXPECT_EQ(files.initiative(), initiative("blocked", "M1", "2023-11-14T20:13:20.000Z"));
  }
  WorkflowStore files({{"/project/.claude/initiative.json", initiative("blocked", "M1", "yesterday")}});
  EXPECT_EQ(must(read_initiative(files.context, *files.store, "")).warnings,
            std::vector<std::string>{"the date of initiative.json, yesterday, is not a time and is ignored"});
}

TEST(TwoLayer, W07_NewerDateDoesNotReopenCompletedInitiative) {
  WorkflowStore files({{"/project/.claude/initiative.json", initiative("completed", "M1", "2023-11-14T20:00:00Z")},
                       {kFolder + "WORKFLOW-STATUS.yaml", yaml("in_progress", "M1", "2023-11-14T22:00:00Z")}});
  const ResumedInitiative resumed = must(resume_initiative(files.context, *files.store, "", "", false));
  EXPECT_EQ(text_in(resumed.view.initiative, "status"), "completed");
  EXPECT_NE(files.status().find("status: completed"), std::string::npos);
}

TEST(TwoLayer, W07_FormatsElapsedTime) {
  using namespace std::chrono_literals;
  EXPECT_EQ(time_ago(30s), "just now");
  EXPECT_EQ(time_ago(1min), "1 minute ago");
  EXPECT_EQ(time_ago(59min), "59 minutes ago");
  EXPECT_EQ(time_ago(61min), "1 hour ago");
  EXPECT_EQ(time_ago(47h), "47 hours ago");
  EXPECT_EQ(time_ago(72h), "3 days ago");
}

TEST(TwoLayer, W01_WorkflowExpiresAfterOneDayAndEndsAtNextWrite) {
  WorkflowStore files;
  must(advance_phase(files.context, *files.store, {.completed = "analyze", .next = "plan", .context = "login"}));
  files.clock.step(std::chrono::hours(24));
  EXPECT_FALSE(JsonView(must(read_phases(files.context, *files.store, ""))).find("active").is_null());
  files.clock.step(std::chrono::seconds(1));
  const auto before = files.tree();
  const std::string state = must(read_phases(files.context, *files.store, ""));
  EXPECT_TRUE(JsonView(state).find("active").is_null());
  EXPECT_EQ(JsonView(state).find("expired").as_bool(), true);
  EXPECT_EQ(files.tree(), before);
  must(resume_initiative(files.context, *files.store, "", "", false));
  EXPECT_EQ(files.bytes("/project/.claude/workflow-state.json"), "{}\n");
  EXPECT_EQ(files.memory(), "## Workflow State\n\n- Expired APEX workflow: no progress for 24 h in plan, login\n");
}

}  // namespace
}  // namespace holdfast::inline v1
