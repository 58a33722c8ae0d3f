// What `holdfast mcp` declares about its answers is true of what it answers.
#include <set>

#include "tests/cli/json_schema_testing.h"
#include "tests/cli/mcp_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct McpSchema : Mcp {
  void SetUp() override {
    Mcp::SetUp();
    ClaudeLog log(home, "11111111-0000-4000-8000-000000000001");
    log.turn();
    log.prompt("the marmalade");
    ClaudeLog damaged(home, "22222222-0000-4000-8000-000000000002");
    damaged.prompt("the honey");
    std::ofstream(damaged.path, std::ios::app) << "no record\n";
    damaged.prompt(padding(3000, 1));
    CodexLog(home, "019a0001-0000-7000-8000-000000000000").turn();
    ask({greeting(), R"("method":"tools/list")"}, "--write");
    for (const JsonItem& tool : result(1).find("tools").elements())
      schemas[tool.value.find("name").as_string().value_or("")] = tool.value.find("outputSchema").raw();
  }

  std::map<std::string, std::string> schemas;
};

TEST_F(McpSchema, EveryAnswerMatchesItsSchema) {
  const std::vector<std::pair<std::string, std::string>> calls{
      {"search_sessions", R"({"query":"login page"})"},
      {"search_sessions", R"({"query":"prompt","limit":1})"},
      {"search_sessions", R"({"query":"nowhere"})"},
      {"list_sessions", "{}"},
      {"list_sessions", R"({"limit":1})"},
      {"get_session", R"({"session":"ses-login"})"},
      {"get_session", R"({"session":"11111111"})"},
      {"get_session", R"({"session":"codex/019a0001"})"},
      {"get_messages", R"({"session":"ses-login"})"},
      {"get_messages", R"({"session":"11111111","limit":1})"},
      {"get_messages", R"({"session":"codex/019a0001","whole":true})"},
      {"get_messages", R"({"session":"22222222","from":1,"max_tokens":200})"},
      {"get_session", R"({"session":"22222222"})"},
      {"search_content", R"({"query":"marmalade"})"},
      {"search_content", R"({"query":"prompt|login","regex":true,"limit":1})"},
      {"search_content", R"({"query":"word.*","regex":true,"in":"tools"})"},
      {"get_usage", "{}"},
      {"get_usage", R"({"by":"week"})"},
      {"get_usage", R"({"by":"month"})"},
      {"get_usage", R"({"by":"session"})"},
      {"get_usage", R"({"by":"model"})"},
      {"get_usage", R"({"by":"project"})"},
      {"get_usage", R"({"by":"agent"})"},
      {"get_handoff", R"({"session":"11111111"})"},
      {"star_session", R"({"session":"ses-login"})"},
      {"tag_session", R"({"session":"11111111","tags":["auth"]})"},
      {"rename_session", R"({"session":"codex/019a0001","title":"Another"})"},
      {"star_session", R"({"session":"ses-login","remove":true})"},
      {"get_session", R"({"session":"11111111"})"},
  };
  std::vector<std::string> requests{greeting()};
  for (const auto& [name, arguments] : calls) requests.push_back(tool(name, arguments));
  ask(requests, "--write");
  std::set<std::string> called;
  for (std::size_t n = 0; n < calls.size(); ++n) {
    const int id = static_cast<int>(n) + 1;
    const std::string& name = calls[n].first;
    ASSERT_TRUE(schemas.contains(name)) << name;
    ASSERT_EQ(result(id).find("isError").as_bool(), false) << name << answers[id];
    EXPECT_EQ(JsonSchema(JsonView(schemas[name])).fault_in(data(id)), "") << name << calls[n].second << answers[id];
    called.insert(name);
  }
  EXPECT_TRUE(out.contains("\"rest\":") && out.contains("\"warnings\":")) << "members that not every answer has";
  EXPECT_EQ(called.size(), schemas.size()) << "each tool is called";
}

// "An object" tells a program nothing.
TEST_F(McpSchema, NoSchemaIsVague) {
  EXPECT_EQ(schemas.size(), 10U);
  for (const auto& [name, schema] : schemas) EXPECT_EQ(JsonSchema::vague_part(JsonView(schema)), "") << name;
}

// The checker itself: a schema that is not true is found.
TEST(JsonSchemaChecker, FindsWhatDoesNotMatch) {
  const std::string text =
      R"({"type":"object","properties":{"a":{"type":["integer","null"],"minimum":0},"b":{"enum":["x","y"]},)"
      R"("c":{"type":"array","items":{"$ref":"#/$defs/d"}},"t":{"type":"string","format":"date-time"},)"
      R"("n":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["a"],"additionalProperties":false,)"
      R"("$defs":{"d":{"type":"object","properties":{"e":{"type":"string"}},"required":["e"]}}})";
  const JsonSchema schema{JsonView(text)};
  for (const char* const good : {R"({"a":1})", R"({"a":null,"b":"y","c":[],"n":1})",
                                 R"({"a":0,"c":[{"e":""}],"n":null})", R"({"a":1,"n":0.5,"t":"2026-01-01T00:00:00Z"})"})
    EXPECT_EQ(schema.fault_in(JsonView(good)), "") << good;
  for (const char* const bad : {"5", "{}", R"({"a":"1"})", R"({"a":1.5})", R"({"a":-1})", R"({"a":1,"b":"z"})",
                                R"({"a":1,"c":{}})", R"({"a":1,"c":[{}]})", R"({"a":1,"c":[{"e":1}]})",
                                R"({"a":1,"z":2})", R"({"a":1,"t":"yesterday"})", R"({"a":1,"n":"5"})"})
    EXPECT_NE(schema.fault_in(JsonView(bad)), "") << bad;
  EXPECT_NE(JsonSchema(JsonView(R"({"pattern":"x"})")).fault_in(JsonView("\"x\"")), "") << "an unknown keyword";
  EXPECT_NE(JsonSchema(JsonView(R"({"$ref":"#/$defs/x"})")).fault_in(JsonView("5")), "") << "a shape that is missing";
}

}  // namespace
}  // namespace holdfast::inline v1
