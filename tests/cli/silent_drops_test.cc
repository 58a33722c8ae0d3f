// What a door was given comes back, or is refused by name: nothing is dropped silently.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SilentDrops : CliHome {
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name) << bytes;
  }
  // Calls an operation with these parameters, which name the store.
  int call(const std::string& method, const std::string& parameters) {
    put("parameters", parameters);
    return sh("$H call " + method + " @$HOME/parameters");
  }
  std::string must(const std::string& method, const std::string& parameters) {
    EXPECT_EQ(call(method, parameters), 0) << method << " " << parameters << "\n" << err;
    return field({"id"});
  }
  std::string in(const std::string& layout, const std::string& more) const {
    return R"({"store":")" + layout + ":" + home + "/" + layout + R"(",)" + more + "}";
  }
  // Returns the path of the file of that name somewhere in the home.
  std::string path_of(const std::string& name) const {
    for (const auto& entry : fs::recursive_directory_iterator(home)) {
      if (entry.path().filename() == name) return entry.path();
    }
    return {};
  }
};

TEST_F(SilentDrops, AppendFollowsActiveLeafNotLastLine) {
  const std::string id = create("\"t\"");
  for (const std::string text : {"m1", "m2", "m3"}) ASSERT_EQ(sh("$H message append " + id + " " + text), 0) << err;
  must("message.append", R"({"session":")" + id + R"(","raw":{"type":"note","x":1}})");
  ASSERT_EQ(sh("$H message append " + id + " m4"), 0) << err;
  std::ofstream(path_of("messages.jsonl"), std::ios::app) << "{\"type\":\"future\",\"a\":1}\n"
                                                          << "{\"type\":\"message\",\"role\":\"user\"}\n";
  ASSERT_EQ(sh("$H message append " + id + " m5"), 0) << err;
  must("message.list", R"({"session":")" + id + R"("})");
  for (const std::string text : {"m1", "m2", "m3", "m4", "m5", "note", "future"})
    EXPECT_NE(out.find('"' + text + '"'), std::string::npos) << text << "\n" << out;
  must("message.list", R"({"session":")" + id + R"(","branch":"all"})");
  EXPECT_EQ(out.find("\"abandoned\""), std::string::npos) << out;
}

TEST_F(SilentDrops, ResultKeepsItsTextsBesideEmptyContent) {
  const std::string id = create("\"t\"");
  must("message.append", R"({"session":")" + id +
                             R"(","message":{"role":"tool","tool_call_id":"c1","content":null,)"
                             R"("blocks":[{"type":"text","text":"first"},{"type":"text","text":"second"}]}})");
  ASSERT_EQ(sh("$H show " + id + " --tools"), 0) << err;
  EXPECT_TRUE(out.contains("first") && out.contains("second")) << out;
}

TEST_F(SilentDrops, AnswerOfFunctionIsResult) {
  const std::string id = create("\"t\"");
  must("message.append", R"({"session":")" + id +
                             R"(","message":{"role":"assistant","content":null,)"
                             R"("function_call":{"name":"run_shell","arguments":"{}"}}})");
  must("message.append",
       R"({"session":")" + id + R"(","message":{"role":"function","name":"run_shell","content":"a.txt"}})");
  ASSERT_EQ(sh("$H show " + id), 0) << err;
  EXPECT_TRUE(out.contains("run_shell") && out.contains("a.txt")) << out;
  EXPECT_EQ(sh("$H verify " + id), 0) << out;
  ASSERT_EQ(sh("$H session get " + id + " --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("tool_calls":1,"tool_results":1)")) << out;
}

TEST_F(SilentDrops, ImportKeepsAllSessionFields) {
  const std::string id = must("session.create", R"({"title":"t","model":"m-1","agent":"a-1","provider":"p-1",)"
                                                R"("git_branch":"b-1","metadata":{"ticket":7}})");
  ASSERT_EQ(sh("$H message append " + id + " hello"), 0) << err;
  must("session.update", R"({"id":")" + id + R"(","status":"failed"})");
  for (const std::string format : {"json", "jsonl"}) {
    must("session.get", R"({"id":")" + id + R"("})");
    const std::string made = field({"session", "created_at"}), changed = field({"session", "updated_at"});
    const std::string other = "holdfast:" + home + "/" + format;
    ASSERT_EQ(sh("$H export " + id + " --format " + format +
                 " > $HOME/document && $H import $HOME/document --json "
                 "--store " +
                 other),
              0)
        << err;
    EXPECT_EQ(field({"session", "status"}), "failed") << out;
    EXPECT_EQ(field({"session", "created_at"}), made);
    EXPECT_EQ(field({"session", "updated_at"}), changed);
    EXPECT_EQ(field({"session", "git_branch"}), "b-1");
    EXPECT_EQ(field({"session", "metadata", "ticket"}), "7");
    EXPECT_EQ(field({"session", "metadata", "imported_from", "id"}), id);
    ASSERT_EQ(sh("$H export " + id + " --format json --store " + other), 0) << err;
    EXPECT_EQ(field({"session", "model"}), "m-1") << out;
    EXPECT_EQ(field({"session", "agent"}), "a-1");
    EXPECT_EQ(field({"session", "provider"}), "p-1");
  }
  ASSERT_EQ(sh("$H import $HOME/document --store linggen:$HOME/linggen"), 0) << err;
  for (const std::string name : {"provider", "git_branch", "status"})
    EXPECT_NE(err.find(name), std::string::npos) << name << "\n" << err;
}

TEST_F(SilentDrops, ExportReportsOmittedMessages) {
  const std::string id = create("\"t\"");
  for (const std::string text : {"m1", "m2"}) ASSERT_EQ(sh("$H message append " + id + " " + text), 0) << err;
  must("session.export", R"({"id":")" + id + R"(","format":"json"})");
  EXPECT_EQ(field({"left_out"}), "0");
  must("session.compact", R"({"id":")" + id + R"(","summary":"short"})");
  must("session.export", R"({"id":")" + id + R"(","format":"json"})");
  EXPECT_EQ(field({"left_out"}), "2") << out;
  must("session.export", R"({"id":")" + id + R"(","format":"json","branch":"all"})");
  EXPECT_EQ(field({"left_out"}), "0");
  ASSERT_EQ(sh("$H export " + id + " --format json"), 0) << err;
  EXPECT_NE(err.find("2 messages"), std::string::npos) << err;
}

TEST_F(SilentDrops, CreateKeepsOrRejectsEachField) {
  const std::string id = must("session.create", R"({"title":"t","metadata":{"a":1}})");
  ASSERT_EQ(sh("$H message append " + id + " hello"), 0) << err;
  must("session.fork", R"({"id":")" + id + R"(","metadata":{"b":2}})");
  EXPECT_EQ(field({"session", "metadata", "a"}), "1") << out;
  EXPECT_EQ(field({"session", "metadata", "b"}), "2") << out;
  for (const std::string layout : {"linggen", "maestro"}) {
    for (const std::string member : {"provider", "git_branch", "parent"}) {
      EXPECT_NE(call("session.create", in(layout, R"("title":"t",")" + member + R"(":"x")")), 0) << layout << out;
      EXPECT_NE(err.find("cannot hold: " + member), std::string::npos) << layout << " " << err;
    }
  }
}

TEST_F(SilentDrops, RejectsRoleThatContradictsTheMessage) {
  const std::string id = create("\"t\"");
  for (const std::string body : {R"("message":{"role":"assistant","text":"x"})", R"("raw":{"type":"note"})"}) {
    EXPECT_NE(call("message.append", R"({"session":")" + id + R"(","role":"user",)" + body + "}"), 0) << out;
    EXPECT_NE(err.find("role"), std::string::npos) << err;
  }
  must("message.append", R"({"session":")" + id + R"(","role":"user","message":{"role":"user","text":"x"}})");
}

TEST_F(SilentDrops, UnknownBranchIsNotFound) {
  const std::string id = create("\"t\"");
  ASSERT_EQ(sh("$H message append " + id + " hello"), 0) << err;
  EXPECT_NE(call("message.list", R"({"session":")" + id + R"(","branch":"nope"})"), 0) << out;
  EXPECT_NE(err.find("not_found"), std::string::npos) << err;
  for (const std::string& line : {"export " + id, "export " + id + " --format json", "show " + id}) {
    EXPECT_NE(sh("$H " + line + " --branch nope"), 0) << line;
    EXPECT_NE(err.find("no message nope"), std::string::npos) << line << "\n" << err;
  }
}

TEST_F(SilentDrops, OpenAiAndAnthropicShapesKeepAllFields) {
  const std::string id = create("\"t\"");
  const auto append = [&](const std::string& message) {
    must("message.append", R"({"session":")" + id + R"(","message":)" + message + "}");
  };
  append(R"({"role":"assistant","text":"x","model":"m-1","stop_reason":"s-1","usage":{"input":5,"output":6},)"
         R"("agent":"a-1","response":"r-1","context":{"cwd":"/c-1"}})");
  append(R"({"role":"assistant","content":null,"tool_calls":[{"id":"call-1"}]})");
  append(R"({"role":"tool","tool_call_id":"call-1","name":"n-1","content":"done"})");
  must("message.list", R"({"session":")" + id + R"(","as":"openai"})");
  for (const std::string word : {"m-1", "s-1", "\"input_tokens\":5", "\"output_tokens\":6", "a-1", "r-1", "/c-1",
                                 R"("raw":{"id":"call-1"})", "n-1"})
    EXPECT_NE(out.find(word), std::string::npos) << word << "\n" << out;
  must("message.list", R"({"session":")" + id + R"(","as":"anthropic"})");
  for (const std::string word : {"a-1", "r-1", "/c-1"}) EXPECT_NE(out.find(word), std::string::npos) << word << out;
}

TEST_F(SilentDrops, MisspelledSettingIsReported) {
  put(".config/holdfast/config.toml", "redact_input = true\n");
  ASSERT_EQ(sh("$H store list"), 0) << err;
  EXPECT_NE(err.find("no setting redact_input; did you mean redact_inputs?"), std::string::npos) << err;
  fs::remove(home + "/.config/holdfast/config.toml");
  put("desk/.holdfast/config.toml", "redact_input = true\n");
  EXPECT_NE(sh("$H store list"), 0) << out;
  EXPECT_NE(err.find("may not set redact_input: "), std::string::npos) << err;
}

TEST_F(SilentDrops, QueueListShowsIdsAndTimes) {
  put(".config/holdfast/config.toml", "sync_enabled = true\n");
  const std::string id = must("session.create", R"({"title":"t","metadata":{"privacy":{"localOnly":false}}})");
  ASSERT_EQ(sh("$H message append " + id + " hello"), 0) << err;
  ASSERT_EQ(sh("$H queue list"), 0) << err;
  for (const std::string word : {"entity", "created", "sq_", "session", id.c_str()})
    EXPECT_NE(out.find(word), std::string::npos) << word << "\n" << out;
}

TEST_F(SilentDrops, MetadataDroppedAsSecretIsNamed) {
  for (const std::string store : {"holdfast:$HOME/h", "open-agent:$HOME/o"}) {
    ASSERT_EQ(
        sh("$H call session.create '" +
           std::string(R"({"metadata":{"primary_key":"7","kept":"yes","in":{"oauth_flow":"x","max_tokens":500}}})") +
           "' --store " + store),
        0)
        << err;
    EXPECT_TRUE(field({"warnings"}).contains("metadata.primary_key is not stored")) << out;
    EXPECT_TRUE(field({"warnings"}).contains("metadata.in.oauth_flow is not stored")) << out;
    EXPECT_FALSE(field({"warnings"}).contains("kept")) << out;
    EXPECT_FALSE(field({"warnings"}).contains("max_tokens")) << out;
    const std::string id = field({"id"});
    ASSERT_EQ(
        sh("$H call session.update '{\"id\":\"" + id + "\",\"metadata\":{\"monkey\":\"george\"}}' --store " + store),
        0);
    EXPECT_EQ(out.contains("metadata.monkey is not stored"), store.starts_with("open-agent")) << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
