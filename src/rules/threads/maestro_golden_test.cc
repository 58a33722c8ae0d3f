// Stores as the program writes them and as the seed shows them: both are read, saving
// what was read changes no byte, and unknown fields survive edits.
#include "rules/threads/maestro_testing.h"
#include "rules/threads/tool_runs.h"

namespace holdfast::inline v1 {
namespace {

const std::string kRunning = "ses_0f9d3c52-6a1e-4f3b-9a55-0c6a52d1b001";
const std::string kEnded = "ses_1b7a8f10-23cd-4c5e-8e0a-7a6d3b2c1002";

struct MaestroGolden : testing::TestWithParam<const char*> {};

TEST_P(MaestroGolden, M01_SavingWhatWasReadChangesNoByte) {
  MaestroStore files(GetParam());
  const auto before = files.tree();
  EXPECT_GT(before.size(), 3u);
  for (const Thread& thread : must(list_threads(files.context, *files.store)).records)
    must(save_thread(files.context, *files.store, JsonView(json_of(thread))));
  for (const Session& session : must(files.store->list(files.context)).sessions) {
    must(files.store->update(files.context, session.id, {.metadata = std::string("{}")}));
    for (const Message& message : must(files.store->read(files.context, session.id, {.raw = true})).messages)
      must(must(files.store->write(files.context, session.id))->append_raw(files.context, message.raw));
  }
  EXPECT_EQ(files.tree(), before);
  EXPECT_TRUE(files.events.empty());
}

TEST_P(MaestroGolden, M05_ReadingAndListingCreateNothing) {
  MaestroStore files(GetParam());
  files.again(false);
  const auto paths = files.disk.paths();
  for (const std::string& id : files.listed()) {
    must(read_thread(files.context, *files.store, id));
    must(get_thread(files.context, *files.store, id));
  }
  must(read_thread(files.context, *files.store, "thr_none"));
  for (const Session& session : must(files.store->list(files.context)).sessions)
    must(files.store->read(files.context, session.id, {}));
  EXPECT_EQ(files.disk.paths(), paths);
}

INSTANTIATE_TEST_SUITE_P(Stores, MaestroGolden, testing::Values("program", "seed"),
                         [](const auto& test) { return std::string(test.param); });

TEST(MaestroProgram, M01_ThreadsSessionsAndMessagesAreRead) {
  MaestroStore files("program");
  EXPECT_EQ(files.listed(), (Strings{"thr_b2", "thr_a1"}));  // pinned first
  const Session running = must(files.store->get(files.context, kRunning));
  EXPECT_EQ(running.title, "Add logging");
  EXPECT_EQ(running.project, "/home/dev/maestro");
  EXPECT_EQ(running.status, Status::active);
  EXPECT_EQ(running.created_at, "2026-01-21T10:02:00.000Z");
  EXPECT_EQ(running.models, Strings{"claude-sonnet-4"});
  EXPECT_EQ(running.counts.user, 1);
  EXPECT_EQ(must(files.store->get(files.context, kEnded)).status, Status::complete);
}

TEST(MaestroProgram, M05_OrdersMessagesByTimeInAnyFormat) {
  MaestroStore files("program");
  EXPECT_EQ(files.texts(kRunning), (Strings{"first", "second", "third: output\nof a tool", "fourth"}));
  EXPECT_EQ(files.texts(kEnded), Strings{"of the session before"});
  const auto messages = must(files.store->read(files.context, kRunning, {})).messages;
  EXPECT_EQ(messages[2].blocks[0].kind, BlockKind::tool_result);
  EXPECT_EQ(messages[2].blocks[0].id, "call_1");
  const ThreadTranscript thread = must(read_thread(files.context, *files.store, "thr_a1"));
  ASSERT_EQ(thread.messages.size(), 5u);
  EXPECT_EQ(thread.messages[0].session, kEnded);
  EXPECT_EQ(thread.messages[1].session, kRunning);
}

TEST(MaestroProgram, M18_ReadsBothSnapshotShapes) {
  MaestroStore program("program"), seed("seed");
  const Thread a = must(get_thread(program.context, *program.store, "thr_a1"));
  const Thread b = must(get_thread(seed.context, *seed.store, "thr_123"));
  EXPECT_EQ(snapshot_state(a.state_snapshot.view()), "executing_tools");
  EXPECT_EQ(snapshot_pending(a.state_snapshot.view()), 1u);
  EXPECT_EQ(snapshot_state(b.state_snapshot.view()), "ready");
  EXPECT_EQ(snapshot_pending(b.state_snapshot.view()), 0u);
  EXPECT_EQ(snapshot_state(JsonView(R"({"state":"CallingLlm"})")), "calling_llm");
}

TEST(MaestroProgram, M02_ForeignTemporaryFilesAreLeftAlone) {
  MaestroStore files("program");
  ASSERT_TRUE(files.disk.exists("/store/index.tmp"));
  EXPECT_EQ(files.listed().size(), 2u);
  must(save_thread(files.context, *files.store, JsonView(R"({"id":"thr_a1","title":"Renamed"})")));
  EXPECT_EQ(files.bytes("/store/index.tmp"), "{\"schemaVersion\": 1, \"thr");
  EXPECT_EQ(files.bytes("/store/threads/thr_a1.tmp"), "{");
}

TEST(MaestroSeed, M01_UnknownFieldsSurviveEveryEdit) {
  MaestroStore files("seed");
  const Context& context = files.context;
  must(save_thread(
      context, *files.store,
      JsonView(R"({"id":"thr_123","title":"New","metadata":{"pinned":true},"privacy":{"redactInputs":true}})")));
  must(files.store->update(context, "ses_456", {.status = Status::stopped}));
  must(files.append("ses_456", said(Role::user, "go on")));
  const std::string thread = files.bytes("/store/threads/thr_123.json");
  for (const char* kept :
       {"\"x-consent\": \"2026\"", "\"colour\": \"teal\"", "2.50", "\"drei\"", "\"redactInputs\": true",
        "\"pinned\": true", "\"title\": \"New\"", "\"createdAt\": \"2026-01-21T10:00:00Z\""})
    EXPECT_NE(thread.find(kept), std::string::npos) << kept << " in " << thread;
  const std::string session = files.bytes("/store/sessions/ses_456.json");
  EXPECT_NE(session.find("\"x-host\": \"mini\""), std::string::npos) << session;
  EXPECT_NE(session.find("\"status\": \"stopped\""), std::string::npos) << session;
  const std::string index = files.bytes("/store/index.json");
  EXPECT_NE(index.find("\"x-icon\": \"log\""), std::string::npos) << index;
  EXPECT_NE(index.find("\"title\": \"New\""), std::string::npos) << index;
  EXPECT_FALSE(thread.ends_with("\n"));
}

TEST(MaestroSeed, M01_NewRecordsMatchSeedByteForByte) {
  MaestroStore files;
  const Context& context = files.context;
  must(save_thread(context, *files.store,
                   JsonView(R"({"schemaVersion":1,"id":"thr_1","title":"Add logging","createdAt":"","updatedAt":"",)"
                            R"("projectPath":"/p","harness":"opencode","model":"gpt-4.1"})")));
  must(files.store->create(
      context, {.id = "ses_1", .thread = "thr_1", .metadata = R"({"configHash":"sha256:ab","env":{"TERM":"xterm"}})"}));
  Message message = said(Role::assistant, "Added \"it\"");
  message.id = "msg_1";
  must(files.append("ses_1", message));
  EXPECT_EQ(files.bytes("/store/sessions/ses_1.json"), R"({
  "schemaVersion": 1,
  "id": "ses_1",
  "threadId": "thr_1",
  "status": "running",
  "startedAt": "2023-11-14T22:13:20.000000Z",
  "endedAt": null,
  "workspaceRoot": "/p",
  "agent": {
    "harness": "opencode",
    "configHash": "sha256:ab",
    "env": {
      "TERM": "xterm"
    }
  },
  "toolRuns": []
})");
  EXPECT_EQ(files.bytes("/store/messages/thr_1/msg_1.json"), R"({
  "schemaVersion": 1,
  "id": "msg_1",
  "threadId": "thr_1",
  "sessionId": "ses_1",
  "role": "assistant",
  "content": "Added \"it\"",
  "createdAt": "2023-11-14T22:13:20.000002Z",
  "toolCallId": null
})");
  EXPECT_EQ(files.bytes("/store/threads/thr_1.json"), R"({
  "schemaVersion": 1,
  "id": "thr_1",
  "title": "Add logging",
  "createdAt": "2023-11-14T22:13:20.000000Z",
  "updatedAt": "2023-11-14T22:13:20.000002Z",
  "projectPath": "/p",
  "harness": "opencode",
  "model": "gpt-4.1",
  "lastSessionId": "ses_1",
  "stateSnapshot": null,
  "privacy": {
    "localOnly": true,
    "redactInputs": false,
    "redactOutputs": false
  },
  "metadata": {
    "tags": [],
    "pinned": false
  }
})");
  EXPECT_EQ(files.bytes("/store/index.json"), R"({
  "schemaVersion": 1,
  "threads": [
    {
      "id": "thr_1",
      "title": "Add logging",
      "updatedAt": "2023-11-14T22:13:20.000002Z",
      "projectPath": "/p",
      "harness": "opencode",
      "pinned": false
    }
  ],
  "rebuiltAt": "2023-11-14T22:13:20.000000Z"
})");
}

}  // namespace
}  // namespace holdfast::inline v1
