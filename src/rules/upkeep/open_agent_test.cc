// Rows O01 to O07 of the mission on the layout open-agent.
#include "disk/real_testing.h"
#include "rules/upkeep/summary.h"
#include "store/engine.h"
#include "store/open_agent_testing.h"
#include "store/session_header.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kFlatId = "838e0f77-a155-4329-be07-bc2d0a92a89c";
constexpr std::string_view kToolId = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";

std::string log_of(const std::string& id, const std::string& folder = "projects/-home-me-p") {
  return folder + "/" + id + ".jsonl";
}

TEST(OpenAgent, O01_HeaderIsWrittenWithFirstMessage) {
  OaStore oa;
  const std::string id = oa.create();
  EXPECT_FALSE(oa.has(log_of(id)));
  const auto done = oa.append(id, said(Role::user, "hello"));
  EXPECT_EQ(done.ack.durability, Durability::power);
  oa.append(id, said(Role::assistant, "hi"));
  const auto lines = oa.lines(log_of(id));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with(R"({"type":"session_header","id":")" + id +
                                   R"(","model":"gpt-4o","provider":"openai","createdAt":)"));
  EXPECT_TRUE(
      lines[1].starts_with(R"({"type":"user","uuid":")" + done.id + R"(","session_id":")" + id +
                           R"(","message":{"role":"user","content":"hello"},"parent_tool_use_id":null,"timestamp":")"))
      << lines[1];
  EXPECT_TRUE(JsonView(lines[2]).find("session_id").is_string(id));
}

TEST(OpenAgent, O01_RefusesLinesOfOtherSessionsAndAddsMissingId) {
  OaStore oa;
  const std::string id = oa.create();
  auto writer = must(oa.store->write(oa.context, id));
  EXPECT_CODE(writer->append_raw(oa.context, R"({"type":"user","session_id":"other"})"), Code::invalid_argument);
  EXPECT_CODE(writer->append_raw(oa.context, R"({"type":"session_header","id":"x"})"), Code::invalid_argument);
  must(writer->append_raw(oa.context, R"({"type":"user","uuid":"u","message":{"role":"user","content":"x"}})"));
  EXPECT_EQ(oa.lines(log_of(id)).back(),
            R"({"type":"user","uuid":"u","message":{"role":"user","content":"x"},"session_id":")" + id + "\"}");
}

TEST(OpenAgent, O01_NonUuidIdIsRefusedWithSdkError) {
  OaStore oa;
  const std::string text =
      "Invalid session ID format: my-session. Expected UUID format (e.g., 550e8400-e29b-41d4-a716-446655440000). "
      "Custom session IDs are not supported in v0.2.0.";
  const auto made = oa.store->create(oa.context, {.id = "my-session"});
  EXPECT_CODE(made, Code::invalid_argument);
  EXPECT_EQ(made.error().message, text);
  for (const char* bad : {"my-session", "../../etc/passwd", "a\\b", "838e0f77_a155_4329_be07_bc2d0a92a89c"}) {
    EXPECT_TRUE(oa.store->write(oa.context, bad).error().message.starts_with("Invalid session ID format: ")) << bad;
    EXPECT_TRUE(oa.store->read(oa.context, bad).error().message.starts_with("Invalid session ID format: ")) << bad;
    EXPECT_TRUE(oa.store->remove(oa.context, bad).error().message.starts_with("Invalid session ID format: ")) << bad;
  }
  const std::string upper = "838E0F77-A155-4329-BE07-BC2D0A92A89C";
  EXPECT_EQ(must(oa.store->create(oa.context, {.id = upper})), upper);
  EXPECT_CODE(oa.store->create(oa.context, {.id = upper}), Code::already_exists);
}

TEST(OpenAgent, O01_UnknownIdIsError) {
  OaStore oa;
  EXPECT_CODE(oa.store->write(oa.context, "550e8400-e29b-41d4-a716-446655440000"), Code::not_found);
  EXPECT_TRUE(oa.files().empty());
}

TEST(OpenAgent, O01_TornTailLosesNoMessage) {
  OaStore oa("as_written");
  const std::string log = "sessions/" + std::string(kFlatId) + ".jsonl";
  must(oa.disk.foreign_append("/home/" + log, R"({"type":"assistant","uuid":"torn","mess)"));
  oa.append(std::string(kFlatId), said(Role::user, "after the crash"));
  const Transcript transcript = oa.read(std::string(kFlatId));
  EXPECT_EQ(texts(transcript), (std::vector<std::string>{"hello", "Hi! What shall we do?", "after the crash"}));
  EXPECT_TRUE(found(transcript.findings, "torn", log));
}

TEST(OpenAgent, O02_HeaderChangesReachLogOnlyWhenSessionEnds) {
  OaStore oa("as_specified");
  const std::string id = "9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b";
  const std::string log = log_of(id, "projects/-home-me-spec");
  const std::string before = oa.file(log);
  must(oa.store->update(oa.context, id,
                        {.title = "New", .model = "other", .metadata = R"({"options":{"maxTurns":3}})"}));
  EXPECT_EQ(oa.file(log), before);
  Session session = must(oa.store->get(oa.context, id));
  EXPECT_EQ(session.title, "New");
  EXPECT_NE(session.metadata.find(R"("maxTurns":3)"), std::string::npos) << session.metadata;
  must(end_session(oa.context, *oa.store, id));
  const auto lines = oa.lines(log);
  EXPECT_TRUE(lines[0].starts_with(
      R"({"type":"session_header","id":"9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b","model":"other","provider":"anthropic","createdAt":1794706000000,"updatedAt":)"));
  EXPECT_NE(
      lines[0].find(
          R"("options":{"model":"claude-sonnet-4","provider":"anthropic","cwd":"/home/me/spec","maxTurns":3},"title":"New","gitBranch":"main","vendor":{"keep":["me",1]})"),
      std::string::npos)
      << lines[0];
  EXPECT_EQ(oa.file(log).substr(lines[0].size()), before.substr(before.find('\n')));
  EXPECT_FALSE(oa.has(".holdfast/headers/" + id + ".json"));
  session = must(oa.store->get(oa.context, id));
  EXPECT_EQ(session.title, "New");
  EXPECT_EQ(session.status, Status::complete);
}

TEST(OpenAgent, O02_OptionsSurviveSaveBySdk) {
  OaStore oa;
  const std::string id = oa.create(
      {.project = "/home/me/p", .model = "m", .metadata = R"({"options":{"systemPrompt":"Be brief.","maxTurns":7}})"});
  oa.append(id, said(Role::user, "x"));
  // The SDK rewrites the file and drops them (facts, bug 6).
  const std::string user = oa.lines(log_of(id))[1];
  oa.put(
      log_of(id),
      R"({"type":"session_header","id":")" + id +
          R"(","model":"m2","provider":"p","createdAt":1,"updatedAt":99999999999999,"options":{"model":"m2","provider":"p"}})" +
          "\n" + user + "\n");
  const Session session = must(oa.store->get(oa.context, id));
  EXPECT_NE(session.metadata.find("Be brief."), std::string::npos) << session.metadata;
  EXPECT_NE(session.metadata.find(R"("model":"m2")"), std::string::npos) << session.metadata;
  EXPECT_EQ(session.project, "/home/me/p");
}

TEST(OpenAgent, O02_SessionWithoutMessagesIsListedAndSaved) {
  OaStore oa;
  const std::string id = oa.create({.project = "/home/me/p", .title = "Empty"});
  ASSERT_EQ(must(oa.store->list(oa.context)).sessions.size(), 1u);
  EXPECT_EQ(must(oa.store->get(oa.context, id)).title, "Empty");
  // The stream broke before the first message.
  must(oa.store->update(oa.context, id, {.status = Status::failed, .metadata = R"({"options":{"maxTurns":1}})"}));
  oa.reopen();
  EXPECT_EQ(must(oa.store->get(oa.context, id)).status, Status::failed);
  oa.append(id, said(Role::user, "again"));
  EXPECT_NE(oa.lines(log_of(id))[0].find(R"("maxTurns":1)"), std::string::npos);
  must(end_session(oa.context, *oa.store, id, {.status = Status::failed}));
  EXPECT_EQ(texts(oa.read(id)), (std::vector<std::string>{"again"}));
}

TEST(OpenAgent, O02_UnchangedSaveWritesNothing) {
  for (const char* fixture : {"as_written", "as_specified", "claude_index"}) {
    OaStore oa(fixture);
    const auto before = oa.files();
    for (const Session& session : must(oa.store->list(oa.context)).sessions) {
      must(oa.store->read(oa.context, session.id, {.branch = "all"}));
      SessionPatch same;
      if (!session.title.empty()) same.title = session.title;
      must(oa.store->update(oa.context, session.id, same));
      must(write_header(oa.context, *oa.store, session.id));
    }
    oa.close();
    EXPECT_EQ(before, oa.files()) << fixture;
  }
}

TEST(OpenAgent, O03_WorksInMemory) {
  const Context context;
  auto store = must(Store::in_memory(context, "open-agent"));
  const std::string id = must(store->create(context, {.project = "/p", .title = "t"}));
  auto writer = must(store->write(context, id));
  must(writer->append(context, said(Role::user, "kept")));
  EXPECT_EQ(must(store->read(context, id)).messages.at(0).text(), "kept");
  EXPECT_EQ(must(store->list(context)).total, 1u);
  must(writer->close(context));
  must(store->remove(context, id));
  EXPECT_EQ(must(store->list(context)).total, 0u);
}

TEST(OpenAgent, O04_MessagesHaveTimeModelUsageAndStopReason) {
  OaStore oa;
  const std::string id = oa.create();
  Message answer = said(Role::assistant, "done");
  answer.model = "gpt-4o";
  answer.stop_reason = "end_turn";
  answer.usage = Usage{.input = 10, .output = 3};
  oa.append(id, said(Role::user, "x"));
  oa.append(id, answer);
  const auto lines = oa.lines(log_of(id));
  EXPECT_NE(
      lines[2].find(
          R"("model":"gpt-4o","usage":{"input_tokens":10,"output_tokens":3},"stop_reason":"end_turn","timestamp":")"),
      std::string::npos)
      << lines[2];
  EXPECT_EQ(JsonView(lines[1]).find("timestamp").as_string()->size(), 24u);
  // camelCase, as in the seed.
  OaStore spec("as_specified");
  const Transcript read = spec.read("9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b", {.branch = "all"});
  EXPECT_EQ(read.messages[1].usage->input, 100);
  EXPECT_EQ(read.messages[1].usage->output, 20);
  EXPECT_EQ(read.messages[1].stop_reason, "tool_use");
}

TEST(OpenAgent, O05_ReadsAndWritesProjectAndFlatFolders) {
  OaStore oa("as_written");
  EXPECT_EQ(must(oa.store->list(oa.context)).total, 3u);
  const std::string flat = oa.create({.project = "/home/me/q", .metadata = R"({"flat":true})"});
  const std::string bare = oa.create({});
  const std::string grouped = oa.create({.project = "/home/me/demo"});
  for (const std::string& id : {flat, bare, grouped}) oa.append(id, said(Role::user, "x"));
  EXPECT_TRUE(oa.has("sessions/" + flat + ".jsonl"));
  EXPECT_TRUE(oa.has("sessions/" + bare + ".jsonl"));
  EXPECT_TRUE(oa.has("projects/-home-me-demo/" + grouped + ".jsonl"));
  EXPECT_EQ(must(oa.store->get(oa.context, flat)).project, "/home/me/q");
  EXPECT_EQ(oa.file("sessions/" + flat + ".jsonl").find("\"flat\""), std::string::npos);
}

TEST(OpenAgent, O05_PathsWithSameEncodingShareFolderButStayDistinct) {
  OaStore oa;
  const std::string one = oa.create({.project = "/home/a-b/c"});
  const std::string two = oa.create({.project = "/home/a/b-c"});
  oa.append(one, said(Role::user, "1"));
  oa.append(two, said(Role::user, "2"));
  EXPECT_EQ(must(oa.store->list(oa.context, {.project = "/home/a-b/c"})).sessions.at(0).id, one);
  EXPECT_EQ(must(oa.store->list(oa.context, {.project = "/home/a/b-c"})).sessions.at(0).id, two);
  oa.close();
  const std::string index = oa.file("projects/-home-a-b-c/sessions-index.json");
  EXPECT_NE(index.find("/home/a-b/c"), std::string::npos) << index;
  EXPECT_NE(index.find("/home/a/b-c"), std::string::npos) << index;
}

TEST(OpenAgent, O05_FlatSessionMovesToProjectOnRequest) {
  OaStore oa("as_written");
  const std::string id(kFlatId);
  const std::string bytes = oa.file("sessions/" + id + ".jsonl");
  EXPECT_CODE(move_to_project(oa.context, *oa.store, id), Code::invalid_argument);
  must(move_to_project(oa.context, *oa.store, id, "/home/me/new"));
  EXPECT_FALSE(oa.has("sessions/" + id + ".jsonl"));
  EXPECT_EQ(oa.file("projects/-home-me-new/" + id + ".jsonl"), bytes);
  EXPECT_EQ(must(oa.store->get(oa.context, id)).project, "/home/me/new");
  oa.append(id, said(Role::user, "moved"));
  oa.close();
  EXPECT_EQ(oa.file("sessions/sessions-index.json").find(id), std::string::npos);
  EXPECT_NE(oa.file("projects/-home-me-new/sessions-index.json").find(id), std::string::npos);
}

TEST(OpenAgent, O06_IndexHasAllFieldsAndKeepsUnknownOnes) {
  OaStore oa("as_specified");
  const std::string id = "9d7ea8fd-7a93-4e43-9cd0-83ed6a5f5f2b";
  oa.append(id, said(Role::user, "one more"));
  const std::string other = oa.create({.project = "/home/me/spec", .git_branch = "dev"});
  must(oa.store->update(oa.context, other, {.summary = "short"}));
  oa.close();
  const std::string text = oa.file("projects/-home-me-spec/sessions-index.json");
  const JsonView index(text);
  EXPECT_TRUE(index.find("owner").is_string("me"));
  std::vector<JsonView> entries;
  for (const JsonItem& item : index.find("sessions").elements()) entries.push_back(item.value);
  ASSERT_EQ(entries.size(), 2u) << text;
  EXPECT_TRUE(entries[0].find("id").is_string(id));
  EXPECT_EQ(entries[0].find("starred").as_bool(), true);
  EXPECT_EQ(entries[0].find("messageCount").as_int64(), 8);
  EXPECT_TRUE(entries[0].find("firstPrompt").is_string("first way"));
  EXPECT_TRUE(entries[0].find("summary").is_string("Two ways"));
  EXPECT_GT(*entries[0].find("modified").as_int64(), 1794706007000);
  EXPECT_TRUE(entries[1].find("summary").is_string("short"));
  EXPECT_TRUE(entries[1].find("gitBranch").is_string("dev"));
  EXPECT_TRUE(entries[1].find("projectPath").is_string("/home/me/spec"));
  EXPECT_EQ(text.find("{\n  \"projectPath\": \"/home/me/spec\",\n  \"sessions\": [\n    {\n      \"id\": "), 0u)
      << text;
}

TEST(OpenAgent, O06_BadOrStaleIndexIsRebuilt) {
  const std::string index = "projects/-home-me-demo/sessions-index.json";
  for (const char* const bad : {"<missing>", "", "{\"proj", "[]", R"({"projectPath":"","sessions":[{"id":"gone"}]})"}) {
    OaStore oa("as_written");
    if (bad == std::string_view("<missing>"))
      must(must(oa.disk.open_directory("/home", false))->remove(index));
    else
      oa.put(index, bad);
    EXPECT_EQ(must(oa.store->list(oa.context)).total, 3u);
    oa.append(std::string(kToolId), said(Role::user, "touch"));
    oa.close();
    const std::string text = oa.file(index);
    EXPECT_NE(text.find(kToolId), std::string::npos) << text;
    EXPECT_NE(text.find("6fa459ea-ee8a-4ca4-894e-db77e160355e"), std::string::npos) << text;
    EXPECT_EQ(text.find("gone"), std::string::npos) << text;
    EXPECT_NE(text.find("list the files"), std::string::npos) << text;
  }
}

TEST(OpenAgent, O06_ReadsClaudeIndexAndKeepsItsShape) {
  OaStore oa("claude_index");
  const std::string id = "2f1acc6c-3f9a-4d39-8a4e-d1b6b0c5a111";
  const Session session = must(oa.store->get(oa.context, id));
  EXPECT_EQ(session.summary, "A plan was made");
  EXPECT_EQ(session.git_branch, "feature/x");
  oa.append(id, said(Role::user, "more"));
  oa.close();
  const std::string text = oa.file("projects/-home-me-alpha/sessions-index.json");
  EXPECT_NE(text.find(R"("version": 1)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("mood": "sunny")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("originalPath": "/home/me/alpha")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("sessionId": "2f1acc6c-3f9a-4d39-8a4e-d1b6b0c5a222")"), std::string::npos) << text;
  EXPECT_EQ(text.find("00000000-0000-4000-8000-00000000dead"), std::string::npos) << text;
}

TEST(OpenAgent, O06_IndexIsWrittenWithoutClosingStore) {
  OaStore oa;
  const std::string id = oa.create();
  oa.append(id, said(Role::user, "quick"));
  // index_keeper_test checks how soon, with its own clock.
  for (int look = 0; look < 2000; ++look) {
    if (oa.file("projects/-home-me-p/sessions-index.json").find("quick") != std::string::npos) return;
    oa.context.clock->sleep(std::chrono::milliseconds(5));
  }
  FAIL() << oa.file("projects/-home-me-p/sessions-index.json");
}

TEST(OpenAgent, O07_ListFollowsDirectoryNotIndex) {
  OaStore oa("claude_index");
  const SessionList list = must(oa.store->list(oa.context));
  ASSERT_EQ(list.total, 2u);  // with the one that the index lacks, without the one that only the index has
  for (const Session& session : list.sessions) EXPECT_NE(session.id, "00000000-0000-4000-8000-00000000dead");
  OaStore stale("as_written");
  EXPECT_EQ(must(stale.store->get(stale.context, kToolId)).counts.records, 9);
  EXPECT_EQ(must(stale.store->get(stale.context, kToolId)).first_prompt, "list the files");
}

}  // namespace
}  // namespace holdfast::inline v1
