#include "doors/cli/answer_notes.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(AnswerNotes, PrintsWarningsCorrectionsDriftAndPruned) {
  const std::string answer =
      R"({"id":"a","warnings":["no such directory"],"corrections":["Sync corrected: x"],"pruned":["a-1","a-2"],)"
      R"("drift":{"known":true,"specification":"s.md","sections":[{"header":"A","is_new":false,"is_removed":false},)"
      R"({"header":"B","is_new":true,"is_removed":false},{"header":"C","is_new":false,"is_removed":true}]}})";
  EXPECT_EQ(notes_of(JsonView(answer)),
            "warning: no such directory\nSync corrected: x\n"
            "warning: s.md has changed since the session was last saved: changed \"A\", new \"B\", removed \"C\"\n"
            "pruned 2 sessions: a-1, a-2\n");
  EXPECT_EQ(notes_of(JsonView(R"({"id":"a","warnings":[],"findings":[],"drift":{"sections":[]}})")), "");
}

TEST(AnswerNotes, FindingsOfSearchAndListBecomeWarnings) {
  const std::string findings =
      R"("findings":[{"file":"/a","kind":"permission_denied","consequence":"this store is left out: cannot list"},)"
      R"({"file":"/b","offset":7,"kind":"not_json","consequence":"a line that is no JSON"}]})";
  EXPECT_EQ(notes_of(JsonView(R"({"query":"x","hits":[],)" + findings)),
            "warning: /a: this store is left out: cannot list\nwarning: /b, byte 7: a line that is no JSON\n");
  EXPECT_EQ(notes_of(JsonView(R"({"sessions":[],)" + findings)),
            "warning: /a: this store is left out: cannot list\nwarning: /b, byte 7: a line that is no JSON\n");
}

TEST(AnswerNotes, ExcessFindingsAreCounted) {
  std::string answer = R"({"sessions":[],"findings":[)";
  for (int i = 0; i < 13; ++i)
    answer += std::string(i == 0 ? "" : ",") + R"({"file":"/a","kind":"io_error","consequence":"x"})";
  const std::string lines = notes_of(JsonView(answer + "]}"));
  EXPECT_TRUE(lines.ends_with("warning: and 3 more like these; --json lists them\n")) << lines;
}

TEST(AnswerNotes, RequestedFindingsAreDataNotNotes) {
  const JsonView findings(R"({"schema_version":1,"name":"s","findings":[{"file":"/a","kind":"corrupt"}]})");
  EXPECT_FALSE(is_note(findings, "findings"));
  EXPECT_EQ(notes_of(findings), "");
  const JsonView pruned(R"({"schema_version":1,"retention":10,"pruned":["a"]})");
  EXPECT_FALSE(is_note(pruned, "pruned"));
  EXPECT_TRUE(is_note(JsonView(R"({"id":"a","pruned":["a"]})"), "pruned"));
}

}  // namespace
}  // namespace holdfast
