#include "text/front_matter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/yaml_testing.h"

namespace holdfast {
namespace {

TEST(FrontMatter, is_found_between_two_markers) {
  const std::string doc = "---\nid: 1\n---\n\n# Body\n---\n";
  const FrontMatter split = split_front_matter(doc);
  EXPECT_TRUE(split.found);
  EXPECT_EQ("id: 1\n", split.yaml);
  EXPECT_EQ("\n# Body\n---\n", split.body);
  EXPECT_EQ(doc.data() + split.yaml_at, split.yaml.data());
  EXPECT_EQ(doc.data() + split.body_at, split.body.data());

  const FrontMatter windows = split_front_matter("\xEF\xBB\xBF--- \r\na: 1\r\n---\t\r\nx\r\n");
  EXPECT_EQ("a: 1\r\n", windows.yaml);
  EXPECT_EQ("x\r\n", windows.body);
  EXPECT_EQ("", split_front_matter("---\n---").yaml);
  EXPECT_EQ("", split_front_matter("---\n---").body);
  EXPECT_TRUE(split_front_matter("---\n---").found);
  EXPECT_EQ("a: 1\n", split_front_matter("---\na: 1\n...\nx").yaml);
}

TEST(FrontMatter, everything_else_is_body) {
  for (const std::string doc : {"", "# x\n", "---", "---\na: 1\n", "----\na\n----\n", " ---\na\n---\n",
                                "\n---\na\n---\n", "---\na: 1\n --- \n", "--- a\n---\n"}) {
    const FrontMatter split = split_front_matter(doc);
    EXPECT_FALSE(split.found) << doc;
    EXPECT_EQ(doc, split.body);
    EXPECT_EQ("", split.yaml);
  }
}

TEST(FrontMatter, replacing_keeps_the_body) {
  EXPECT_EQ("---\nb: 2\n---\nx", replace_front_matter("---\na: 1\n---\nx", "b: 2\n").value());
  EXPECT_EQ("--- \r\nb: 2\r\n---\r\nx\n", replace_front_matter("--- \r\na: 1\r\n---\r\nx\n", "b: 2").value());
  EXPECT_EQ("---\nb: 2\n---\n# x\n", replace_front_matter("# x\n", "b: 2").value());
  EXPECT_EQ("\xEF\xBB\xBF---\nb: 2\n---\n# x\n", replace_front_matter("\xEF\xBB\xBF# x\n", "b: 2").value());
  EXPECT_EQ("---\n---\n", replace_front_matter("---\na: 1\n---\n", "").value());
  EXPECT_EQ("---\nb: 2\n---\n", replace_front_matter("---\n---\n", "b: 2").value());
  EXPECT_EQ(Code::invalid_argument, replace_front_matter("x", "a: 1\n---\nb: 2").error().code);
  EXPECT_EQ(Code::invalid_argument, replace_front_matter("x", "a: 1\r\n... \r\n").error().code);
}

RC_GTEST_PROP(FrontMatterProperty, written_yaml_is_read_back, ()) {
  std::string doc, yaml;
  const std::vector<std::string> lines = {"---\n", "---\r\n", "a: 1\n", "x\r\n", "\n",
                                          "...\n", "--- \n",  "# h\n",  "---"};
  for (int left = *rc::gen::inRange(0, 7); left > 0; --left) doc += nasty_pick(lines);
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) yaml += nasty_pick({"a: 1\n", "# c\n", "b: x\r\n"});
  const std::string edited = replace_front_matter(doc, yaml).value();
  const FrontMatter before = split_front_matter(doc), after = split_front_matter(edited);
  RC_ASSERT(after.found);
  RC_ASSERT(after.yaml == yaml);
  RC_ASSERT(after.body == before.body);
  RC_ASSERT(replace_front_matter(edited, yaml).value() == edited);
}

}  // namespace
}  // namespace holdfast
