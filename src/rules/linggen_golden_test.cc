// Stores as the seed describes them, as the program wrote them then, and as it writes
// them today: everything is read, and saving what was read changes no byte.
#include "rules/rules_testing.h"
#include "rules/runs/agents.h"
#include "rules/runs/config.h"
#include "rules/runs/credentials.h"
#include "rules/runs/missions.h"
#include "rules/runs/permissions.h"
#include "rules/runs/plans.h"
#include "rules/runs/runs.h"
#include "store/linggen_testing.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

// Saves every record and session as it was read.
void save_all(LinggenStore& files) {
  Store& store = *files.store;
  const Context& context = files.context;
  std::vector<std::string> projects = {""};
  for (const std::string& project : must(list_projects(context, store)).records)
    projects.push_back(text_in(project, "path"));
  for (const std::string& project : projects) {
    must(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
      Edits edits;
      for (const char* kind : {"project", "run", "mission", "legacy_mission", "agent_override", "permission",
                               "credential", "config", "plan", "agent", "skill", "state_file", "cron_mission"}) {
        auto list = look({kind, project, {}});
        if (!list) return fail(list.error());
        for (const std::string& record : list->records) {
          const bool single = std::string_view(kind) == "project" || std::string_view(kind) == "legacy_mission";
          if (single && project.empty()) continue;
          if (project.empty() && (std::string_view(kind) == "run" || std::string_view(kind) == "mission" ||
                                  std::string_view(kind) == "agent_override"))
            continue;
          edits.push_back({RecordEdit::Kind::put, {kind, project, single ? "" : text_in(record, "id")}, record});
        }
      }
      return edits;
    }));
  }
  for (const Session& session : must(store.list(context)).sessions) {
    if (!session.title.empty()) must(store.update(context, session.id, {.title = session.title}));
  }
}

struct LinggenGolden : testing::TestWithParam<const char*> {};

TEST_P(LinggenGolden, SavingWhatWasReadChangesNoByte) {
  LinggenStore files(GetParam());
  const auto before = files.tree();
  EXPECT_GT(before.size(), 5u);
  save_all(files);
  EXPECT_EQ(files.tree(), before);
}

TEST_P(LinggenGolden, ReadingChangesNothing) {
  LinggenStore files(GetParam());
  const std::string before = picture(files.disk);
  files.reopen(false);
  Store& store = *files.store;
  for (const Session& session : must(store.list(files.context)).sessions) must(store.read(files.context, session.id));
  for (const std::string& project : must(list_projects(files.context, store)).records) {
    must(list_runs(files.context, store, {.project = text_in(project, "path")}));
    must(list_missions(files.context, store, text_in(project, "path")));
  }
  must(list_credentials(files.context, store));
  must(load_config(files.context, store));
  EXPECT_EQ(picture(files.disk), before);
}

INSTANTIATE_TEST_SUITE_P(All, LinggenGolden, testing::Values("seed", "real_2d9569b", "today"));

TEST(Linggen, G01_ReadsEntireSeedTree) {
  LinggenStore files("seed");
  Store& store = *files.store;
  const Context& context = files.context;
  EXPECT_EQ(JsonView(must(load_config(context, store))).find("default_model").as_string(), "gemini-flash");
  EXPECT_EQ(must(get_plan(context, store, "", "refactor-auth-module")).items.size(), 4u);
  EXPECT_EQ(must(list_agents(context, store)).records.size(), 1u);
  EXPECT_EQ(must(list_skills(context, store)).records.size(), 2u);
  EXPECT_EQ(must(list_credentials(context, store)).records.size(), 2u);
  EXPECT_EQ(must(allowed_tools(context, store, "")), (std::vector<std::string>{"Write", "Edit"}));
  const RecordList projects = must(list_projects(context, store));
  ASSERT_EQ(projects.records.size(), 1u);
  EXPECT_EQ(text_in(projects.records[0], "id"), "-Users-foo-project");
  EXPECT_EQ(text_in(projects.records[0], "added_at"), "2023-11-14T22:13:20.000Z");
  const std::string path = "/Users/foo/project";
  const auto run = must(get_run(context, store, path, "run-ling-1700000000-123456"));
  EXPECT_EQ(run.status.text(), "completed");
  EXPECT_EQ(run.ended_at, "2023-11-14T22:14:20.000Z");
  EXPECT_EQ(must(get_mission(context, store, path)).text, "Monitor production and fix issues");
  EXPECT_EQ(JsonView(must(get_agent_override(context, store, path, "ling"))).find("idle_interval_secs").as_int64(),
            120);
  const Transcript transcript = must(store.read(context, "sess-1700000000-abc12345"));
  EXPECT_EQ(transcript.session.title, "Fix login bug");
  EXPECT_EQ(transcript.session.project, path);
  EXPECT_EQ(transcript.session.created_at, "2023-11-14T22:13:20.000Z");
  ASSERT_EQ(transcript.messages.size(), 2u);
  EXPECT_EQ(transcript.messages[0].role, Role::user);
  EXPECT_EQ(transcript.messages[1].role, Role::assistant);
  EXPECT_TRUE(transcript.findings.empty());
}

TEST(Linggen, G03_ReadsMessagesWrittenByLinggen) {
  LinggenStore files("real_2d9569b");
  const Transcript transcript = must(files.store->read(files.context, "sess-1700000100-0badcafe"));
  EXPECT_EQ(transcript.session.title, "Why: is the build 'red'?");
  ASSERT_EQ(transcript.messages.size(), 7u);
  EXPECT_EQ(transcript.session.counts.user, 1);
  EXPECT_EQ(transcript.session.counts.tool_calls, 1);
  EXPECT_EQ(transcript.session.counts.tool_results, 1);
  const Block& call = transcript.messages[1].blocks.at(0);
  EXPECT_EQ(call.kind, BlockKind::tool_call);
  EXPECT_EQ(call.name, "Read");
  EXPECT_EQ(call.json, R"({"path":"build.log"})");
  const Block& result = transcript.messages[2].blocks.at(0);
  EXPECT_EQ(result.kind, BlockKind::tool_result);
  EXPECT_EQ(result.id, call.id);
  EXPECT_EQ(result.text, "error: missing ;\nline 2");
  EXPECT_EQ(transcript.messages[2].role, Role::tool);
  EXPECT_EQ(transcript.messages[3].role, Role::system);
  EXPECT_EQ(transcript.messages[3].blocks.at(0).kind, BlockKind::other);
  EXPECT_EQ(transcript.messages[4].origin, Origin::injected);
  EXPECT_EQ(transcript.messages[5].text(), "Done: \xc3\xbc \xe2\x9c\x93");
  EXPECT_EQ(transcript.messages[6].blocks.at(0).kind, BlockKind::other);
}

TEST(Linggen, G03_ListsSessionsWithoutMetadataToo) {
  LinggenStore files("real_2d9569b");
  const SessionList list = must(files.store->list(files.context));
  std::map<std::string, std::string> first_prompts;
  for (const Session& session : list.sessions) first_prompts[session.id] = session.first_prompt;
  EXPECT_EQ(first_prompts.size(), 3u);
  EXPECT_TRUE(first_prompts.contains("sess-1700000200-00000001"));
  EXPECT_TRUE(first_prompts.contains("sess-1700000100-0badcafe"));
  EXPECT_EQ(first_prompts["default"], "hello");
  EXPECT_TRUE(list.findings.empty());
}

TEST(Linggen, G05_OldSingleMissionIsReadThenMigrated) {
  LinggenStore files("real_2d9569b");
  Store& store = *files.store;
  EXPECT_EQ(must(get_mission(files.context, store, "/srv/p")).text, "The old one");
  EXPECT_NE(files.bytes("/store/projects/-srv-p/mission.json"), "<none>");
  must(set_mission(files.context, store, {"/srv/p", "new", ""}));
  EXPECT_EQ(files.bytes("/store/projects/-srv-p/mission.json"), "<none>");
  const Listed<Mission> all = must(list_missions(files.context, store, "/srv/p"));
  ASSERT_EQ(all.records.size(), 3u);
  EXPECT_EQ(all.records[2].text, "The old one");
  EXPECT_EQ(all.records[2].id, "1690000000");
  EXPECT_FALSE(all.records[2].active);
  EXPECT_NE(files.bytes("/store/projects/-srv-p/missions/1690000000.json").find("\"created_at\": 1690000000"),
            std::string::npos);
}

TEST(Linggen, G05_UnreadableOldMissionStaysAndIsReported) {
  LinggenStore files("real_2d9569b");
  must(files.disk.put_file("/store/projects/-srv-p/mission.json", "{\"text\":"));
  const MissionMigration done = must(migrate_mission(files.context, *files.store, "/srv/p"));
  EXPECT_FALSE(done.migrated);
  ASSERT_EQ(done.findings.size(), 1u);
  EXPECT_EQ(done.findings[0].file, "projects/-srv-p/mission.json");
  must(set_mission(files.context, *files.store, {"/srv/p", "new", ""}));
  EXPECT_EQ(files.bytes("/store/projects/-srv-p/mission.json"), "{\"text\":");
}

TEST(Linggen, G05_OldMissionWithTakenTimestampGetsNextOne) {
  LinggenStore files("real_2d9569b");
  const std::string path = "/store/projects/-srv-p/mission.json";
  std::string legacy = files.bytes(path);
  legacy.replace(legacy.find("1690000000"), 10, "1695000000");
  must(files.disk.put_file(path, legacy));
  EXPECT_TRUE(must(migrate_mission(files.context, *files.store, "/srv/p")).migrated);
  const Listed<Mission> all = must(list_missions(files.context, *files.store, "/srv/p"));
  ASSERT_EQ(all.records.size(), 2u);
  EXPECT_EQ(all.records[0].id, "1695000001");
  EXPECT_EQ(all.records[0].text, "The old one");
}

TEST(Linggen, G15_ReadsAndEditsStateFilesOfLinggen) {
  LinggenStore files("real_2d9569b");
  const RecordList list = must(files.store->list_records(files.context, {"state_file", {}, {}}));
  EXPECT_EQ(list.records.size(), 4u);
  EXPECT_TRUE(list.findings.empty());
  const std::string message = must(files.store->get_record(files.context, {"state_file", {}, "msg-1"}));
  EXPECT_EQ(text_in(message, "task_id"), "msg-1");
  EXPECT_EQ(text_in(message, "about_task_id"), "c-1");
  must(files.store->edit_records(files.context, [](const Store::Look&) -> Result<Edits> {
    return Edits{{RecordEdit::Kind::put, {"state_file", {}, "c-1"}, R"({"status":"open"})"}};
  }));
  EXPECT_EQ(files.bytes("/ws/.linggen/workspace/tasks/c-1.md"),
            "---\ntype: coder_task\nid: c-1\nstatus: open\nstory_id: s-1\nassigned_to: coder\n---\n\nThe semicolon.\n");
}

TEST(Linggen, G16_ReadsAllKeysOfCurrentFlatSessions) {
  LinggenStore files("today");
  const Transcript transcript = must(files.store->read(files.context, "sess-1760000000-feedbeef", {.raw = true}));
  EXPECT_EQ(transcript.session.project, "/srv/p");
  EXPECT_EQ(transcript.session.title, "Refactor auth");
  EXPECT_EQ(transcript.session.models, std::vector<std::string>{"gemini-2.5-pro"});
  const JsonView metadata(transcript.session.metadata);
  EXPECT_EQ(metadata.find("creator").as_string(), "mission");
  EXPECT_EQ(metadata.find("user_id").as_string(), "u1");
  EXPECT_EQ(metadata.find("compact_threshold").raw(), "0.75");
  EXPECT_EQ(metadata.find("title_locked").as_bool(), false);
  EXPECT_EQ(metadata.find("new_key").raw(), R"([1,{"a":"b"}])");
  ASSERT_EQ(transcript.messages.size(), 3u);
  EXPECT_EQ(JsonView(transcript.messages[1].blocks.at(0).json).find("plan").find("status").as_string(), "rejected");
  EXPECT_NE(transcript.messages[2].raw.find("\"tokens\":12"), std::string::npos);
}

TEST(Linggen, G16_ReadsCurrentMissionsAndTheirRuns) {
  LinggenStore files("today");
  const std::string mission = must(files.store->get_record(files.context, {"cron_mission", "", "daily"}));
  EXPECT_EQ(text_in(mission, "schedule"), "0 9 * * *");
  EXPECT_EQ(JsonView(mission).find("allowed-tools").raw(), R"(["Read","Bash"])");
  const std::string runs = must(files.store->get_record(files.context, {"cron_mission_runs", "", "daily"}));
  std::size_t count = 0;
  for (const JsonItem& item : JsonView(runs).find("lines").elements()) {
    EXPECT_TRUE(item.value.find("run_id").as_string()->starts_with("mission-run-"));
    ++count;
  }
  EXPECT_EQ(count, 2u);
}

TEST(Linggen, G16_CurrentHomeGetsFlatSessionsAndSplicedYaml) {
  LinggenStore files("today");
  const std::string id = must(files.store->create(files.context, {.project = "/srv/q", .title = "T"}));
  EXPECT_EQ(files.bytes("/store/sessions/" + id + "/session.yaml"),
            "id: " + id + "\ntitle: T\ncreated_at: 1700000000\ncwd: /srv/q\nproject: /srv/q\nproject_name: q\n");
  const std::string path = "/store/sessions/sess-1760000000-feedbeef/session.yaml";
  std::string expected = files.bytes(path);
  expected.replace(expected.find("Refactor auth"), 13, "Other");
  must(files.store->update(files.context, "sess-1760000000-feedbeef", {.title = "Other"}));
  EXPECT_EQ(files.bytes(path), expected);
}

}  // namespace
}  // namespace holdfast::inline v1
