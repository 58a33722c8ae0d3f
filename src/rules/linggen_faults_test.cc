// Faults seen in practice (docs/formats/linggen.md): one bad record never hides
// another, nothing is lost, and the finding names the file and the cause.
#include "rules/rules_testing.h"
#include "rules/runs/missions.h"
#include "rules/runs/plans.h"
#include "rules/runs/runs.h"
#include "rules/upkeep/history.h"
#include "store/linggen_testing.h"
#include "store/projects.h"

namespace holdfast::inline v1 {
namespace {

const std::string kGood =
    R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"good","timestamp":1,"is_observation":false})";
const std::string kAlso =
    R"({"agent_id":"ling","from_id":"ling","to_id":"user","content":"also","timestamp":2,"is_observation":false})";
const std::string kProject = "/store/projects/-srv-p/";
const std::string kLog = kProject + "sessions/sess-1-a/messages.jsonl";

struct LinggenFaults : testing::Test {
  LinggenStore files;
  const Context& context = files.context;

  LinggenFaults() {
    must(files.disk.put_file(kProject + "project.json", R"({"path":"/srv/p","name":"p","added_at":1})"));
    must(files.disk.put_file(kProject + "sessions/sess-1-a/session.yaml", "id: sess-1-a\ntitle: A\ncreated_at: 1\n"));
    must(files.disk.put_file(kProject + "sessions/sess-2-b/session.yaml", "id: sess-2-b\ntitle: B\ncreated_at: 2\n"));
    must(files.disk.put_file(kProject + "sessions/sess-2-b/messages.jsonl", kGood + "\n"));
    files.reopen();
  }
  void log(std::string bytes) { must(files.disk.put_file(kLog, std::move(bytes))); }
  Transcript read() { return must(files.store->read(context, "sess-1-a")); }
  void append(const std::string& text) {
    auto writer = must(files.store->write(context, "sess-1-a"));
    must(writer->append(context, said(Role::user, text)));
  }
  static bool names(const std::vector<Finding>& findings, std::string_view file, std::string_view kind) {
    for (const Finding& finding : findings) {
      if (finding.file.find(file) != std::string::npos && finding.kind == kind) return true;
    }
    return false;
  }
};

TEST_F(LinggenFaults, AppendAfterTornLineStartsNewLine) {
  const std::string torn = kAlso.substr(0, 40);
  log(kGood + "\n" + torn);
  EXPECT_EQ(read().messages.size(), 1u);
  append("next");
  EXPECT_TRUE(files.bytes(kLog).starts_with(kGood + "\n" + torn + "\n"));
  const Transcript after = read();
  ASSERT_EQ(after.messages.size(), 2u);
  EXPECT_EQ(after.messages[1].text(), "next");
  EXPECT_TRUE(names(after.findings, "messages.jsonl", "torn"));
}

TEST_F(LinggenFaults, GluedLinesAreBothRead) {
  log(kGood + kAlso + "\n\n" + kGood + "\n");
  const Transcript transcript = read();
  EXPECT_EQ(transcript.messages.size(), 3u);
  EXPECT_TRUE(names(transcript.findings, "messages.jsonl", "glued"));
}

TEST_F(LinggenFaults, BlankLinesAreIgnored) {
  log("\n" + kGood + "\n\n  \n" + kAlso + "\n");
  EXPECT_EQ(read().messages.size(), 2u);
}

TEST_F(LinggenFaults, AppendKeepsLastRecordWithoutNewline) {
  log(kGood + "\n" + kAlso);
  append("next");
  EXPECT_EQ(read().messages.size(), 3u);
  EXPECT_EQ(read().messages[1].text(), "also");
}

TEST_F(LinggenFaults, BinaryGarbageDoesNotHideOtherLines) {
  log(kGood + "\n" + std::string("\x00\xff\x00garbage", 10) + "\n" + kAlso + "\n");
  const Transcript transcript = read();
  EXPECT_EQ(transcript.messages.size(), 2u);
  EXPECT_FALSE(transcript.findings.empty());
}

TEST_F(LinggenFaults, EmptySessionYamlHidesNoSession) {
  log(kGood + "\n");
  must(files.disk.put_file(kProject + "sessions/sess-1-a/session.yaml", ""));
  const SessionList list = must(files.store->list(context));
  EXPECT_EQ(list.sessions.size(), 2u);
  EXPECT_TRUE(names(list.findings, "sess-1-a/session.yaml", "corrupt"));
  EXPECT_EQ(read().messages.size(), 1u);
  must(files.store->update(context, "sess-1-a", {.title = "Mended"}));
  EXPECT_EQ(must(files.store->get(context, "sess-1-a")).title, "Mended");
}

TEST_F(LinggenFaults, BrokenYamlIsReportedAndHidesNoSession) {
  for (const char* bad : {"id: [\n", "null\n", "- a\n- b\n", "\xff\xfe\x00"}) {
    must(files.disk.put_file(kProject + "sessions/sess-1-a/session.yaml", bad));
    const SessionList list = must(files.store->list(context));
    EXPECT_EQ(list.sessions.size(), 2u) << bad;
    EXPECT_TRUE(names(list.findings, "sess-1-a/session.yaml", "corrupt")) << bad;
  }
}

TEST_F(LinggenFaults, BadRunsMissionsAndProjectsDoNotHideOthers) {
  const std::string good = must(start_run(context, *files.store, {.project = "/srv/p", .agent = "a"})).id;
  const std::string bytes = files.bytes(kProject + "runs/" + good + ".json");
  must(files.disk.put_file(kProject + "runs/run-a-1-1.json", bytes.substr(0, bytes.size() / 2)));
  must(files.disk.put_file(kProject + "runs/run-a-1-2.json", "null"));
  must(files.disk.put_file(kProject + "runs/run-a-1-3.json", ""));
  must(files.disk.put_file(kProject + "runs/run-a-1-4.json", std::string("\0\0\0\0", 4)));
  must(files.disk.put_file(kProject + "runs/" + good + ".json.tmp", "{"));
  must(files.disk.put_file(kProject + "runs/a..b.json", bytes));
  const auto runs = must(list_runs(context, *files.store, {.project = "/srv/p"}));
  ASSERT_EQ(runs.records.size(), 1u);
  EXPECT_EQ(runs.records[0].id, good);
  for (const char* name : {"run-a-1-1.json", "run-a-1-2.json", "run-a-1-3.json", "run-a-1-4.json"})
    EXPECT_TRUE(names(runs.findings, name, "corrupt")) << name;
  EXPECT_TRUE(names(runs.findings, "a..b.json", "unsafe_name"));
  EXPECT_EQ(get_run(context, *files.store, "/srv/p", "run-a-1-1").error().code, Code::corrupt);

  must(files.disk.put_file(kProject + "missions/1700000005.json", "{"));
  const Mission mission = must(set_mission(context, *files.store, {"/srv/p", "m", ""}));
  EXPECT_EQ(mission.id, "1700000006") << "a file that cannot be read keeps its name";
  const Listed<Mission> missions = must(list_missions(context, *files.store, "/srv/p"));
  EXPECT_EQ(missions.records.size(), 1u);
  EXPECT_TRUE(names(missions.findings, "1700000005.json", "corrupt"));

  must(files.disk.put_file("/store/projects/-srv-q/project.json", ""));
  const RecordList projects = must(list_projects(context, *files.store));
  EXPECT_EQ(projects.records.size(), 1u);
  EXPECT_TRUE(names(projects.findings, "-srv-q/project.json", "corrupt"));
}

TEST_F(LinggenFaults, UnknownFieldsSurviveRunUpdate) {
  const std::string path = kProject + "runs/run-a-1-1.json";
  must(files.disk.put_file(
      path,
      "{\"x\":[1, 2],\n \"run_id\":\"run-a-1-1\",\"agent_id\":\"a\",\"status\":\"running\",\"started_at\":1,\"y\":{} "
      "}"));
  must(update_run(context, *files.store, "/srv/p", "run-a-1-1", {.status = "completed", .ended_at = "1700000000"}));
  EXPECT_EQ(files.bytes(path),
            "{\"x\":[1, 2],\n \"run_id\":\"run-a-1-1\",\"agent_id\":\"a\",\"status\":\"completed\",\"started_at\":1,"
            "\"y\":{},\"ended_at\":1700000000 }");
}

// A refused or interrupted creation leaves an empty directory.
TEST_F(LinggenFaults, ListsDirectoriesWithoutMetadataUnlessEmpty) {
  must(files.disk.put_file(kProject + "sessions/orphan/messages.jsonl", kGood + "\n"));
  auto home = must(files.disk.open_directory("/store", false));
  must(home->make_directory("projects/-srv-p/sessions/empty"));
  must(files.disk.put_file(kProject + "sessions/a-file", "not a session"));
  const SessionList list = must(files.store->list(context));
  EXPECT_EQ(list.sessions.size(), 3u);
  EXPECT_EQ(files.store->read(context, "empty").error().code, Code::not_found);
}

TEST_F(LinggenFaults, LeftoverTemporaryFilesAreIgnored) {
  must(files.disk.put_file(kProject + "project.json.tmp", "{"));
  must(files.disk.put_file(kProject + "sessions/sess-1-a/session.yaml.tmp", "id"));
  must(files.disk.put_file("/store/plans/x.md.tmp", "# Plan"));
  EXPECT_EQ(must(list_projects(context, *files.store)).records.size(), 1u);
  EXPECT_EQ(must(files.store->list(context)).sessions.size(), 2u);
  EXPECT_TRUE(must(list_plans(context, *files.store, "")).empty());
}

TEST_F(LinggenFaults, RunWithoutOwnerFailsOnlyOnRequest) {
  must(files.disk.put_file(
      kProject + "runs/run-a-1-1.json",
      R"({"run_id":"run-a-1-1","agent_id":"a","status":"running","started_at":1,"ended_at":null})"));
  files.reopen();
  EXPECT_EQ(must(get_run(context, *files.store, "/srv/p", "run-a-1-1")).status.text(), "running");
  EXPECT_EQ(must(fail_dead_runs(context, *files.store, true)), 1u);
  const auto run = must(get_run(context, *files.store, "/srv/p", "run-a-1-1"));
  EXPECT_EQ(run.status.text(), "failed");
  EXPECT_EQ(run.detail, "interrupted");
}

TEST_F(LinggenFaults, RunOfDeadSessionOwnerIsInterrupted) {
  const std::string run =
      must(start_run(context, *files.store, {.project = "/srv/p", .agent = "a", .session = "sess-1-a"})).id;
  auto root = must(Root::open(context, files.disk, "/store"));
  {
    const Lease dies = must(Lease::acquire(context, root, "session-sess-1-a"));
  }
  EXPECT_EQ(must(get_run(context, *files.store, "/srv/p", run)).status.text(), "interrupted");
  EXPECT_EQ(must(fail_dead_runs(context, *files.store)), 1u);
}

TEST_F(LinggenFaults, SameIdInTwoProjectsMustBeQualified) {
  must(files.disk.put_file("/store/projects/-srv-q/sessions/sess-1-a/messages.jsonl", kAlso + "\n"));
  log(kGood + "\n");
  EXPECT_EQ(must(files.store->list(context)).sessions.size(), 3u);
  EXPECT_EQ(files.store->remove(context, "sess-1-a").error().code, Code::not_found);
  must(files.store->remove(context, "sess-1-a@-srv-q"));
  EXPECT_EQ(read().messages.at(0).text(), "good");
}

TEST_F(LinggenFaults, ProjectSharingItsFolderIsNotRemoved) {
  must(files.disk.put_file("/store/projects/-a-b-c/project.json", R"({"path":"/a/b-c","name":"b-c","added_at":1})"));
  must(files.disk.put_file("/store/projects/-a-b-c/runs/run-x-1-1.json",
                           R"({"run_id":"run-x-1-1","repo_path":"/a/b/c","agent_id":"x","status":"completed"})"));
  const auto refused = remove_project(context, *files.store, "/a/b-c");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::conflict);
  EXPECT_NE(refused.error().message.find("/a/b/c"), std::string::npos);
}

TEST_F(LinggenFaults, CrlfPlanWithDuplicateItemsChangesOnlyMarker) {
  const std::string plan = "# Plan: x\r\n\r\n**Status:** executing\r\n\r\n- [ ] same\r\n  d\r\n- [ ] same\r\n";
  must(files.disk.put_file("/store/plans/x.md", plan));
  must(update_plan(context, *files.store, "", "x", {.items = std::vector<ItemChange>{{"same", ItemStatus::done, {}}}}));
  std::string expected = plan;
  expected[plan.find("[ ]") + 1] = 'x';
  EXPECT_EQ(files.bytes("/store/plans/x.md"), expected);
}

}  // namespace
}  // namespace holdfast::inline v1
