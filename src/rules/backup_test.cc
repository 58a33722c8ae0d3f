// Decision 10: maestro and holdfast use a valid backup and report restored_from_backup;
// without one they report serialization_failed. Either way writers, but never readers,
// move the bad file aside (decision 9).
#include <algorithm>

#include "rules/rules_testing.h"
#include "rules/threads/maestro_testing.h"
#include "rules/workflow/session_start.h"
#include "store/engine.h"
#include "store/repair.h"

namespace holdfast::inline v1 {
namespace {

// What a crash, a bad disk or a careless program leaves of a document.
const std::vector<std::string>& damages() {
  static const std::vector<std::string> all = {
      "", "null", "[1]", R"({"schemaVersion": 1, "id": "thr)", "not json ", "\"x\"", std::string(64, '\0')};
  return all;
}

struct Backup : testing::TestWithParam<const char*> {
  MaestroStore files{{}, GetParam()};
  const Context& context = files.context;
  Store& store = *files.store;
  const bool maestro = std::string_view(GetParam()) == "maestro";

  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const SimEntry& entry : files.disk.tree()) all[entry.path] = entry.bytes;
    return all;
  }
  void spoil(const std::string& path, const std::string& bytes) { must(files.disk.put_file(path, bytes)); }
  void spoil_backups() {
    for (const std::string& path : files.disk.paths()) {
      if (path.find("/backup/") != std::string::npos) spoil(path, "bad too");
    }
  }
  void rename(const std::string& thread, const std::string& title) {
    const std::string request = R"({"id":")" + thread + R"(","title":")" + title + "\"}";
    must(save_thread(context, store, JsonView(request)));
  }
  std::string title(const std::string& thread) { return must(get_thread(context, store, thread)).title; }
  std::string thread_file(const std::string& thread) const { return "/store/threads/" + thread + ".json"; }
  std::string session_file(const std::string& id) const {
    for (const std::string& path : files.disk.paths()) {
      if (path.ends_with(maestro ? "/sessions/" + id + ".json" : "/" + id + "/session.json")) return path;
    }
    return "<none>";
  }
  std::vector<Finding> told() { return must(engine_of(store))->opening_findings(); }
  std::vector<std::string> aside() const {
    std::vector<std::string> all;
    for (const auto& [path, bytes] : everything()) {
      if (path.starts_with("/store/corrupt/")) all.push_back(bytes);
    }
    return all;
  }
  static std::string kinds(const std::vector<Finding>& findings) {
    std::string all;
    for (const Finding& finding : findings) all += (all.empty() ? "" : " ") + finding.file + ":" + finding.kind;
    return all;
  }
};

TEST_P(Backup, M09_ReadingUsesBackupOfBadRecordAndWritesNothing) {
  const std::string thread = files.thread("/a", "one"), other = files.thread("/b", "other");
  rename(thread, "two");
  const std::string good = files.bytes(thread_file(thread));
  for (const std::string& damage : damages()) {
    spoil(thread_file(thread), damage);
    const auto before = everything();
    EXPECT_EQ(title(thread), "one") << damage;
    const RecordList list = must(store.list_records(context, {"thread", {}, {}}));
    EXPECT_EQ(list.records.size(), 2u) << damage;
    ASSERT_EQ(kinds(list.findings), "threads/" + thread + ".json:restored_from_backup") << damage;
    EXPECT_NE(list.findings[0].consequence.find("not a"), std::string::npos) << list.findings[0].consequence;
    EXPECT_EQ(title(other), "other");
    EXPECT_EQ(everything(), before) << damage;
  }
  EXPECT_EQ(told().back().kind, "restored_from_backup") << "get_record has no other way to say it";
  spoil(thread_file(thread), good);
  EXPECT_EQ(title(thread), "two") << "a good file is never passed over";
}

TEST_P(Backup, M09_WriterSetsBadFileAsideAndContinuesFromBackup) {
  const std::string thread = files.thread("/a", "one");
  for (const std::string& damage : damages()) {
    rename(thread, "two");
    rename(thread, "three");
    spoil(thread_file(thread), damage);
    const std::string request = R"({"id":")" + thread + R"(","metadata":{"pinned":true}})";
    must(save_thread(context, store, JsonView(request)));
    EXPECT_EQ(title(thread), "two") << damage;
    EXPECT_EQ(told().back().kind, "restored_from_backup");
    EXPECT_EQ(told().back().file, "threads/" + thread + ".json");
  }
  std::vector<std::string> all = aside(), wanted = damages();
  std::ranges::sort(all);
  std::ranges::sort(wanted);
  EXPECT_EQ(all, wanted) << "every bad file is there, byte by byte";
}

TEST_P(Backup, M09_WithoutValidBackupErrorNamesFile) {
  const std::string thread = files.thread("/a", "one"), other = files.thread("/b", "other");
  rename(thread, "two");
  spoil_backups();
  spoil(thread_file(thread), "{");
  const auto before = everything();
  const auto failed = store.get_record(context, {"thread", {}, thread});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::serialization_failed);
  EXPECT_EQ(failed.error().path, "threads/" + thread + ".json");
  const RecordList list = must(store.list_records(context, {"thread", {}, {}}));
  EXPECT_EQ(list.records.size(), 1u) << "its neighbour";
  EXPECT_EQ(kinds(list.findings), "threads/" + thread + ".json:corrupt");
  EXPECT_EQ(everything(), before);
  const std::string request = R"({"id":")" + thread + R"(","title":"three"})";
  const auto saved = save_thread(context, store, JsonView(request));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, Code::serialization_failed);
  EXPECT_EQ(saved.error().path, "threads/" + thread + ".json");
  EXPECT_EQ(aside(), std::vector<std::string>{"{"});
  EXPECT_FALSE(files.disk.exists(thread_file(thread)));
  EXPECT_EQ(title(other), "other");
}

TEST_P(Backup, M09_BadSessionIsReadFromBackupAndRestoredByNextMessage) {
  const std::string id = must(store.create(context, {.project = "/p"}));
  must(files.append(id, said(Role::user, "first")));
  must(store.update(context, id, {.metadata = std::string(R"({"x":1})")}));
  must(store.update(context, id, {.metadata = std::string(R"({"y":2})")}));
  const std::string path = session_file(id);
  for (const std::string& damage : damages()) {
    spoil(path, damage);
    const auto before = everything();
    const Transcript read = must(store.read(context, id));
    EXPECT_EQ(read.messages.front().text(), "first");
    ASSERT_EQ(kinds(read.findings), path.substr(7) + ":restored_from_backup") << damage;
    EXPECT_EQ(read.session.project, "/p") << damage;
    const SessionList list = must(store.list(context));
    ASSERT_EQ(list.sessions.size(), 1u) << damage;
    EXPECT_EQ(list.sessions[0].damage, 1) << damage;
    EXPECT_EQ(list.sessions[0].metadata, read.session.metadata);
    EXPECT_EQ(kinds(list.findings), path.substr(7) + ":restored_from_backup") << damage;
    EXPECT_EQ(everything(), before) << damage;
    must(files.append(id, said(Role::user, "next")));
    EXPECT_EQ(told().back().kind, "restored_from_backup");
    EXPECT_TRUE(must(store.read(context, id)).findings.empty()) << damage;
    must(store.update(context, id, {.metadata = R"({"z":)" + std::to_string(damage.size()) + "}"}));
  }
  EXPECT_EQ(aside().size(), damages().size());
  EXPECT_EQ(must(store.read(context, id)).messages.size(), 1 + damages().size());
}

TEST_P(Backup, M09_RepairRestoresFromBackupAndSetsRestAside) {
  const std::string thread = files.thread("/a", "one"), lost = files.thread("/b", "lost");
  const std::string id = must(store.create(context, {.thread = thread}));
  must(files.append(id, said(Role::user, "first")));
  must(store.update(context, id, {.metadata = std::string(R"({"x":1})")}));
  rename(thread, "two");
  spoil(session_file(id), "s");
  spoil(thread_file(thread), "t");
  spoil(thread_file(lost), "l");
  must(repair_store(context, store));
  std::vector<std::string> all = aside();
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<std::string>{"l", "s", "t"}));
  EXPECT_NE(title(thread), "");
  EXPECT_EQ(get_thread(context, store, lost).error().code, Code::not_found);
  EXPECT_TRUE(must(store.read(context, id)).findings.empty());
}

INSTANTIATE_TEST_SUITE_P(Maestro, Backup, testing::Values("maestro"));
INSTANTIATE_TEST_SUITE_P(Native, Backup, testing::Values("holdfast"));

struct NativeBackup : Backup {};

// The log identifies its session even if the document is lost.
TEST_P(NativeBackup, M09_SessionWithoutBackupIsRebuiltFromLog) {
  const std::string id = must(store.create(context, {.project = "/p", .title = "t"}));
  must(files.append(id, said(Role::user, "first")));
  spoil_backups();
  spoil(session_file(id), "{");
  const Transcript read = must(store.read(context, id));
  EXPECT_EQ(read.session.project, "/p");
  ASSERT_EQ(read.findings.size(), 1u);
  EXPECT_EQ(read.findings[0].kind, "corrupt");
  const auto refused = store.write(context, id);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::serialization_failed);
  EXPECT_EQ(aside(), std::vector<std::string>{"{"});
  files.clock.step(std::chrono::hours(1));
  must(files.append(id, said(Role::user, "second")));
  must(store.update(context, id, {.title = "again"}));
  const Session session = must(store.get(context, id));
  EXPECT_EQ(session.project, "/p");
  EXPECT_EQ(session.created_at, read.session.created_at);
  EXPECT_EQ(session.title, "again");
  EXPECT_EQ(must(store.read(context, id)).messages.size(), 2u);
}

// Unreadable counts are restored, not started from 0 again.
TEST_P(NativeBackup, L03_BadMetricsAreRestoredNotReset) {
  const std::string id = must(start_session(context, store, {.module = "auth"})).workflow.id;
  for (int n = 0; n < 3; ++n) must(save_workflow(context, store, id, {.iteration = Iteration{10, 1, 0, false}}));
  std::string path = session_file(id);
  path.replace(path.rfind('/'), std::string::npos, "/metrics.json");
  spoil(path, "{\"iteration_count\": 3,");
  const auto count = [&] {
    const WorkflowView view = must(get_workflow(context, store, id));
    return JsonView(view.metrics).find("iteration_count").as_int64();
  };
  EXPECT_EQ(count(), 2);
  must(save_workflow(context, store, id, {.iteration = Iteration{10, 1, 0, false}}));
  EXPECT_EQ(count(), 3);
  EXPECT_EQ(told().back().kind, "restored_from_backup");
  spoil_backups();
  spoil(path, "{");
  EXPECT_EQ(save_workflow(context, store, id, {.iteration = Iteration{10, 1, 0, false}}).error().code,
            Code::serialization_failed);
  EXPECT_EQ(aside().size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Native, NativeBackup, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
