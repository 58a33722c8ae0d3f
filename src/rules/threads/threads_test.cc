// The rules of threads, on every layout that has them.
#include "rules/threads/threads.h"

#include "rules/rules_testing.h"
#include "rules/threads/maestro_testing.h"
#include "rules/threads/tool_runs.h"
#include "store/repair.h"

namespace holdfast::inline v1 {
namespace {

struct ThreadRules : testing::TestWithParam<const char*> {
  MaestroStore files{"", GetParam()};
  const Context& context = files.context;
  Store& store = *files.store;
  bool maestro = std::string(GetParam()) == "maestro";

  Session session(const std::string& id) { return must(store.get(context, id)); }
  std::string last(const std::string& thread) { return must(get_thread(context, store, thread)).last_session; }
};

TEST_P(ThreadRules, M01_OneThreadForEachProjectPath) {
  const CreatedThread first = must(create_thread(context, store, {.title = "one", .project = "/srv/p"}));
  const CreatedThread again = must(create_thread(context, store, {.title = "two", .project = "/srv/p"}));
  const CreatedThread other = must(create_thread(context, store, {.project = "/srv/q"}));
  EXPECT_TRUE(first.created);
  EXPECT_FALSE(again.created);
  EXPECT_EQ(again.thread.source, first.thread.source);
  EXPECT_TRUE(other.created);
  EXPECT_EQ(must(list_threads(context, store)).records.size(), 2u);
  EXPECT_EQ(create_thread(context, store, {.id = first.thread.id}).error().code, Code::already_exists);
}

TEST_P(ThreadRules, M01_ListsPinnedFirstThenNewest) {
  Strings ids;
  for (const char* project : {"/a", "/b", "/c"}) {
    files.clock.step(std::chrono::seconds(1));
    ids.push_back(files.thread(project));
  }
  EXPECT_EQ(files.listed(), (Strings{ids[2], ids[1], ids[0]}));
  must(save_thread(context, store, JsonView(R"({"id":")" + ids[1] + R"(","metadata":{"pinned":true}})")));
  EXPECT_EQ(files.listed(), (Strings{ids[1], ids[2], ids[0]}));
}

TEST_P(ThreadRules, M01_SaveAcceptsBothSpellingsAndWritesOnlyChanges) {
  const std::string id = files.thread();
  files.clock.step(std::chrono::seconds(1));
  const Thread saved = must(save_thread(
      context, store,
      JsonView(R"({"id":")" + id + R"(","projectPath":"/new","state_snapshot":{"state":"Ready"},"stranger":[1, 2]})")));
  EXPECT_EQ(saved.project, "/new");
  EXPECT_EQ(saved.updated_at, "2023-11-14T22:13:21.000Z");
  EXPECT_EQ(JsonView(saved.source).find("stranger").raw(), "[1,2]");
  EXPECT_EQ(saved.title, "t");
  const auto tree = files.tree();
  files.clock.step(std::chrono::seconds(1));
  EXPECT_EQ(must(save_thread(context, store, JsonView(saved.source))).source, saved.source);
  EXPECT_EQ(files.tree(), tree);
}

TEST_P(ThreadRules, M11_ReusesUnfinishedSessionButNotEndedOne) {
  const std::string thread = files.thread("/srv/p");
  const ResumedThread first = must(resume_thread(context, store, thread));
  EXPECT_TRUE(first.new_session);
  EXPECT_EQ(first.thread.last_session, first.session);
  EXPECT_EQ(session(first.session).project, "/srv/p");
  const ResumedThread again = must(resume_thread(context, store, thread));
  EXPECT_FALSE(again.new_session);
  EXPECT_EQ(again.session, first.session);
  must(store.update(context, first.session, {.status = Status::complete}));
  const ResumedThread next = must(resume_thread(context, store, thread));
  EXPECT_TRUE(next.new_session);
  EXPECT_NE(next.session, first.session);
  EXPECT_EQ(last(thread), next.session);
  if (maestro) {
    EXPECT_EQ(files.indexed(), Strings{thread});
  }
  EXPECT_EQ(resume_thread(context, store, "thr_none").error().code, Code::not_found);
}

TEST_P(ThreadRules, M11_MissingLastSessionIsReplaced) {
  const std::string thread = files.thread();
  must(save_thread(context, store, JsonView(R"({"id":")" + thread + R"(","last_session_id":"ses_gone"})")));
  EXPECT_TRUE(must(resume_thread(context, store, thread)).new_session);
}

TEST_P(ThreadRules, M11_ResumingSessionWithLiveOwnerIsBusy) {
  const std::string thread = files.thread();
  const std::string id = must(resume_thread(context, store, thread)).session;
  {
    auto writer = must(store.write(context, id, {.lease = LeaseRequest::take}));
    const auto busy = resume_thread(context, store, thread);
    EXPECT_EQ(busy.error().code, Code::busy) << busy.error().text();
    EXPECT_FALSE(must(resume_thread(context, store, thread, {}, id)).new_session);  // our own session
    must(writer->close(context));
  }
  EXPECT_EQ(must(resume_thread(context, store, thread)).session, id);
}

TEST_P(ThreadRules, M11_DeadOwnersSessionIsReusedUntilRepaired) {
  const std::string thread = files.thread();
  const std::string id = must(resume_thread(context, store, thread)).session;
  auto writer = must(store.write(context, id, {.lease = LeaseRequest::take}));
  // The process dies, the disk survives.
  const auto disk = files.disk.clone();
  StoreOptions options;
  options.layout = GetParam();
  options.roots = {{"", "/store"}};
  options.write = true;
  const auto after = must(Store::open(context, *disk, options));
  EXPECT_EQ(must(after->get(context, id)).status, Status::interrupted);
  EXPECT_EQ(must(resume_thread(context, *after, thread)).session, id);
  if (!maestro) return;
  EXPECT_EQ(must(repair_store(context, *after)).counts["failed_sessions"], 1u);
  const std::string record = must(after->get_record(context, {"session", {}, id}));
  EXPECT_EQ(text_in(record, "status"), "failed");
  EXPECT_FALSE(text_in(record, "ended_at").empty());
  EXPECT_TRUE(must(resume_thread(context, *after, thread)).new_session);
  EXPECT_EQ(must(repair_store(context, *after)).counts["failed_sessions"], 0u);
}

TEST_P(ThreadRules, M18_ToolRunsStartAndFinishOnce) {
  const std::string id = must(resume_thread(context, store, files.thread())).session;
  const ToolRun begun = must(add_tool_run(context, store, id, {"", "edit_file", ""}));
  EXPECT_TRUE(begun.id.starts_with("tool_")) << begun.id;
  EXPECT_EQ(begun.status, "Running");
  must(add_tool_run(context, store, id, {"tool_2", "grep", "Succeeded"}));
  EXPECT_EQ(must(finish_tool_run(context, store, id, begun.id, "Failed")).tool, "edit_file");
  EXPECT_EQ(must(finish_tool_run(context, store, id, begun.id, "Failed")).status, "Failed");
  EXPECT_EQ(finish_tool_run(context, store, id, begun.id, "Canceled").error().code, Code::already_exists);
  EXPECT_EQ(finish_tool_run(context, store, id, "tool_9", "Failed").error().code, Code::not_found);
  EXPECT_EQ(finish_tool_run(context, store, id, begun.id, "Done").error().code, Code::invalid_argument);
  EXPECT_EQ(add_tool_run(context, store, id, {"tool_2", "bash", ""}).error().code, Code::already_exists);
  must(add_tool_run(context, store, id, {"tool_3", "bash", ""}));
  const auto runs = must(list_tool_runs(context, store, id));
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].id, "tool_2");
  EXPECT_EQ(runs[1].status, "Failed");
  EXPECT_EQ(runs[2].status, "Running");
  if (!maestro) return;
  // The program's list contains only the three statuses that it knows.
  const std::string bytes = files.bytes("/store/sessions/" + id + ".json");
  EXPECT_EQ(JsonView(bytes).find("toolRuns").raw(), R"([
    {
      "runId": "tool_2",
      "toolName": "grep",
      "status": "Succeeded"
    },
    {
      "runId": ")" + begun.id + R"(",
      "toolName": "edit_file",
      "status": "Failed"
    }
  ])");
}

TEST_P(ThreadRules, M17_DeletingThreadDeletesItsSessions) {
  const std::string thread = files.thread("/a");
  const std::string id = must(resume_thread(context, store, thread)).session;
  const std::string other = must(resume_thread(context, store, files.thread("/b"))).session;
  must(files.append(id, said(Role::user, "x")));
  EXPECT_EQ(must(delete_thread(context, store, thread)).sessions, 1u);
  EXPECT_EQ(store.get(context, id).error().code, Code::not_found);
  EXPECT_EQ(session(other).id, other);
  EXPECT_EQ(files.listed().size(), 1u);
}

TEST_P(ThreadRules, M17_MessagesOfAllSessionsAreListedByTime) {
  const std::string thread = files.thread();
  for (int i = 0; i < 3; ++i) {
    const std::string id = must(resume_thread(context, store, thread)).session;
    files.clock.step(std::chrono::seconds(1));
    must(files.append(id, said(Role::user, std::to_string(i))));
    must(store.update(context, id, {.status = Status::complete}));
  }
  Strings texts;
  for (const ThreadMessage& message : must(read_thread(context, store, thread)).messages)
    texts.push_back(message.message.text());
  EXPECT_EQ(texts, (Strings{"0", "1", "2"}));
}

INSTANTIATE_TEST_SUITE_P(Maestro, ThreadRules, testing::Values("maestro"));
INSTANTIATE_TEST_SUITE_P(Native, ThreadRules, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
