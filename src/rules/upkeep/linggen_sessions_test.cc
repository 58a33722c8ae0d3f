// The life of a session on the Linggen layout.
#include "layout/linggen/session_yaml.h"
#include "rules/upkeep/history.h"
#include "store/linggen_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(LinggenTitle, G03_FollowsLinggenRule) {
  EXPECT_EQ(linggen::auto_title("Fix the login bug"), "Fix the login bug");
  EXPECT_EQ(linggen::auto_title("one two three four five six seven"), "one two three four five six...");
  EXPECT_EQ(linggen::auto_title(" \n\t "), "New Chat");
  EXPECT_EQ(linggen::auto_title(std::string(51, 'a')), std::string(47, 'a') + "...");
  EXPECT_EQ(linggen::auto_title(std::string(50, 'a')), std::string(50, 'a'));
  std::string umlauts;
  for (int i = 0; i < 51; ++i) umlauts += "\xc3\xbc";
  EXPECT_EQ(linggen::auto_title(umlauts), umlauts.substr(0, 94) + "...");
}

struct LinggenSessions : testing::Test {
  LinggenStore files;
  Store& store = *files.store;
  const Context& context = files.context;
  std::string id = must(store.create(context, {.project = "/srv/p", .first_prompt = "Why is it red?"}));
  const std::string folder = "/store/projects/-srv-p/sessions/" + id + "/";
};

TEST_F(LinggenSessions, G03_NewSessionHasSeedFiles) {
  EXPECT_TRUE(id.starts_with("sess-1700000000-"));
  EXPECT_EQ(id.size(), std::string("sess-1700000000-abc12345").size());
  EXPECT_EQ(files.bytes(folder + "session.yaml"), "id: " + id + "\ntitle: Why is it red?\ncreated_at: 1700000000\n");
  EXPECT_EQ(files.bytes(folder + "messages.jsonl"), "");
  EXPECT_EQ(files.bytes("/store/projects/-srv-p/project.json"),
            "{\n  \"path\": \"/srv/p\",\n  \"name\": \"p\",\n  \"added_at\": 1700000000\n}");
}

TEST_F(LinggenSessions, G03_MessagesHaveTheSixFieldsInOrder) {
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "hello")));
  must(writer->append(context, said(Role::assistant, "hi \"you\"")));
  Message call = said(Role::assistant, "");
  call.blocks = {{.kind = BlockKind::tool_call, .name = "Read", .json = R"({"path":"x"})"}};
  must(writer->append(context, call));
  Message result = said(Role::tool, "");
  result.blocks = {{.kind = BlockKind::tool_result, .text = "text", .name = "Read"}};
  must(writer->append(context, result));
  EXPECT_EQ(
      files.bytes(folder + "messages.jsonl"),
      R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"hello","timestamp":1700000000,"is_observation":false})"
      "\n"
      R"({"agent_id":"ling","from_id":"ling","to_id":"user","content":"hi \"you\"","timestamp":1700000000,"is_observation":false})"
      "\n"
      R"({"agent_id":"ling","from_id":"ling","to_id":"user","content":"{\"type\":\"tool\",\"tool\":\"Read\",\"args\":{\"path\":\"x\"}}","timestamp":1700000000,"is_observation":false})"
      "\n"
      R"({"agent_id":"ling","from_id":"system","to_id":"ling","content":"Tool Read: text","timestamp":1700000000,"is_observation":true})"
      "\n");
  const Transcript transcript = must(store.read(context, id));
  ASSERT_EQ(transcript.messages.size(), 4u);
  EXPECT_EQ(transcript.messages[3].blocks.at(0).id, transcript.messages[2].blocks.at(0).id);
}

// The six fields have no place for these values. They go into one extra member, and nothing is dropped silently.
TEST_F(LinggenSessions, G03_ExtraValuesAreKeptBesideSixFields) {
  auto writer = must(store.write(context, id));
  Message prompt = said(Role::user, "look");
  prompt.id = "m1";
  prompt.origin = Origin::injected;
  prompt.context = {
      .cwd = "/w", .git_branch = "b", .permission_mode = "plan", .version = "1.2", .user_type = "external"};
  EXPECT_EQ(must(writer->append(context, prompt)).id, "m1");
  Message answer = said(Role::assistant, "I look");
  answer.id = "m2";
  answer.parent = "m1";
  answer.model = "gpt-4.1";
  answer.stop_reason = "tool_use";
  answer.usage = Usage{.input = 10, .output = 2, .cache_read = 3, .cache_write = 4, .reasoning = 1};
  answer.cost = "0.25";
  answer.response = "r1";
  answer.blocks.push_back({.kind = BlockKind::tool_call, .id = "c1", .name = "Read", .json = R"({"path":"x"})"});
  answer.blocks.push_back({.kind = BlockKind::tool_call, .id = "c2", .name = "Read", .json = R"({"path":"y"})"});
  must(writer->append(context, answer));
  Message result = said(Role::tool, "");
  result.blocks = {{.kind = BlockKind::tool_result, .text = "gone", .id = "c2", .name = "Read", .is_error = true},
                   {.kind = BlockKind::tool_result, .text = "text", .id = "c1", .name = "Read"}};
  must(writer->append(context, result));
  Message error = said(Role::assistant, "overloaded");
  error.failed = error.side = true;
  must(writer->append(context, error));

  const std::string log = files.bytes(folder + "messages.jsonl");
  EXPECT_TRUE(log.starts_with(
      R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"look","timestamp":1700000000,"is_observation":false,"holdfast":{"id":"m1",)"))
      << log;
  const Transcript read = must(store.read(context, id, {.branch = "all"}));
  ASSERT_EQ(read.messages.size(), 7u);
  const Message& first = read.messages[0];
  EXPECT_EQ(first.id, "m1");
  EXPECT_EQ(first.origin, Origin::injected);
  EXPECT_EQ(first.context, prompt.context);
  const Message& second = read.messages[1];
  EXPECT_EQ(second.id, "m2");
  EXPECT_EQ(second.parent, "m1");
  EXPECT_EQ(second.model, "gpt-4.1");
  EXPECT_EQ(second.stop_reason, "tool_use");
  EXPECT_EQ(second.usage, answer.usage);
  EXPECT_EQ(second.cost, "0.25");
  EXPECT_EQ(second.response, "r1");
  EXPECT_EQ(read.messages[2].blocks.at(0), answer.blocks[1]);
  EXPECT_EQ(read.messages[3].blocks.at(0), answer.blocks[2]);
  EXPECT_EQ(read.messages[4].blocks.at(0), result.blocks[0]);
  EXPECT_EQ(read.messages[5].blocks.at(0), result.blocks[1]);
  EXPECT_TRUE(read.messages[6].failed && read.messages[6].side);
  const Session session = must(store.get(context, id));
  EXPECT_EQ(session.usage.input, 10) << "said once, counted once";
  EXPECT_EQ(session.models, std::vector<std::string>{"gpt-4.1"});
  EXPECT_EQ(must(store.read(context, id, {.last = 3})).messages.size(), 3u);
}

TEST_F(LinggenSessions, G03_HistoryIsFilteredByAgent) {
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "to ling")));
  must(writer->append(context, said(Role::user, "to coder", "coder")));
  must(writer->append(context, said(Role::assistant, "from coder")));  // attributed to the agent of the message before
  EXPECT_EQ(must(read_agent_messages(context, store, id, "ling")).messages.size(), 1u);
  EXPECT_EQ(must(read_agent_messages(context, store, id, "coder")).messages.size(), 2u);
  EXPECT_EQ(must(read_agent_messages(context, store, id, "coder", {.last = 1})).messages.at(0).text(), "from coder");
}

TEST_F(LinggenSessions, G03_ClearingCountsLinesAndSetsThemAside) {
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "one")));
  must(writer->append(context, said(Role::user, "two")));
  const std::string before = files.bytes(folder + "messages.jsonl");
  EXPECT_EQ(must(clear_session(context, store, id)), 2u);
  EXPECT_EQ(files.bytes(folder + "messages.jsonl"), "");
  EXPECT_TRUE(must(store.read(context, id)).messages.empty());
  EXPECT_EQ(must(store.get(context, id)).title, "Why is it red?");
  bool kept = false;
  for (const SimEntry& entry : files.disk.tree())
    kept = kept || (entry.path.find("/cleared/") != std::string::npos && entry.bytes == before);
  EXPECT_TRUE(kept);
  // A writer that was open continues in the new log.
  must(writer->append(context, said(Role::user, "three")));
  ASSERT_EQ(must(store.read(context, id)).messages.size(), 1u);
  EXPECT_EQ(must(clear_session(context, store, id)), 1u);
  EXPECT_EQ(must(clear_session(context, store, id)), 0u);
}

TEST_F(LinggenSessions, G03_DeletesUpdatesAndForks) {
  auto writer = must(store.write(context, id));
  must(writer->append(context, said(Role::user, "one")));
  must(writer->append(context, said(Role::user, "two")));
  const std::uint64_t offset = must(store.read(context, id)).messages.at(0).offset;
  SessionDraft draft;
  draft.parent = Parent{id, ParentKind::fork, std::to_string(offset)};
  const std::string fork = must(store.fork(context, id, draft));
  EXPECT_EQ(must(store.read(context, fork)).messages.size(), 1u);
  EXPECT_EQ(must(store.get(context, fork)).title, "Why is it red?");
  must(store.update(context, id, {.title = "New", .metadata = R"({"skill":"review"})"}));
  EXPECT_EQ(files.bytes(folder + "session.yaml"),
            "id: " + id + "\ntitle: New\ncreated_at: 1700000000\nskill: review\n");
  EXPECT_EQ(store.update(context, id, {.status = Status::complete}).error().code, Code::unsupported);
  must(store.remove(context, id));
  EXPECT_EQ(store.get(context, id).error().code, Code::not_found);
  EXPECT_EQ(files.bytes(folder + "session.yaml"), "<none>");
}

TEST_F(LinggenSessions, G03_DefaultSessionsOfProjectsAreSeparate) {
  for (const char* project : {"-srv-p", "-srv-q"}) {
    must(files.disk.put_file("/store/projects/" + std::string(project) + "/sessions/default/messages.jsonl",
                             R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"in )" +
                                 std::string(project) +
                                 R"(","timestamp":1,"is_observation":false})"
                                 "\n"));
  }
  EXPECT_EQ(must(store.list(context)).sessions.size(), 3u);
  EXPECT_EQ(store.read(context, "default").error().code, Code::not_found);
  EXPECT_EQ(must(store.read(context, "default@-srv-q")).messages.at(0).text(), "in -srv-q");
}

TEST_F(LinggenSessions, G12_BadSessionIdsAreRefused) {
  const std::string nul("a\0b", 3);
  for (const std::string& bad : {std::string(".."), std::string("a/b"), std::string("a\\b"), std::string("x..y"), nul,
                                 std::string("a\x1b[m"), std::string("LPT1")}) {
    EXPECT_EQ(store.create(context, {.id = bad, .project = "/srv/p"}).error().code, Code::unsafe_path) << bad;
    EXPECT_FALSE(store.read(context, bad)) << bad;
    EXPECT_FALSE(store.remove(context, bad)) << bad;
  }
  EXPECT_EQ(must(store.create(context, {.id = "default", .project = "/srv/p"})), "default");
  EXPECT_EQ(store.create(context, {.id = "default", .project = "/srv/p"}).error().code, Code::already_exists);
}

TEST_F(LinggenSessions, ErrorNamesUnsupportedBlock) {
  auto writer = must(store.write(context, id));
  Message message = said(Role::assistant, "");
  message.blocks = {{.kind = BlockKind::thinking, .text = "hm"}};
  const auto refused = writer->append(context, message);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unsupported);
  EXPECT_NE(refused.error().message.find("thinking"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
