#include "doors/cli/render_verify.h"

#include <gtest/gtest.h>

#include "doors/cli/columns.h"

namespace holdfast::inline v1 {
namespace {

std::string place(const std::string& session, const std::string& file, int offset, const std::string& kind) {
  return R"({"store":"claude-code:/home/dev/.claude","session":")" + session + R"(","file":")" + file +
         R"(","offset":)" + std::to_string(offset) + R"(,"length":5,"kind":")" + kind +
         R"(","consequence":"several records, or a piece of one, on one line; 2 whole records in it are read","salvaged":2})";
}

TEST(RenderVerify, every_place_is_complete_and_fits_any_terminal) {
  const std::string deep = "projects/-home-dev-work-with-a-very-long-name-of-a-project/aaaa.jsonl";
  const std::string answer =
      R"({"sessions":2,"files":1,"records":1901,"bytes":7690876,"damage":[)" + place("aaaa", deep, 871, "torn") + "," +
      place("aaaa", deep, 2428, "glued") + "," + place("bbbb", "b\\u001b[2J.jsonl", 1, "orphan_message") +
      R"(],"total":3,"next":null,"notes":[)" + place("cccc", "c.jsonl", 9, "open_call") + R"(],"notes_total":1})";
  for (const std::size_t width : {72UL, 80UL, 200UL}) {
    const std::string text = render_verify(JsonView(answer), {.terminal = true, .width = width});
    std::string words;  // what is read when the lines are joined
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      EXPECT_LE(shown_width(line), width) << line;
      for (const char c : line + " ") {
        if (c != ' ' || !words.ends_with(' ')) words.push_back(c);
      }
    }
    EXPECT_NE(std::string::npos, words.find("2 sessions, 1 file, 1901 records, 7.3 MB: 3 damaged places")) << words;
    for (const char* const part :
         {"at 871 torn several records, or a piece of one, on one line; 2 whole records in it are read",
          "at 2428 glued several", "aaaa.jsonl", "bbbb claude-code", "1 note, no damage",
          "1 open_call a tool was called, but nothing follows the call, e.g. in cccc"})
      EXPECT_NE(std::string::npos, words.find(part)) << part << "\n" << text;
    EXPECT_EQ(text.find("aaaa  claude-code"), text.rfind("aaaa  claude-code")) << "a session is named once";
    EXPECT_EQ(std::string::npos, text.find("\x1b[2J"));
  }
}

TEST(RenderVerify, shows_an_offset_only_where_there_is_one) {
  const auto shown = [](const std::string& file, const std::string& offset, const std::string& length) {
    const std::string text =
        render_verify(JsonView(R"({"damage":[{"store":"s:/r","session":"a","file":")" + file + R"(","offset":)" +
                               offset + R"(,"length":)" + length +
                               R"(,"kind":"odd","consequence":"what it means"}],"total":1,"notes_total":0})"),
                      {});
    const std::size_t line = text.find(file) + file.size() + 1;
    return text.substr(line, text.find('\n', line) - line);
  };
  EXPECT_EQ("    at 0        odd             what it means", shown("a.jsonl", "0", "12"));
  EXPECT_EQ("    at 7        odd             what it means", shown("a.jsonl", "7", "0"));
  EXPECT_EQ("                odd             what it means", shown("a.jsonl", "0", "0")) << "all of the file";
  EXPECT_EQ("                odd             what it means", shown("opencode.db", "0", "0"));
  EXPECT_EQ("    row 7       odd             what it means", shown("agent.sqlite", "7", "0"));
}

TEST(RenderVerify, reports_no_damage) {
  EXPECT_EQ("1 session, 1 file, 2 records, 1 KB: no damage\n",
            render_verify(JsonView(R"({"sessions":1,"files":1,"records":2,"bytes":1000,"damage":[],"total":0,)"
                                   R"("next":null,"notes":[],"notes_total":0})"),
                          {}));
}

}  // namespace
}  // namespace holdfast::inline v1
