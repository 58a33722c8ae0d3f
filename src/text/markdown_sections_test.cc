#include "text/markdown_sections.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/yaml_testing.h"

namespace holdfast {
namespace {

std::string shape(std::string_view doc) {
  std::string out;
  for (const MarkdownHeading& heading : markdown_headings(doc)) {
    out += std::to_string(heading.level) + "<" + std::string(heading.text) + ">";
  }
  return out;
}

TEST(MarkdownSections, finds_atx_and_setext_headings) {
  EXPECT_EQ("1<a>2<b c>3<>6<x>", shape("# a\n##\tb c  ##\n###\n   ###### x ######\n"));
  EXPECT_EQ("1<a#>1<b ## c>", shape("# a#\n# b ## c\n"));
  EXPECT_EQ("1<a>2<b>1<two\nlines>", shape("a\n===\nb  \n-\n\ntwo\nlines\n  ====  \n"));
  EXPECT_EQ("1<a>2<b>", shape("# a\r\n\r\nb\r\n---\r\n"));
}

TEST(MarkdownSections, ignores_lookalike_headings) {
  EXPECT_EQ("", shape("#a\n####### b\n    # c\n\\# d\n"));
  EXPECT_EQ("", shape("---\n\n***\n\n- item\n---\n\n> quote\n---\n\n    code\n---\n"));
  EXPECT_EQ("", shape("```\n# a\n\nb\n---\n```\n"));
  EXPECT_EQ("1<z>", shape("---\ntitle: x\n---\n# z\n"));
  EXPECT_EQ("", shape("| a | b |\n|---|---|\n"));
  EXPECT_EQ("", shape("text\n\n---\n"));
  EXPECT_EQ("", shape("- item\nlazy\n---\n"));
}

TEST(MarkdownSections, sections_and_subtrees_are_byte_ranges) {
  const std::string doc = "intro\n\n# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne";
  const auto all = markdown_headings(doc);
  ASSERT_EQ(5u, all.size());
  EXPECT_EQ("a\n", all[0].section(doc));
  EXPECT_EQ("a\n## B\nb\n### C\nc\n## D\nd\n", all[0].subtree(doc));
  EXPECT_EQ("b\n", all[1].section(doc));
  EXPECT_EQ("b\n### C\nc\n", all[1].subtree(doc));
  EXPECT_EQ("c\n", all[2].subtree(doc));
  EXPECT_EQ("e", all[4].subtree(doc));
  EXPECT_EQ(7u, all[0].at);
}

TEST(MarkdownLabels, are_found_in_both_spellings) {
  const std::string doc =
      "# Plan\n\n```\n**Status:** code\n```\n**Status:**  in work  \n- **Origin**: user\n**Empty:**\r\n";
  EXPECT_EQ("in work", label_value(doc, "Status")->value);
  EXPECT_EQ("user", label_value(doc, "Origin")->value);
  EXPECT_EQ("", label_value(doc, "Empty")->value);
  EXPECT_FALSE(label_value(doc, "status"));
  EXPECT_FALSE(label_value(doc, "Stat"));
  EXPECT_FALSE(label_value(doc, ""));
  EXPECT_FALSE(label_value("x **Status:** y", "Status"));
}

TEST(MarkdownLabels, are_replaced_byte_for_byte) {
  const std::string doc = "a\r\n**Status:**  in work  \r\n**Status:** b\r\n**Empty**:\r\n";
  EXPECT_EQ("a\r\n**Status:**  done  \r\n**Status:** b\r\n**Empty**:\r\n", set_label(doc, "Status", "done").value());
  EXPECT_EQ("a\r\n**Status:**  in work  \r\n**Status:** b\r\n**Empty**: x\r\n", set_label(doc, "Empty", "x").value());
  EXPECT_EQ(doc, set_label(doc, "Status", "in work").value());
  EXPECT_EQ(doc, set_label(doc, "Empty", "").value());
  EXPECT_EQ(Code::not_found, set_label(doc, "None", "x").error().code);
  EXPECT_EQ(Code::invalid_argument, set_label(doc, "Status", "x\ny").error().code);
  EXPECT_EQ(Code::invalid_argument, set_label(doc, "Status", " x").error().code);
  EXPECT_EQ(Code::invalid_argument, set_label(doc, "", "x").error().code);
}

RC_GTEST_PROP(MarkdownSectionsProperty, sections_tile_the_document, ()) {
  std::string doc;
  for (int left = *rc::gen::inRange(0, 12); left > 0; --left) {
    doc += nasty_pick(
        {"# a\n", "## b ##\r\n", "text\n", "===\n", "---\n", "```\n", "\n", "- x\n", "    y\n", "###", nasty_string()});
  }
  std::size_t at = std::string::npos;
  for (const MarkdownHeading& heading : markdown_headings(doc)) {
    if (at != std::string::npos) RC_ASSERT(heading.at == at);
    RC_ASSERT(heading.at < heading.body_at);
    RC_ASSERT(heading.body_at <= heading.end);
    RC_ASSERT(heading.end <= heading.tree_end);
    RC_ASSERT(heading.tree_end <= doc.size());
    at = heading.end;
  }
  if (at != std::string::npos) RC_ASSERT(at == doc.size());
}

}  // namespace
}  // namespace holdfast
