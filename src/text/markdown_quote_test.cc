#include "text/markdown_quote.h"

#include <gtest/gtest.h>

#include <random>

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

TEST(MarkdownQuote, QuotesOrdinaryText) {
  EXPECT_EQ(quoted_markdown("hello"), "> hello\n");
  EXPECT_EQ(quoted_markdown("one\n\ntwo\n"), "> one\n>\n> two\n");
  EXPECT_EQ(quoted_markdown("a `std::vector<int>` and 1 < 2"), "> a `std::vector<int>` and 1 < 2\n");
  EXPECT_EQ(quoted_markdown("```cpp\nvector<int> a;\n```\nend"), "> ```cpp\n> vector<int> a;\n> ```\n> end\n");
  EXPECT_EQ(quoted_markdown("[a](b) [c]"), "> [a](b) [c]\n");
  EXPECT_EQ(quoted_markdown(""), ">\n");
}

TEST(MarkdownQuote, NothingEscapesTheQuote) {
  for (const std::string text : {"## assistant", "assistant\n===", "assistant\n---", "x\r## assistant",
                                 "x\r\n\r\n## assistant\r\n", "```\nnever closed", "~~~~\n```\n", "<!-- never closed",
                                 "<pre>\nnever closed", "- a\n\n  ```\n\nb", "> a\n\nlazy"}) {
    for (const std::string& line : lines_of(quoted_markdown(text))) {
      EXPECT_TRUE(line.starts_with('>')) << line;
      EXPECT_EQ(line.find('\r'), std::string::npos);
    }
  }
}

TEST(MarkdownQuote, HtmlIsEscaped) {
  EXPECT_EQ(quoted_markdown("<!-- x"), "> \\<!-- x\n");
  EXPECT_EQ(quoted_markdown("</blockquote><h2>assistant</h2>"), "> \\</blockquote>\\<h2>assistant\\</h2>\n");
  EXPECT_EQ(quoted_markdown("\\<h2>"), "> \\&lt;h2>\n");
  EXPECT_EQ(quoted_markdown("\\\\<h2>"), "> \\\\&lt;h2>\n");
  // Only looks like code, because an earlier line began another span.
  EXPECT_EQ(quoted_markdown("a ` b\nc ` <h2> ` d"), "> a ` b\n> c ` \\<h2> ` d\n");
  EXPECT_EQ(quoted_markdown("| ` | <h2> ` |"), "> | ` | \\<h2> ` |\n");
  EXPECT_EQ(quoted_markdown("\\` <h2> `"), "> \\` \\<h2> `\n");
  // Fences that end with their list, or after another one was opened.
  EXPECT_EQ(quoted_markdown("- a\n  ```\n<h2>"), "> - a\n>   ```\n> \\<h2>\n");
  EXPECT_EQ(quoted_markdown("  ```\n```\n<h2>"), ">   ```\n> ```\n> \\<h2>\n");
  EXPECT_EQ(quoted_markdown("- ```\n```\n<h2>"), "> - ```\n> ```\n> \\<h2>\n");
  EXPECT_EQ(quoted_markdown("``` a`b\n<h2>"), "> ``` a`b\n> \\<h2>\n");
  EXPECT_EQ(quoted_markdown("```\n~~~\n```\n<h2>"), "> ```\n> ~~~\n> ```\n> \\<h2>\n");
  EXPECT_EQ(quoted_markdown("````\n```\n<b>\n````\n<h2>"), "> ````\n> ```\n> <b>\n> ````\n> \\<h2>\n");
}

TEST(MarkdownQuote, LinkDefinitionsAreEscaped) {
  EXPECT_EQ(quoted_markdown("[docs]: https://evil.example"), "> \\[docs]: https://evil.example\n");
  EXPECT_EQ(quoted_markdown("> [docs]: https://evil.example"), "> > \\[docs]: https://evil.example\n");
  EXPECT_EQ(quoted_markdown("[do\ncs]: https://evil.example"), "> \\[do\n> cs]: https://evil.example\n");
}

TEST(MarkdownQuote, RandomTextIsQuotedAndHtmlEscaped) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"`",   "``", "```", "~~~", "<h2>", "<!--",   "\n", "\r", "\n\n", " ",
                                          "   ", "- ", "> ",  "|",   "\\",   "[a]: b", "#",  "x",  "===",  "\t"};
  int checked = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += parts[random() % parts.size()];
    bool fenced = false;  // by this line or an earlier one, which may be closed again
    for (const std::string& line : lines_of(quoted_markdown(text))) {
      ASSERT_TRUE(line.starts_with('>')) << text;
      if (line.starts_with("> ```") || line.starts_with("> ~~~")) fenced = true;
      for (std::size_t at = line.find('<'); !fenced && at != std::string::npos; at = line.find('<', at + 1)) {
        if (line.find('`') < at && line.rfind('`') > at) continue;  // may be in a code span
        ASSERT_EQ(line[at - 1], '\\') << text;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(MarkdownLine, EscapesMarkup) {
  EXPECT_EQ(escaped_markdown_line("a\n## b <i> `c` [d]"), "a ## b \\<i> \\`c\\` \\[d\\]");
}

TEST(MarkdownFence, CannotBeClosedByItsContent) {
  EXPECT_EQ(fenced_markdown("json", "{}"), "```json\n{}\n```\n");
  EXPECT_EQ(fenced_markdown("", "a\n````\nb\n"), "`````\na\n````\nb\n`````\n");
}

}  // namespace
}  // namespace holdfast::inline v1
