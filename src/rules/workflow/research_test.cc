#include "rules/workflow/research.h"

#include <filesystem>

#include "disk/real_testing.h"
#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Research : testing::TestWithParam<const char*> {
  LayoutStore files{GetParam()};
  const bool lopen = std::string_view(GetParam()) == "lopen";
  const std::string project = lopen ? "/store" : "/p";
  const std::string folder = project + "/docs/requirements/auth";

  void SetUp() override { must(files.disk.put_file(folder + "/SPECIFICATION.md", "# A\n")); }
  Result<ResearchFile> add(const ResearchRequest& request) {
    return add_research(files.context, *files.store, project, request);
  }
  static ResearchRequest request(std::string topic) {
    ResearchRequest one;
    one.module = "auth";
    one.topic = std::move(topic);
    one.parts.summary = "Short tokens.";
    one.parts.findings = "- fifteen minutes\n";
    one.parts.sources = "RFC 7519";
    one.parts.relevance = "Tokens";
    one.parts.section = "Tokens: expiry";
    return one;
  }
};

TEST_P(Research, L17_NoteHasFourPartsAndIndexLink) {
  const ResearchFile file = must(add(request("JWT best practices")));
  EXPECT_EQ(file.path, "docs/requirements/auth/RESEARCH-JWT-best-practices.md");
  EXPECT_EQ(files.bytes(folder + "/RESEARCH-JWT-best-practices.md"),
            "---\ntopic: JWT best practices\nspec_section: \"Tokens: expiry\"\n---\n\n# Research: JWT best practices\n"
            "\n## Summary\n\nShort tokens.\n\n## Findings\n\n- fifteen minutes\n\n## Sources\n\nRFC 7519\n"
            "\n## Relevance\n\nTokens\n");
  EXPECT_EQ(file.note.section, "Tokens: expiry");
  EXPECT_TRUE(file.note.missing.empty());
  EXPECT_EQ(files.bytes(folder + "/RESEARCH.md"),
            "# Research Index\n\n- [JWT-best-practices](RESEARCH-JWT-best-practices.md)\n");
  EXPECT_FALSE(files.disk.exists("/store/.lopen/docs"));
}

TEST_P(Research, L17_IndexIsSortedAndKeepsManualText) {
  must(add(request("beta")));
  must(add(request("Alpha")));
  must(add(request("gamma")));
  EXPECT_EQ(
      files.bytes(folder + "/RESEARCH.md"),
      "# Research Index\n\n- [Alpha](RESEARCH-Alpha.md)\n- [beta](RESEARCH-beta.md)\n- [gamma](RESEARCH-gamma.md)\n");
  must(files.disk.put_file(folder + "/RESEARCH.md",
                           "# Our research\n\nRead beta first.\n\n- [The *second*](RESEARCH-beta.md)\n"
                           "- [gone](RESEARCH-gone.md)\n\nEnd."));
  must(add(request("delta")));
  EXPECT_EQ(files.bytes(folder + "/RESEARCH.md"),
            "# Our research\n\nRead beta first.\n\n- [Alpha](RESEARCH-Alpha.md)\n- [The *second*](RESEARCH-beta.md)\n"
            "- [delta](RESEARCH-delta.md)\n- [gamma](RESEARCH-gamma.md)\n\nEnd.\n");
}

TEST_P(Research, L17_ReplacingNoteChangesOnlyGivenParts) {
  must(add(request("jwt")));
  EXPECT_EQ(add(request("jwt")).error().code, Code::already_exists);
  const std::string path = folder + "/RESEARCH-jwt.md";
  must(files.disk.put_file(
      path, "---\nauthor: me  # kept\n---\n# Mine\r\n\n## Summary\n\nold\n\n### Detail\n\nx\n\n## Notes\n\nkept\n"));
  ResearchRequest change;
  change.module = "auth";
  change.topic = "jwt";
  change.replace = true;
  change.parts.summary = "new";
  change.parts.section = "Tokens";
  const ResearchFile file = must(add(change));
  EXPECT_EQ(files.bytes(path),
            "---\nauthor: me  # kept\nspec_section: Tokens\n---\n# Mine\r\n\n## Summary\n\nnew\n\n## Notes\n\nkept\n");
  EXPECT_EQ(file.note.missing, (std::vector<std::string>{"Findings", "Sources", "Relevance"}));
}

TEST_P(Research, L17_UnchangedSaveWritesNothing) {
  must(add(request("jwt")));
  ResearchRequest again = request("jwt");
  again.replace = true;
  const auto calls = files.disk.calls();
  must(add(again));
  EXPECT_LE(files.disk.calls() - calls, lopen ? 0U : 4U);  // opening the project's root takes its lock
  EXPECT_EQ(must(list_research(files.context, *files.store, project, "")).notes.size(), 1U);
}

TEST_P(Research, L17_SlugsMatchLopen) {
  EXPECT_EQ(research_slug("  JWT: best  practices! "), "JWT-best-practices");
  EXPECT_EQ(research_slug("snake_case-and--dashes"), "snake_case-and-dashes");
  EXPECT_EQ(research_slug("Größe"), "Gr-e");
  EXPECT_EQ(research_slug("../../etc"), "etc");
  EXPECT_EQ(research_slug("!!!"), "");
  EXPECT_EQ(add(request("!!!")).error().code, Code::invalid_argument);
  ResearchRequest bad = request("x");
  bad.module = "../auth";
  EXPECT_EQ(add(bad).error().code, Code::unsafe_path);
}

TEST_P(Research, L17_ListsAllModulesAndAcceptsFreeText) {
  must(add(request("jwt")));
  ResearchRequest other;
  other.module = "billing";
  other.topic = "vat";
  other.body = "Free text.";
  must(add(other));
  const ResearchList list = must(list_research(files.context, *files.store, project, ""));
  ASSERT_EQ(list.notes.size(), 2U);
  EXPECT_EQ(list.notes[1].module, "billing");
  EXPECT_EQ(list.notes[1].note.missing.size(), 4U);
  EXPECT_EQ(must(get_research(files.context, *files.store, project, "billing", "vat")).text, "Free text.\n");
}

INSTANTIATE_TEST_SUITE_P(Lopen, Research, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, Research, testing::Values("holdfast"));

TEST(ResearchFiles, L17_ProjectFilesKeepTheirMode) {
  namespace fs = std::filesystem;
  TemporaryDirectory directory;
  const std::string folder = directory.path() + "/docs/requirements/auth";
  fs::create_directories(folder);
  StoreOptions options;
  options.layout = "lopen";
  options.roots = {{"", directory.path()}};
  options.write = true;
  options.create = true;
  const auto store = must(Store::open({}, real_file_system(), options));
  ResearchRequest request;
  request.module = "auth";
  request.topic = "jwt";
  request.parts.summary = "x";
  must(add_research({}, *store, "", request));
  const auto mode = [&](const std::string& name) {
    return static_cast<unsigned>(fs::status(folder + name).permissions());
  };
  EXPECT_EQ(mode("/RESEARCH.md"), 0644U);
  EXPECT_EQ(mode("/RESEARCH-jwt.md"), 0644U);
  fs::permissions(folder + "/RESEARCH.md", fs::perms(0664));
  request.topic = "second";
  must(add_research({}, *store, "", request));
  EXPECT_EQ(mode("/RESEARCH.md"), 0664U);
}

}  // namespace
}  // namespace holdfast::inline v1
