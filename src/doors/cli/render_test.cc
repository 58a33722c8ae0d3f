#include "doors/cli/render.h"

#include <gtest/gtest.h>

#include <vector>

#include "doors/cli/columns.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

const std::string kRuns = R"({"schema_version":1,"runs":[)"
                          R"({"id":"run_0123456789abcdef","agent_id":"agent_0123456789","status":"completed",)"
                          R"("detail":"built everything, ran the tests, and then wrote down what had been found"},)"
                          R"({"id":"run_1","agent_id":"a","status":"failed","detail":"short"}],"total":2,"next":null})";

TEST(RenderTable, ShortensTheWidestColumn) {
  const auto lines = lines_of(render(JsonView(kRuns), {.terminal = true, .width = 80}));
  ASSERT_EQ(3u, lines.size());
  for (const std::string& line : lines) EXPECT_LE(shown_width(line), 80u) << line;
  EXPECT_EQ(80u, shown_width(lines[1])) << "no more than needed";
  EXPECT_TRUE(lines[1].starts_with("run_0123456789abcdef  agent_0123456789  completed")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with("…")) << lines[1];
  EXPECT_EQ(lines[0].find("detail"), lines[2].find("short"));
}

// Columns after a long text are still visible, and so is the end of a path.
TEST(RenderTable, KeepsColumnsAfterLongText) {
  const std::string deep = "/home/dev/work/with/a/very/long/name/of/a/folder/that/goes/on/for/ever/project-7";
  const std::string findings = R"({"places":[{"file":")" + deep +
                               R"(","offset":871,"length":12,"kind":"torn","consequence":)"
                               R"("a record ends in the middle of the log and what follows is shown"}],"total":1})";
  const auto lines = lines_of(render(JsonView(findings), {.terminal = true, .width = 80}));
  ASSERT_EQ(2u, lines.size());
  EXPECT_LE(shown_width(lines[1]), 80u) << lines[1];
  for (const char* const part : {"project-7 ", " 871 ", " 12 ", " torn ", "a record ends"})
    EXPECT_NE(std::string::npos, lines[1].find(part)) << part << "\n" << lines[1];
  const auto piped = lines_of(render(JsonView(findings), {}));
  EXPECT_NE(std::string::npos, piped[1].find(deep));
  EXPECT_TRUE(piped[1].ends_with("what follows is shown")) << piped[1];
}

TEST(RenderTable, FitsWideCharactersOnNarrowTerminals) {
  const std::string items =
      R"({"items":[{"status":"open","title":"日本語の長い題名がここにあります、とても長い","description":)"
      R"("\u001b[31mwords that are long enough to be in the way of everything else here"}],"total":1})";
  for (std::size_t width = 1; width < 120; ++width) {
    const std::string text = render(JsonView(items), {.terminal = true, .width = width});
    for (const std::string& line : lines_of(text)) EXPECT_LE(shown_width(line), width) << line;
    EXPECT_EQ(std::string::npos, text.find('\x1b'));
  }
}

// A value is shown although the first row has no such field.
TEST(RenderTable, HasColumnsForFieldsOfOtherRows) {
  const std::string steps =
      R"({"steps":[{"name":"a","at":1,"note":""},{"name":"b","action":"wrote","skipped":null,"parts":[1]},)"
      R"({"at":3,"name":"c","empty":"","by":"me"}],"total":3})";
  EXPECT_EQ(render(JsonView(steps), {}),
            "name  at  note  action  by\n"
            "a     1\n"
            "b               wrote\n"
            "c     3                 me\n");
}

TEST(RenderTable, ShowsTheFirstFieldsOfEqualRows) {
  const std::string rows = R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6})";
  EXPECT_EQ(render(JsonView(R"({"rows_of":[)" + rows + "," + rows + R"(],"total":2})"), {}),
            "a  b  c  d  e\n1  2  3  4  5\n1  2  3  4  5\n");
}

TEST(RenderTable, FieldsThatAreTooManyShareTheLastColumn) {
  std::string rows = R"({"name":"first"})";
  for (int i = 0; i < 14; ++i) rows += R"(,{"name":"n","k)" + std::to_string(i) + R"(":)" + std::to_string(i) + "}";
  const auto lines = lines_of(render(JsonView(R"({"steps":[)" + rows + R"(],"total":15})"), {}));
  ASSERT_EQ(16u, lines.size());
  EXPECT_TRUE(lines[0].ends_with("  k10  (more)")) << lines[0];
  EXPECT_TRUE(lines[14].ends_with(" k12: 12")) << lines[14];
  EXPECT_TRUE(lines[15].ends_with(" k13: 13")) << lines[15];
}

TEST(RenderLines, ValuesAreNotCut) {
  const std::string path = "/" + std::string(300, 'p');
  EXPECT_EQ("path: " + path + "\n", render(JsonView(R"({"path":")" + path + "\"}"), {.terminal = true, .width = 80}));
}

}  // namespace
}  // namespace holdfast::inline v1
