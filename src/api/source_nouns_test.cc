// cache, spec, research and the settings through the table: their rules are
// tested in src/store; here, that each method reaches its rule and answers its schema.
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

TEST_F(SourceNouns, L10_ASectionIsCutAndCached) {
  const std::string wish = R"({"project":"/p","module":"auth","header":"tokens"})";
  const std::string first = must_call("cache.section", wish);
  EXPECT_EQ(text(first, "content"), "short\n\n- [x] done");
  EXPECT_EQ(text(first, "cached"), "false");
  EXPECT_EQ(text(must_call("cache.section", wish), "cached"), "true");
  EXPECT_EQ(
      text(must_call(
               "cache.section",
               R"({"project":"/p","path":"docs/requirements/auth/SPECIFICATION.md","header":"Auth","subtree":true})"),
           "level"),
      "1");
  EXPECT_EQ(code("cache.section", R"({"project":"/p","header":"x"})"), Code::invalid_argument);
  EXPECT_EQ(code("cache.section", R"({"project":"/p","module":"auth","header":"none"})"), Code::not_found);
}

TEST_F(SourceNouns, L11_AnAssessmentIsKeptUntilAFileChanges) {
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
  EXPECT_NE(must_call("spec.drift", R"({"project":"/p","module":"auth","session":"s"})").find(R"("known":false)"),
            std::string::npos);
}

TEST_F(SourceNouns, L20_SettingsAreShownWithTheirSourceAndChanged) {
  EXPECT_NE(must_call("store.settings").find(R"("auto_resume":true)"), std::string::npos);
  const std::string set = must_call("store.configure", R"({"settings":{"auto_resume":false}})");
  EXPECT_NE(set.find(R"("auto_resume":false)"), std::string::npos);
  EXPECT_NE(set.find(R"("auto_resume":"holdfast:/home")"), std::string::npos);
  EXPECT_NE(must_call("store.settings", R"({"settings":{"auto_resume":true}})").find(R"("auto_resume":"flag")"),
            std::string::npos);
  EXPECT_EQ(code("store.configure", R"({"settings":{"session_retention":-1}})"), Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::inline v1
