// The names of seed 004 on stores of every layout, and what the api says about their answers.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SeedAliases : CliHome {
  int call(const std::string& method, const std::string& params, const std::string& store = {}) {
    std::ofstream(home + "/params") << params;
    return sh("$H call " + method + " @$HOME/params" + (store.empty() ? "" : " --store " + store));
  }
};

TEST_F(SeedAliases, SessionHasHarnessAndConfigHash) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen"}) {
    const std::string store = layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("$H store create --store " + store), 0) << err;
    ASSERT_EQ(call("create_session",
                   R"({"harness":"opencode","workspace_root":")" + home +
                       R"(/desk","config":{"configHash":"sha256:1","model":"m"}})",
                   store),
              0)
        << layout << err;
    EXPECT_EQ(field({"session", "agent", "harness"}), "opencode") << layout << out;
    EXPECT_EQ(field({"session", "agent", "configHash"}), "sha256:1") << layout << out;
    const std::string id = field({"session", "id"});
    ASSERT_EQ(call("load_session", R"({"session_id":")" + id + "\"}", store), 0) << layout << err;
    EXPECT_EQ(field({"session", "agent", "harness"}), "opencode") << layout << out;
    EXPECT_TRUE(field({"session", "startedAt"}).ends_with("Z")) << layout << out;
  }
}

TEST_F(SeedAliases, MessageHasIdAndTime) {
  const std::string store = "linggen:" + home + "/g";
  ASSERT_EQ(sh("$H store create --store " + store), 0) << err;
  ASSERT_EQ(call("session.create", R"({"id":"s-1","project":")" + home + "/desk\"}", store), 0) << err;
  ASSERT_EQ(sh("$H message append s-1 one --store " + store + " && $H message append s-1 two --json --store " + store),
            0)
      << err;
  const std::string last = out.substr(out.rfind("{\"schema"));
  const std::string id = JsonView(last).find("id").as_string().value_or("");
  EXPECT_NE(id, "") << out;
  ASSERT_EQ(call("list_messages", R"({"session_id":"s-1"})", store), 0) << err;
  std::string listed, time;
  for (const JsonItem& one : JsonView(out).find("messages").elements()) {
    listed = one.value.find("id").as_string().value_or("");
    time = one.value.find("createdAt").as_string().value_or("");
  }
  EXPECT_EQ(listed, id) << out;
  EXPECT_EQ(time.size(), std::string("2026-01-21T10:04:00.123456Z").size()) << out;
}

// As on a store of Maestro itself.
TEST_F(SeedAliases, AppendRejectsWrongSchemaVersionAndThread) {
  for (const std::string layout : {"holdfast", "open-agent", "linggen"}) {
    const std::string store = layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("$H store create --store " + store), 0) << err;
    ASSERT_EQ(call("session.create", R"({"project":")" + home + "/desk\"}", store), 0) << err;
    const std::string record = R"({"message":{"sessionId":")" + field({"id"}) + R"(","role":"user","content":"x")";
    for (const std::string looks : {R"(,"dry_run":true)", ""}) {
      EXPECT_EQ(call("append_message", record + R"(,"schemaVersion":7})" + looks + "}", store), 4) << layout << out;
      EXPECT_TRUE(err.contains("schemaVersion of the message is 7; version 1 is required")) << layout << err;
      EXPECT_EQ(call("append_message", record + R"(,"threadId":"bogus"})" + looks + "}", store), 2) << layout << out;
      EXPECT_TRUE(err.contains("threadId of the message is bogus")) << layout << err;
    }
    EXPECT_EQ(call("append_message", record + R"(,"schemaVersion":1,"threadId":""}})", store), 0) << layout << err;
  }
}

// ---- what `api --json` says about them

// Checks that an answer, and the records inside it, have every required member of their schemas.
struct SeedSchemas : SeedAliases {
  void SetUp() override {
    SeedAliases::SetUp();
    ASSERT_EQ(sh("$H api --json"), 0) << err;
    api = out;
  }
  JsonView definition(JsonView schema) const {
    const std::string name = schema.find("$ref").as_string().value_or("");
    return name.empty() ? schema : JsonView(api).find("$defs").find(name.substr(name.rfind('/') + 1));
  }
  void fits(JsonView schema, JsonView value, const std::string& where) const {
    schema = definition(schema);
    if (schema.find("type").is_string("array")) {
      for (const JsonItem& item : value.elements()) fits(schema.find("items"), item.value, where + "[]");
      return;
    }
    for (const JsonItem& name : schema.find("required").elements())
      EXPECT_TRUE(value.find(name.value.as_string().value_or(""))) << where << "." << name.value.raw() << value.raw();
    for (const JsonItem& member : schema.find("properties").fields())
      if (const JsonView inner = value.find(member.key()); inner && !inner.is_null())
        fits(member.value, inner, where + "." + member.key());
  }
  // Checks the printed answer against the schema of that name.
  void check(const std::string& alias) const {
    for (const JsonItem& method : JsonView(api).find("methods").elements()) {
      const JsonView spelled = method.value.find("alias_result").find(alias);
      if (!spelled) continue;
      return fits(spelled, JsonView(out), alias);
    }
    ADD_FAILURE() << "no schema for " << alias;
  }

  std::string api;
};

TEST_F(SeedSchemas, AnswersMatchTheApiSchemas) {
  for (const std::string layout : {"maestro", "holdfast"}) {
    const std::string store = layout + ":" + home + "/" + layout;
    const auto ask = [&](const std::string& alias, const std::string& params) {
      EXPECT_EQ(call(alias, params, store), 0) << alias << err;
      check(alias);
    };
    ASSERT_EQ(sh("$H store create --store " + store), 0) << err;
    ask("save_thread", R"({"thread":{"id":"thr_1","title":"t","projectPath":"/p","pinned":true}})");
    EXPECT_EQ(field({"thread", "metadata", "pinned"}), "true") << out;
    EXPECT_EQ(field({"thread", "projectPath"}), "/p") << out;
    ask("load_thread", R"({"thread_id":"thr_1"})");
    ask("create_session", R"({"thread_id":"thr_1","harness":"opencode"})");
    const std::string id = field({"session", "id"});
    ASSERT_EQ(call("append_message", R"({"message":{"sessionId":")" + id + R"(","role":"user","content":"x"}})", store),
              0)
        << err;
    ask("load_session", R"({"session_id":")" + id + "\"}");
    ask("list_messages", R"({"session_id":")" + id + "\"}");
    ask("mark_session_ended", R"({"session_id":")" + id + R"(","status":"completed"})");
    EXPECT_EQ(field({"session", "status"}), "completed") << out;
    ask("resume_thread", R"({"thread_id":"thr_1"})");
    EXPECT_EQ(field({"newSession"}), "true") << out;
    ask("list_threads", "{}");
    EXPECT_TRUE(out.contains(R"("pinned":true)")) << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
