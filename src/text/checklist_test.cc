#include "text/checklist.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/markdown_lines.h"
#include "text/yaml_testing.h"

namespace holdfast {
namespace {

// Formats each item as "marker indent/chars text |description".
std::string shape(std::string_view doc) {
  std::string out;
  for (const ChecklistItem& item : checklist(doc)) {
    out += std::string(1, item.marker) + std::to_string(item.indent) + "/" + std::to_string(item.indent_chars) + " " +
           std::string(item.text) + "|" +
           std::string(doc.substr(item.description_at, item.description_end - item.description_at)) + "\n";
  }
  return out;
}

TEST(Checklist, finds_plan_items) {
  const std::string plan =
      "# Plan: x\n\n**Status:** executing\n\n- [x] one\n  what one is\n- [~] two\n- [-] three  \n- [ ] four\n\n  after "
      "a gap\n";
  EXPECT_EQ("x0/0 one|  what one is\n\n~0/0 two|\n-0/0 three  |\n 0/0 four|\n  after a gap\n\n", shape(plan));
  EXPECT_EQ("X0/0 a|\n 2/2 b|\n 4/1 c|\n 4/3 d|\n", shape("* [X] a\r\n  + [ ] b\r\n\t- [ ] c\r\n  \t- [ ] d"));
}

TEST(Checklist, other_lines_are_not_items) {
  for (const std::string doc : {"-[ ] a", "- [] a", "- [ ]a", "- [ ] ", "- [xx] a", "1. [ ] a", "[ ] a", "- a [ ] b",
                                "> - [ ] a", "- [\xE2\x9C\x93] a", "- [\t] a", "---\n- [ ] a\n---\n"}) {
    EXPECT_EQ("", shape(doc)) << doc;
  }
  EXPECT_EQ(" 0/0  |\n", shape("- [ ]  "));
}

TEST(Checklist, ignores_items_in_code) {
  EXPECT_EQ(" 0/0 b|\n", shape("```md\n- [ ] a\n```\n- [ ] b\n"));
  EXPECT_EQ(" 0/0 b|\n", shape("~~~\n- [ ] a\n```\n~~~~ \n- [ ] b\n"));
  EXPECT_EQ("", shape("````\n- [ ] a\n```\n- [ ] b\n"));
  EXPECT_EQ(" 0/0 a|\n", shape("``` `x`\n- [ ] a\n"));
  EXPECT_EQ(" 0/0 a|\n", shape("    ```\n- [ ] a\n"));
  // In a list, the fence's indentation is relative to the item, and the fence ends with the item.
  EXPECT_EQ(" 0/0 a|  ```\n  - [ ] no\n  ```\n\n 0/0 b|\n", shape("- [ ] a\n  ```\n  - [ ] no\n  ```\n- [ ] b\n"));
  EXPECT_EQ(" 0/0 a|\n 2/2 b|     ```\n    - [ ] no\n     ```\n\n 0/0 c|\n",
            shape("- [ ] a\n  - [ ] b\n     ```\n    - [ ] no\n     ```\n- [ ] c\n"));
  EXPECT_EQ(" 0/0 a|  ```\n  never closed\n\n 0/0 b|\n", shape("- [ ] a\n  ```\n  never closed\n- [ ] b\n"));
}

TEST(Checklist, description_ends_at_the_next_block) {
  EXPECT_EQ(" 0/0 a|  d\n\n  e\n\n", shape("- [ ] a\n  d\n\n  e\n\n\nf\n  g\n"));
  EXPECT_EQ(" 0/0 a|  d\n\n", shape("- [ ] a\n  d\n  - note\n  e\n"));
  EXPECT_EQ(" 2/2 a|\n", shape("  - [ ] a\n  same\n   more\n"));
  EXPECT_EQ(" 0/0 a|  d\n", shape("- [ ] a\n  d"));
}

TEST(Checklist, set_marker_changes_one_byte) {
  const std::string doc = "- [ ] a\r\n  - [x] b\r\n";
  const auto items = checklist(doc);
  EXPECT_EQ("- [x] a\r\n  - [x] b\r\n", set_marker(doc, items[0], 'x').value());
  EXPECT_EQ("- [ ] a\r\n  - [~] b\r\n", set_marker(doc, items[1], '~').value());
  for (const char bad : {'\n', '\0', ']', '[', '\x7f', '\xC3'}) {
    EXPECT_EQ(Code::invalid_argument, set_marker(doc, items[0], bad).error().code);
  }
  EXPECT_EQ(Code::conflict, set_marker("", items[0], 'x').error().code);
  EXPECT_EQ(Code::conflict, set_marker("- [x] a", items[0], 'x').error().code);
}

RC_GTEST_PROP(ChecklistProperty, set_marker_changes_only_its_item, ()) {
  std::string doc;
  for (int left = *rc::gen::inRange(0, 12); left > 0; --left) {
    doc += nasty_pick({"- [ ] a\n", "  * [x] b\r\n", "\t- [~] c\n", "```\n", "  ```\n", "~~~\n", "  text\n", "\n",
                       "---\n", "- d\n", "    - [-] e", nasty_string()});
  }
  const auto items = checklist(doc);
  for (std::size_t at = 0; at < items.size(); ++at) {
    const std::string ticked = set_marker(doc, items[at], 'Q').value();
    RC_ASSERT(ticked.size() == doc.size());
    const auto again = checklist(ticked);
    RC_ASSERT(again.size() == items.size());
    for (std::size_t other = 0; other < items.size(); ++other) {
      RC_ASSERT(again[other].marker == (other == at ? 'Q' : items[other].marker));
      RC_ASSERT(again[other].text == items[other].text);
      RC_ASSERT(again[other].description_end == items[other].description_end);
    }
    RC_ASSERT(items[at].description_at <= items[at].description_end);
    RC_ASSERT(items[at].description_end <= doc.size());
  }
}

}  // namespace
}  // namespace holdfast
