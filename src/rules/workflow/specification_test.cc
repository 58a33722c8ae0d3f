#include "rules/workflow/specification.h"

#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSpec =
    "---\nname: auth\ndescription: Who may enter\n---\n\n# Authentication\n\nIntro.\n\n## Tokens\n\nJWT only.\n\n"
    "### Expiry\n\n15 minutes.\n\n```\n# not a heading\n```\n\n## Acceptance Criteria\n\n- [x] one\n- [ ] two\n";

struct LopenSpecification : testing::Test {
  LayoutStore files{"lopen"};
  const std::string path = "/store/docs/requirements/auth/SPECIFICATION.md";
};

TEST_F(LopenSpecification, L24_PartsAreReadAndSectionsListed) {
  must(files.disk.put_file(path, kSpec));
  const Specification spec = must(get_specification(files.context, *files.store, "", "auth"));
  EXPECT_EQ(spec.name, "auth");
  EXPECT_EQ(spec.description, "Who may enter");
  EXPECT_EQ(spec.title, "Authentication");
  EXPECT_TRUE(spec.missing.empty());
  std::string headers;
  for (const SpecSection& section : spec.sections) headers += std::to_string(section.level) + section.header + "|";
  EXPECT_EQ(headers, "1Authentication|2Tokens|3Expiry|2Acceptance Criteria|");
  EXPECT_EQ(spec.criteria, 2);
  EXPECT_EQ(spec.ticked, 1);
  EXPECT_EQ(files.bytes(path), kSpec);
}

TEST_F(LopenSpecification, L24_MissingPartsAreReportedAndNothingIsRewritten) {
  must(files.disk.put_file(path, "### Only details\n"));
  must(files.disk.put_file("/store/docs/requirements/zoo/SPECIFICATION.md", "---\nname: [\n---\n# Z\n\n## A\n"));
  must(files.disk.put_file("/store/docs/requirements/empty/notes.md", "x"));
  const SpecificationList list = must(list_specifications(files.context, *files.store, ""));
  ASSERT_EQ(list.specifications.size(), 2U);
  EXPECT_EQ(list.specifications[0].missing,
            (std::vector<std::string>{"front matter", "name", "description", "H1 title", "H2 sections"}));
  ASSERT_EQ(list.specifications[1].missing.size(), 3U);
  EXPECT_TRUE(list.specifications[1].missing[0].starts_with("readable front matter"));
  EXPECT_EQ(list.findings.size(), 8U);
  EXPECT_EQ(list.findings[0].kind, "missing_part");
  EXPECT_EQ(files.bytes(path), "### Only details\n");
}

TEST_F(LopenSpecification, L24_NamesOutsideFolderAreRefused) {
  for (const char* const name : {"../auth", "a/b", "", ".."})
    EXPECT_EQ(get_specification(files.context, *files.store, "", name).error().code, Code::unsafe_path) << name;
  EXPECT_EQ(get_specification(files.context, *files.store, "", "none").error().code, Code::not_found);
  EXPECT_EQ(get_specification(files.context, *files.store, "/elsewhere", "auth").error().code, Code::invalid_argument);
}

TEST(Specification, L24_NativeStoreReadsProjectSpecifications) {
  LayoutStore files("holdfast");
  must(files.disk.put_file("/p/docs/requirements/auth/SPECIFICATION.md", kSpec));
  EXPECT_EQ(must(get_specification(files.context, *files.store, "/p", "auth")).title, "Authentication");
  EXPECT_EQ(get_specification(files.context, *files.store, "", "auth").error().code, Code::invalid_argument);
  EXPECT_FALSE(files.disk.exists("/p/.holdfast"));
}

// Specifications belong to people: no record operation changes them.
TEST(Specification, L24_SpecificationRecordsAreReadOnly) {
  LayoutStore files("lopen");
  const std::string path = "/store/docs/requirements/auth/SPECIFICATION.md";
  must(files.disk.put_file(path, kSpec));
  const RecordKey its{"specification", {}, "auth"};
  EXPECT_NE(must(files.store->get_record(files.context, its)).find("JWT only."), std::string::npos);
  using enum RecordEdit::Kind;
  for (const auto kind : {create, put, patch, remove}) {
    for (const std::string id : {"auth", "other"}) {
      const RecordEdit edit{kind, {"specification", {}, id}, R"({"name":"mine","body":"# Mine"})"};
      const auto done = files.store->edit_records(files.context, [&](const Store::Look&) { return std::vector{edit}; });
      ASSERT_FALSE(done) << id;
      EXPECT_EQ(done.error().code, Code::unsupported);
      EXPECT_NE(done.error().message.find("lopen"), std::string::npos) << done.error().message;
      EXPECT_NE(done.error().message.find("specification"), std::string::npos) << done.error().message;
    }
  }
  EXPECT_EQ(files.bytes(path), kSpec);
  EXPECT_FALSE(files.disk.exists("/store/docs/requirements/other"));
}

TEST(Specification, OtherLayoutsDoNotSupportSpecifications) {
  LayoutStore files("open-agent");
  const auto answer = get_specification(files.context, *files.store, "/p", "auth");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::unsupported);
  EXPECT_NE(answer.error().message.find("open-agent"), std::string::npos);
}

TEST(Specification, SectionEndsAtNextHeadingOrIncludesSubtree) {
  const auto section = extract_section(kSpec, " tokens ", false);
  ASSERT_TRUE(section);
  EXPECT_EQ(section->header, "Tokens");
  EXPECT_EQ(section->content, "JWT only.");
  const auto subtree = extract_section(kSpec, "TOKENS", true);
  ASSERT_TRUE(subtree);
  EXPECT_EQ(subtree->content, "JWT only.\n\n### Expiry\n\n15 minutes.\n\n```\n# not a heading\n```");
  EXPECT_FALSE(extract_section(kSpec, "not a heading", false));
  EXPECT_FALSE(extract_section(kSpec, "name: auth", false));
}

TEST(Specification, HashesAreUppercaseXxh128) {
  const Specification spec = read_specification("# A\n\n# B\n\nabc\n");
  ASSERT_EQ(spec.sections.size(), 2U);
  EXPECT_EQ(spec.sections[0].hash, "99AA06D3014798D86001C324468D497F");  // of no bytes: from the xxHash specification
  EXPECT_EQ(spec.sections[1].hash, "06B05AB6733A618578AF5F94892F3950");  // printf abc | xxh128sum
}

}  // namespace
}  // namespace holdfast::inline v1
