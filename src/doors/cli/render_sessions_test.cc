#include "doors/cli/render_sessions.h"

#include <gtest/gtest.h>

#include "base/time.h"
#include "doors/cli/columns.h"
#include "doors/cli/list_table.h"

namespace holdfast::inline v1 {
namespace {

const auto kNow = *parse_iso8601("2026-11-15T12:00:00Z");

TEST(RenderSessions, AgesAreShort) {
  EXPECT_EQ(short_age("2026-11-15T11:59:50Z", kNow), "now");
  EXPECT_EQ(short_age("2026-11-15T11:00:00Z", kNow), "1h ago");
  EXPECT_EQ(short_age("2026-11-15T11:15:00Z", kNow), "45m ago");
  EXPECT_EQ(short_age("2026-11-10T12:00:00Z", kNow), "5d ago");
  EXPECT_EQ(short_age("2026-01-01T12:00:00Z", kNow), "2026-01-01");
  EXPECT_EQ(short_age("2027-01-01T12:00:00Z", kNow), "2027-01-01");
  EXPECT_EQ(short_age("yesterday", kNow), "");
}

TEST(RenderSessions, IdsAreShortenedToUniquePrefixes) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(short_ids({"aaaaaaaaaa", "bbbbbbbbbb"}, 4), (Ids{"aaaa", "bbbb"}));
  EXPECT_EQ(short_ids({"01a1dcd6-6e4d", "01a1dcd6-7777", "x"}, 4), (Ids{"01a1dcd6-6", "01a1dcd6-7", "x"}));
  EXPECT_EQ(short_ids({"abc", "abcdef"}, 2), (Ids{"abc", "abcd"}));
  EXPECT_EQ(short_ids({"01a1dcd6-6e4d"}, 4, {"01a1dcd6-6fff", "x"}), (Ids{"01a1dcd6-6e"})) << "one that is not shown";
  EXPECT_EQ(short_ids({"same", "same", "samf"}, 2), (Ids{"same", "same", "samf"})) << "one id in two stores";
}

TEST(RenderSessions, HostileTitlesStayInTheirColumn) {
  const std::string answer =
      R"({"sessions":[{"id":"aaaaaaaaaa","layout":"codex","status":"running","updated_at":"2026-11-15T11:00:00Z",)"
      R"("project":"/srv/project","counts":{"user":3},"title":"evil\u001b[2J\u001b]0;owned\u0007 \u202etitle\nsecond"},)"
      R"({"id":"bbbbbbbbbb","layout":"claude-code","status":"interrupted","updated_at":"2026-11-15T11:00:00Z",)"
      R"("title":"日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語"},)"
      R"({"id":"cccccccccc","layout":"codex","status":"active","updated_at":"","title":"  ",)"
      R"("first_prompt":"z\u0336\u0336\u0336a\u0336\u0336l"}],"total":3,"next":null})";
  for (const std::size_t width : {20UL, 40UL, 80UL, 120UL, 200UL}) {
    for (const bool colour : {false, true}) {
      const std::string text =
          render_sessions(JsonView(answer), {.colour = colour, .terminal = true, .width = width}, kNow);
      std::size_t lines = 0;
      std::string_view rest = text;
      while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        EXPECT_LE(shown_width(line), width) << line;
        ++lines;
      }
      EXPECT_EQ(lines, 4U) << text;
      EXPECT_EQ(text.find("\x1b[2J"), std::string::npos);
      EXPECT_EQ(text.find("\x1b]"), std::string::npos);
      EXPECT_EQ(text.find("\u202e"), std::string::npos);
    }
  }
  const std::string wide = render_sessions(JsonView(answer), {.colour = false, .terminal = true, .width = 200}, kNow);
  EXPECT_NE(wide.find("/srv/project"), std::string::npos) << wide;
  const std::string narrow = render_sessions(JsonView(answer), {.colour = false, .terminal = true, .width = 80}, kNow);
  EXPECT_EQ(narrow.find("/srv/project"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("evil title second"), std::string::npos) << narrow;
}

// Rows as an answer has them, and the same where they stand in an index.
std::vector<SessionView> odd_rows() {
  static const std::string long_text(300, 'x'), edge(200, 'y');
  std::vector<SessionView> rows;
  for (const std::string_view text :
       {std::string_view("plain"), std::string_view(""), std::string_view("   "), std::string_view("a \"b\" \\ c"),
        std::string_view("evil\x1b[2J\x1b]0;owned\x07 \u202etitle\nsecond\tthird"), std::string_view("\x7f"),
        std::string_view("日本語 z\u0336 \u2028"), std::string_view("broken \xff\xfe \xed\xa0\x80"),
        std::string_view("nul \0 inside", 12), std::string_view(long_text), std::string_view(edge)}) {
    for (const bool titled : {true, false}) {
      SessionView& row = rows.emplace_back();
      row.id = rows.size() % 2 == 0 ? text : "0190d6f2-aaaa-7bbb-8ccc-0123456789ab";
      row.layout = titled ? "claude-code" : text;
      row.project = text;
      row.title = titled ? text : "";
      row.first_prompt = text;
      row.status = static_cast<Status>(rows.size() % 7);
      row.updated_at = titled ? "2026-11-15T11:00:00.000Z" : text;
      row.counted = rows.size() % 3 != 0;
      row.counts.user = static_cast<std::int64_t>(rows.size());
    }
  }
  return rows;
}

std::string json_of(const SessionView& row) {
  JsonWriter json;
  write_session(json, row);
  return json.take();
}

TEST(RenderSessions, TitleIsKeptBesideLongIds) {
  const std::string one = R"("layout":"codex","status":"active","updated_at":"2026-11-15T11:00:00Z",)"
                          R"("project":"/srv/a/rather/long/project","counts":{"user":3},"title":"the title"})";
  const std::string answer = R"({"sessions":[{"id":"aaaaaaaa-0000-4000-8000-000000000001",)" + one +
                             R"(,{"id":"aaaaaaaa-0000-4000-8000-000000000002",)" + one + R"(],"total":2,"next":null})";
  for (const std::size_t width : {80UL, 100UL, 120UL}) {
    const std::string text = render_sessions(JsonView(answer), {.terminal = true, .width = width}, kNow);
    EXPECT_NE(text.find("aaaaaaaa-0000-4000-8000-000000000002"), std::string::npos) << text;
    EXPECT_NE(text.find("the title\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("/srv/a/rather/long/project") != std::string::npos, width == 120) << text;
  }
}

TEST(RenderSessions, RowRendersLikeItsJson) {
  for (const std::size_t width : {0UL, 20UL, 80UL, 200UL}) {
    for (const bool colour : {false, true}) {
      const RenderStyle style{.colour = colour, .terminal = width > 0, .width = width};
      SessionScreen screen(style, kNow), of_json(style, kNow);
      ListTable table("sessions", {}), table_of_json("sessions", {});
      for (const SessionView& row : odd_rows()) {
        const std::string json = json_of(row);
        screen.add(row);
        of_json.add(JsonView(json));
        add_session(table, row);
        table_of_json.add(JsonView(json));
        EXPECT_EQ(table.text(style), table_of_json.text(style)) << json;
      }
      EXPECT_EQ(screen.text(), of_json.text());
    }
  }
}

TEST(RenderSessions, WritesNulTerminatedNames) {
  std::string names;
  for (const std::string_view id : {std::string_view("a"), std::string_view("b\0", 2), std::string_view("b \xff")}) {
    SessionView row;
    row.id = id;
    row.layout = "codex";
    append_nul_terminated_name(names, row);
  }
  EXPECT_EQ(names, std::string("codex/a\0codex/b \xEF\xBF\xBD\0", 20));
}

TEST(RenderSessions, FewLongIdsDoNotWidenTheColumn) {
  std::string sessions;
  for (const char* const id : {"aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002",
                               "bbbbbbbb", "cccccccc", "dddddddd"})
    sessions += (sessions.empty() ? "" : ",") + (R"({"id":")" + std::string(id)) +
                R"(","layout":"codex","status":"active","updated_at":"2026-01-01T00:00:00Z","title":"the title"})";
  const std::string answer = R"({"sessions":[)" + sessions + R"(],"total":5})";
  const std::string text = render_sessions(JsonView(answer), {.terminal = true, .width = 80}, {});
  EXPECT_NE(text.find("\nbbbbbbbb          "), std::string::npos) << text;
  EXPECT_EQ(text.find("\nbbbbbbbb                 "), std::string::npos) << text;
  EXPECT_NE(text.find("\naaaaaaaa-0000-4000-8000-000000000002\n" + std::string(18, ' ') + "20"), std::string::npos)
      << "never cut, and the other columns stay: " << text;
}

}  // namespace
}  // namespace holdfast::inline v1
