// Initiatives on both layouts with initiatives: the sync table, the status machine, revisions.
#include "rules/initiative/initiative.h"

#include <latch>
#include <thread>

#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_testing.h"

namespace holdfast::inline v1 {
namespace {

INSTANTIATE_TEST_SUITE_P(Workflow, Workflows, testing::Values("workflow"));
INSTANTIATE_TEST_SUITE_P(Native, Workflows, testing::Values("holdfast"));

TEST_P(Workflows, W08_StatusFollowsStateMachine) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  EXPECT_EQ(words(set_initiative_status(context, store, "blocked", event())),
            "created → blocked is refused: after created comes in_progress");
  EXPECT_EQ(words(set_initiative_status(context, store, "completed", event())),
            "created → completed is refused: after created comes in_progress");
  for (const char* status : {"in_progress", "blocked", "in_progress", "completed"})
    EXPECT_EQ(must(set_initiative_status(context, store, status, event())).initiative.status.text(), status);
  const auto back = set_initiative_status(context, store, "in_progress", event());
  EXPECT_EQ(words(back), "completed → in_progress is refused: must create new initiative");
  EXPECT_EQ(back.error().code, Code::invalid_argument);
  must(set_initiative_status(context, store, "archived", event()));
  for (const char* status : {"created", "in_progress", "blocked", "completed"})
    EXPECT_EQ(words(set_initiative_status(context, store, status, event())),
              std::string("archived → ") + status + " is refused: archived is terminal");
  EXPECT_EQ(set_initiative_status(context, store, "paused", event()).error().code, Code::invalid_argument);
}

TEST_P(Workflows, RecordEditCannotReopenCompletedInitiative) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  for (const char* status : {"in_progress", "completed"}) must(set_initiative_status(context, store, status, event()));
  const auto back = store.edit_records(context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{
        {RecordEdit::Kind::put, {"initiative", event().project, {}}, R"({"status":"in_progress"})"}};
  });
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().message, "completed → in_progress is refused: must create new initiative");
}

TEST_P(Workflows, W08_SettingSameStatusWritesNothing) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  const auto before = files.tree();
  files.clock.step(std::chrono::hours(1));
  must(set_initiative_status(context, store, "created", event()));
  EXPECT_EQ(files.tree(), before);
}

TEST_P(Workflows, W08_StaleRevisionIsConflict) {
  const InitiativeState made = must(create_initiative(context, store, {"login", {"M1"}}, event()));
  InitiativeEvent first = event(), second = event();
  first.revision = second.revision = made.revision;
  const InitiativeState one = must(start_milestone(context, store, "M1", first));
  const auto before = files.tree();
  const auto refused = complete_task(context, store, "x", second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::conflict);
  EXPECT_NE(refused.error().message.find("expected revision " + made.revision + ", found " + one.revision),
            std::string::npos);
  EXPECT_EQ(files.tree(), before);
  second.revision = one.revision;
  must(complete_task(context, store, "x", second));
}

TEST_P(Workflows, W08_EightThreadsLoseNoUpdate) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  std::latch start(8);
  std::vector<std::thread> agents;
  for (int i = 0; i < 8; ++i) {
    agents.emplace_back([&, i] {
      start.arrive_and_wait();
      for (int n = 0; n < 5; ++n)
        must(complete_task(context, store, "t" + std::to_string(i) + "." + std::to_string(n), event()));
    });
  }
  for (std::thread& agent : agents) agent.join();
  const std::string initiative = must(read_initiative(context, store, project)).initiative;
  for (int i = 0; i < 8; ++i) {
    for (int n = 0; n < 5; ++n)
      EXPECT_NE(initiative.find("\"t" + std::to_string(i) + "." + std::to_string(n) + "\""), std::string::npos);
  }
}

TEST_P(Workflows, W11_OneInitiativeAtATime) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  const auto second = create_initiative(context, store, {"search", {}}, event());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::already_exists);
  EXPECT_EQ(second.error().message, "an initiative is in progress: login; use --force to replace it");
  EXPECT_EQ(create_initiative(context, store, {"../x", {}}, event()).error().code, Code::unsafe_path);
  EXPECT_EQ(must(create_initiative(context, store, {"search", {}, true}, event())).initiative.name, "search");
}

TEST_P(Workflows, W06_CompletingMilestoneMakesNextCurrent) {
  must(create_initiative(context, store, {"login", {"M1", "M2"}}, event()));
  must(start_milestone(context, store, "M1", event()));
  const std::string done = must(complete_milestone(context, store, {"", "", "fine"}, event())).initiative.source;
  EXPECT_EQ(text_in(done, "current_milestone"), "M2");
  const JsonView progress = JsonView(done).find("progress");
  EXPECT_TRUE(progress.find("M1").is_string("completed"));
  EXPECT_TRUE(progress.find("M2").is_string("pending"));
  EXPECT_NE(done.find("\"notes\":\"fine\""), std::string::npos) << done;
}

TEST_P(Workflows, W02_EventRecordsItsLearningOnce) {
  must(create_initiative(context, store, {"login", {"M1"}}, event()));
  EXPECT_EQ(memory(), "<none>") << "there was nothing to learn";
  must(start_milestone(context, store, "M1", event("Ask first")));
  must(complete_task(context, store, "x", event("Ask first")));
  EXPECT_EQ(memory(), "## Initiative Patterns\n\n- Ask first\n");
}

TEST(WorkflowFiles, W06_EachEventUpdatesFilesOfSyncTable) {
  WorkflowStore files;
  Store& store = *files.store;
  const auto step = [&] { files.clock.step(std::chrono::minutes(1)); };
  must(create_initiative(files.context, store, {"login", {"M1", "M2"}}));
  EXPECT_EQ(files.initiative(), R"({
  "version": "2.0",
  "name": "login",
  "status": "created",
  "currentMilestone": "M1",
  "lastUpdated": "2023-11-14T22:13:20.000Z",
  "progress": {"M1":"pending","M2":"pending"},
  "checkpoints": []
}
)");
  EXPECT_EQ(files.status(),
            "active:\n  initiative: login\n  milestone: M1\n  status: created\n"
            "lastUpdated: \"2023-11-14T22:13:20.000Z\"\nsessions: []\nresume:\n  next_action: \"\"\n"
            "  context_files: []\n");
  const auto changed = [&](const auto& happen) {
    const std::string initiative = files.initiative(), status = files.status();
    step();
    happen();
    return std::string(files.initiative() != initiative ? "I" : "-") + (files.status() != status ? "S" : "-");
  };
  EXPECT_EQ(changed([&] { must(start_milestone(files.context, store, "M1")); }), "IS") << "milestone started";
  EXPECT_EQ(changed([&] { must(complete_task(files.context, store, "a")); }), "I-") << "task completed";
  EXPECT_EQ(changed([&] { must(complete_milestone(files.context, store, {})); }), "IS") << "milestone completed";
  EXPECT_NE(files.status().find("milestone: M2"), std::string::npos);
  EXPECT_EQ(changed([&] { must(set_initiative_status(files.context, store, "blocked")); }), "IS") << "status change";
  EXPECT_NE(files.status().find("status: blocked"), std::string::npos);
  EXPECT_EQ(changed([&] { must(read_initiative(files.context, store, "")); }), "--") << "session resume reads";
}

TEST(WorkflowFiles, W08_PlannedReadsAsCreatedAndIsNotRewritten) {
  const std::string old = "{\"name\":\"login\", \"status\":\"planned\",\r\n \"x\":[1, 2]}";
  WorkflowStore files({{"/project/.claude/initiative.json", old}});
  EXPECT_EQ(text_in(must(read_initiative(files.context, *files.store, "")).initiative, "status"), "created");
  must(set_initiative_status(files.context, *files.store, "created"));
  EXPECT_EQ(files.initiative(), old);
  must(set_initiative_status(files.context, *files.store, "in_progress"));
  EXPECT_EQ(files.initiative(),
            "{\"name\":\"login\", \"status\":\"in_progress\",\r\n \"x\":[1, 2],\r\n "
            "\"lastUpdated\":\"2023-11-14T22:13:20.000Z\"}");
}

}  // namespace
}  // namespace holdfast::inline v1
