#include "transfer/html_export.h"

#include <gtest/gtest.h>

#include "transfer/markdown_html.h"

namespace holdfast::inline v1 {
namespace {

Message said(Role role, Origin origin, std::string text, std::int64_t ordinal) {
  Message message;
  message.role = role;
  message.origin = origin;
  message.ordinal = ordinal;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

bool has(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

TEST(MarkdownHtml, RendersMarkupAndEscapesHtml) {
  EXPECT_EQ(markdown_html("a **b** `c<d`"), "<p>a <strong>b</strong> <code>c&lt;d</code></p>\n");
  EXPECT_EQ(markdown_html("<script>alert(1)</script>"), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
  EXPECT_EQ(markdown_html("[x](javascript:alert(1))"), "<p><a>x</a></p>\n");
  EXPECT_EQ(markdown_html("[x](https://a.b/?q=\"><i>)"),
            "<p><a rel=\"noreferrer noopener\" href=\"https://a.b/?q=&quot;&gt;&lt;i&gt;\">x</a></p>\n");
  EXPECT_EQ(markdown_html("[x](https://a.b)"), "<p><a rel=\"noreferrer noopener\" href=\"https://a.b\">x</a></p>\n");
  EXPECT_EQ(markdown_html("![alt](https://a.b/p.png)"), "<p>alt</p>\n");
  EXPECT_EQ(markdown_html("&lt;b&gt;"), "<p>&amp;lt;b&amp;gt;</p>\n");
  EXPECT_EQ(markdown_html("```\n<x>\n```"), "<pre><code>&lt;x&gt;\n</code></pre>\n");
}

TEST(HtmlExport, ShowsOnlyPicturesOfKnownTypes) {
  Transcript transcript;
  transcript.messages = {said(Role::user, Origin::typed, "look", 0)};
  const auto add = [&](BlockKind kind, std::string type, std::string data) {
    Block block{.kind = kind};
    block.media_type = std::move(type);
    block.data = std::move(data);
    transcript.messages[0].blocks.push_back(std::move(block));
  };
  add(BlockKind::image, "image/png", "\"><script>");
  add(BlockKind::image, "image/svg+xml", "<svg/>");
  add(BlockKind::image, "image/png\" onload=\"x", "a");
  add(BlockKind::image, "image/png", "");
  add(BlockKind::document, "application/pdf", "b");
  const std::string page = session_html(transcript);
  EXPECT_TRUE(has(page, "img-src data:;"));
  EXPECT_TRUE(has(page, "src=\"data:image/png;base64,Ij48c2NyaXB0Pg==\">")) << page;
  EXPECT_EQ(page.find("<img"), page.rfind("<img"));
  EXPECT_FALSE(has(page, "onload=\"") || has(page, "<script") || has(page, "<svg"));
}

TEST(HtmlExport, IsSelfContainedWithPromptsAndPolicy) {
  Transcript transcript;
  transcript.session.id = "ses_1";
  transcript.session.title = "A <title> & more";
  transcript.messages = {said(Role::user, Origin::typed, "do <b>it</b>", 0),
                         said(Role::assistant, Origin::model, "*done*", 1)};
  Block call{.kind = BlockKind::tool_call, .id = "t", .name = "Edit"};
  call.json = R"({"file_path":"a.txt","old_string":"x","new_string":"<y>"})";
  transcript.messages[1].blocks.push_back(call);
  transcript.messages.push_back({});
  transcript.messages[2].role = Role::tool;
  transcript.messages[2].origin = Origin::tool;
  transcript.messages[2].blocks.push_back({.kind = BlockKind::tool_result, .text = "</pre><script>", .id = "t"});
  transcript.messages.push_back({});
  transcript.messages[3].role = Role::system;
  transcript.messages[3].blocks.push_back({.kind = BlockKind::other, .json = R"({"type":"<x>"})"});
  const std::string page = session_html(transcript);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(has(page, "default-src 'none'; style-src 'sha256-"));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "http://") || has(page, "https://"));
  EXPECT_TRUE(has(page, "<title>A &lt;title&gt; &amp; more</title>"));
  EXPECT_TRUE(has(page, "<li><a href=\"#m0\">do &lt;b&gt;it&lt;/b&gt;</a></li>"));
  EXPECT_TRUE(has(page, "<article id=\"m1\""));
  EXPECT_TRUE(has(page, "<ins>+ &lt;y&gt;</ins>"));
  EXPECT_TRUE(has(page, "&lt;/pre&gt;&lt;script&gt;"));
  EXPECT_TRUE(has(page, "<summary><b>record</b> &lt;x&gt;</summary>"));
}

}  // namespace
}  // namespace holdfast::inline v1
