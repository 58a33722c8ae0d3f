#include "doors/cli/render_find.h"

#include <gtest/gtest.h>

#include "doors/cli/columns.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back().push_back(c);
  }
  return lines;
}

std::string hit(const std::string& snippet, std::size_t from, std::size_t to) {
  return R"({"session":"0190d6f2-aaaa-7bbb-8ccc-0123456789ab","layout":"claude-code","store":"s","project":"/home/dev/a/very/long/way/to/some/project",)"
         R"("ordinal":1234,"role":"assistant","timestamp":"2026-11-15T08:00:00.000Z","snippet":")" +
         snippet + R"(","spans":[[)" + std::to_string(from) + "," + std::to_string(to) + "]]}";
}

TEST(RenderHits, every_line_fits_the_terminal_and_shows_its_match) {
  const std::string before(120, 'b'), after(120, 'a');
  const std::string answer = R"({"hits":[)" + hit(before + "needle" + after, 120, 126) + "," +
                             hit("needle" + after, 0, 6) + R"(],"sessions":1,"total":2})";
  for (const bool colour : {false, true}) {
    for (const std::size_t width : {64UL, 80UL, 100UL, 200UL}) {
      const std::string text = render_hits(JsonView(answer), {.colour = colour, .terminal = true, .width = width});
      std::size_t seen = 0;
      for (const std::string& line : lines_of(text)) {
        EXPECT_LE(shown_width(line), width) << line;
        if (line.find("needle") != std::string::npos) ++seen;
      }
      EXPECT_EQ(2U, seen) << text;
      EXPECT_EQ(colour, text.find("\x1b[1;31mneedle\x1b[0m") != std::string::npos) << text;
    }
  }
  const std::string file = render_hits(JsonView(answer), {});
  EXPECT_NE(std::string::npos, file.find(before + "needle" + after)) << "nothing is cut where there is no terminal";
}

TEST(RenderHits, transcript_text_cannot_move_the_cursor) {
  const std::string answer = R"({"hits":[)" + hit(R"(\u001b[2Jneedle\u202e\r)", 4, 10) + R"(],"sessions":1,"total":1})";
  for (const bool colour : {false, true}) {
    const std::string text = render_hits(JsonView(answer), {.colour = colour, .terminal = true, .width = 90});
    EXPECT_EQ(std::string::npos, text.find("\x1b[2J")) << text;
    EXPECT_EQ(std::string::npos, text.find("\xE2\x80\xAE")) << text;
    EXPECT_EQ(std::string::npos, text.find('\r')) << text;
  }
}

std::string row(const std::string& key, std::int64_t out, const std::string& more = "") {
  return R"({"key":")" + key +
         R"(","sessions":45,"messages":9,"prompts":175,"answers":617,"tool_calls":835,"tool_results":835,"usage":{"input":1250000,"output":)" +
         std::to_string(out) + R"(,"cache_read":2500000000,"cache_write":50000})" + more + "}";
}

TEST(RenderStats, every_line_fits_the_terminal) {
  const std::string answer = R"({"by":"project","rows":[)" +
                             row("/home/dev/work/with/a/name/that/is/far/too/long/for/it/project-7", 123456) + "," +
                             row("", 1) + R"(],"total":)" + row("", 123457) + "}";
  for (const std::size_t width : {72UL, 80UL, 100UL, 200UL}) {
    const auto lines = lines_of(render_stats(JsonView(answer), {.terminal = true, .width = width}));
    ASSERT_EQ(5U, lines.size());
    for (const std::string& line : lines) EXPECT_LE(shown_width(line), width) << line;
    EXPECT_NE(std::string::npos, lines[1].find("project-7")) << "the end of a path is what tells it from others";
    EXPECT_NE(std::string::npos, lines[1].find("123.5k")) << lines[1];
    EXPECT_NE(std::string::npos, lines[1].find("1.2M")) << lines[1];
    EXPECT_NE(std::string::npos, lines[1].find("2.5G")) << lines[1];
    EXPECT_EQ(width == 200, lines[1].find("█") != std::string::npos) << "bars where there is room: " << lines[1];
    EXPECT_EQ(width == 200, lines[0].ends_with("  by out")) << lines[0];
    EXPECT_EQ(width == 200, lines[1].starts_with("/home/dev/")) << "no path is cut for a bar: " << lines[1];
    EXPECT_NE(std::string::npos, lines[2].find("(not known)"));
    EXPECT_EQ(std::string::npos, lines[3].find("█")) << "a total is not compared";
    EXPECT_EQ(std::string::npos, lines[0].find("cost")) << "no cost is known";
  }
}

TEST(RenderStats, columns_give_way_to_a_long_name) {
  const auto head_and_first = [](const std::string& model) {
    const std::string answer = R"({"by":"model","rows":[)" + row(model, 123456, R"(,"cost_usd":1.5)") +
                               R"(],"total":)" + row("", 123456, R"(,"cost_usd":1.5)") + "}";
    auto lines = lines_of(render_stats(JsonView(answer), {.terminal = true, .width = 80}));
    for (const std::string& line : lines) EXPECT_LE(shown_width(line), 80u) << line;
    return std::pair(lines[0], lines[1]);
  };
  const auto [short_head, short_row] = head_and_first("gpt-5.5");
  for (const char* const figure : {"sessions", "answers", "in", "written", "cached", "out", "cost $"})
    EXPECT_NE(std::string::npos, short_head.find(figure)) << "what the cost is made of stays: " << short_head;
  const auto [head, first] = head_and_first("claude-sonnet-5-5-20261101");
  EXPECT_TRUE(first.starts_with("claude-sonnet-5-5-20261101  ")) << first;
  EXPECT_EQ(std::string::npos, head.find("tools"));
  for (const char* const still : {"in", "written", "cached", "out", "cost $"})
    EXPECT_NE(std::string::npos, head.find(still)) << head;
  EXPECT_TRUE(head_and_first(std::string(60, 'm')).second.starts_with("mmmmmmm")) << "cut at its end";
}

TEST(RenderStats, costs_are_shown_as_recorded_or_as_estimated) {
  const std::string answer = R"({"by":"day","rows":[)" + row("2026-11-14", 5, R"(,"cost_usd":1.255)") + "," +
                             row("2026-11-15", 5, R"(,"estimated_usd":2.5)") + R"(],"total":)" +
                             row("", 10, R"(,"cost_usd":1.255,"estimated_usd":2.5)") + "}";
  const auto lines = lines_of(render_stats(JsonView(answer), {.width = 120}));
  EXPECT_NE(std::string::npos, lines[0].find("cost $"));
  EXPECT_NE(std::string::npos, lines[1].find(" 1.25")) << lines[1];
  EXPECT_NE(std::string::npos, lines[2].find("~2.50")) << lines[2];
  EXPECT_NE(std::string::npos, lines[3].find("~3.7")) << lines[3];
}

}  // namespace
}  // namespace holdfast::inline v1
