// cache, spec, research and the settings through the table: src/rules tests their
// rules; this tests that each method reaches its rule and its answer matches its schema.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SourceNouns : ApiTest {
  SourceNouns() {
    const auto put =
        files.put_file("/p/docs/requirements/auth/SPECIFICATION.md",
                       "---\nname: auth\ndescription: d\n---\n# Auth\n\n## Tokens\n\nshort\n\n- [x] done\n");
    EXPECT_TRUE(put);
    must_call("store.create");
  }
  static std::string text(const std::string& answer, std::string_view key) {
    return JsonView(answer).find(key).as_string().value_or(std::string(JsonView(answer).find(key).raw()));
  }
};

TEST_F(SourceNouns, L10_SectionIsExtractedAndCached) {
  const std::string request = R"({"project":"/p","module":"auth","header":"tokens"})";
  const std::string first = must_call("cache.section", request);
  EXPECT_EQ(text(first, "content"), "short\n\n- [x] done");
  EXPECT_EQ(text(first, "cached"), "false");
  EXPECT_EQ(text(must_call("cache.section", request), "cached"), "true");
  EXPECT_EQ(
      text(must_call(
               "cache.section",
               R"({"project":"/p","path":"docs/requirements/auth/SPECIFICATION.md","header":"Auth","subtree":true})"),
           "level"),
      "1");
  EXPECT_EQ(code("cache.section", R"({"project":"/p","header":"x"})"), Code::invalid_argument);
  EXPECT_EQ(code("cache.section", R"({"project":"/p","module":"auth","header":"none"})"), Code::not_found);
}

TEST_F(SourceNouns, L11_AssessmentIsKeptUntilAFileChanges) {
  const std::string scope = R"("project":"/p","scope":"docs","paths":["docs"])";
  const std::string miss = must_call("cache.assessment", "{" + scope + "}");
  EXPECT_EQ(text(miss, "hit"), "false");
  must_call("cache.assess", "{" + scope + R"(,"content":"fine","state":")" + text(miss, "state") + "\"}");
  EXPECT_EQ(text(must_call("cache.assessment", "{" + scope + "}"), "content"), "fine");
  ASSERT_TRUE(files.put_file("/p/docs/new.md", "x"));
  EXPECT_EQ(text(must_call("cache.assessment", "{" + scope + "}"), "hit"), "false");
  EXPECT_EQ(code("cache.assess", "{" + scope + R"(,"content":"fine","state":")" + text(miss, "state") + "\"}"),
            Code::conflict);
}

TEST_F(SourceNouns, L17_ResearchIsAddedListedAndShown) {
  const std::string note = must_call(
      "research.add", R"({"project":"/p","module":"auth","topic":"JWT lives","summary":"s","section":"Tokens"})");
  EXPECT_EQ(text(std::string(JsonView(note).find("research").raw()), "topic"), "JWT-lives");
  EXPECT_EQ(code("research.add", R"({"project":"/p","module":"auth","topic":"JWT lives"})"), Code::already_exists);
  EXPECT_EQ(code("research.add", R"({"project":"/p","module":"auth","topic":"x","body":"b","summary":"s"})"),
            Code::invalid_argument);
  EXPECT_EQ(text(must_call("research.list", R"({"project":"/p"})"), "total"), "1");
  EXPECT_NE(must_call("research.get", R"({"project":"/p","module":"auth","topic":"JWT lives"})").find("## Sources"),
            std::string::npos);
}

TEST_F(SourceNouns, L24_SpecificationsAreListedWithTheirSections) {
  const std::string one = must_call("spec.get", R"({"project":"/p","module":"auth"})");
  EXPECT_NE(one.find(R"("header":"Tokens","level":2)"), std::string::npos) << one;
  EXPECT_EQ(text(must_call("spec.list", R"({"project":"/p"})"), "total"), "1");
  EXPECT_EQ(code("spec.get", R"({"project":"/p","module":"none"})"), Code::not_found);
  EXPECT_EQ(code("spec.get", R"({"module":"auth"})"), Code::invalid_argument);
  EXPECT_EQ(code("spec.drift", R"({"project":"/p","module":"auth","session":"s"})"), Code::not_found);
}

TEST_F(SourceNouns, L20_SettingsAreShownWithTheirSourceAndChanged) {
  EXPECT_NE(must_call("store.settings").find(R"("auto_resume":true)"), std::string::npos);
  const std::string set = must_call("store.configure", R"({"settings":{"auto_resume":false}})");
  EXPECT_NE(set.find(R"("auto_resume":false)"), std::string::npos);
  EXPECT_NE(set.find(R"("auto_resume":"/home/config.toml")"), std::string::npos) << set;
  EXPECT_NE(must_call("store.settings", R"({"settings":{"auto_resume":true}})").find(R"("auto_resume":"flag")"),
            std::string::npos);
  EXPECT_EQ(code("store.configure", R"({"settings":{"session_retention":-1}})"), Code::invalid_argument);
}

TEST_F(SourceNouns, L18_NativeSessionShowsWorkflowState) {
  const std::string id = text(must_call("session.start", R"({"module":"auth","project":"/p"})"), "id");
  must_call("metrics.record", R"({"input_tokens":1500,"output_tokens":2,"session":")" + id + "\"}");
  const auto shown = [&](std::string_view format) {
    return text(must_call("session.show", R"({"format":")" + std::string(format) + "\"}"), "text");
  };
  EXPECT_TRUE(shown("md").starts_with("# Session: " + id + "\n\n- **Phase**: ")) << shown("md");
  EXPECT_NE(shown("text").find("- **Input Tokens**: 1,500\n"), std::string::npos) << shown("text");
  EXPECT_NE(shown("yaml").find("\nmodule: auth\n"), std::string::npos) << shown("yaml");
  EXPECT_EQ(JsonView(shown("json")).find("metrics").find("input_tokens").as_int64(), 1500);
  const std::string all = must_call("session.show", R"({"id":")" + id + "\"}");
  EXPECT_EQ(JsonView(all).find("workflow").find("module").as_string(), "auth");
  EXPECT_TRUE(JsonView(all).find("messages"));
}

TEST_F(SourceNouns, L22_ResumeReportsSpecificationDrift) {
  const std::string id = text(must_call("session.start", R"({"module":"auth","project":"/p"})"), "id");
  must_call("workflow.pause", R"({"session":")" + id + "\"}");
  ASSERT_TRUE(files.put_file("/p/docs/requirements/auth/SPECIFICATION.md", "# Auth\n\n## Tokens\n\nlong\n"));
  const std::string again = must_call("session.start", R"({"module":"auth","resume":")" + id + "\"}");
  const JsonView drift = JsonView(again).find("drift");
  EXPECT_EQ(drift.find("known").as_bool(), true) << again;
  EXPECT_NE(std::string(drift.raw()).find(R"("header":"Tokens")"), std::string::npos) << again;
}

}  // namespace
}  // namespace holdfast::inline v1
