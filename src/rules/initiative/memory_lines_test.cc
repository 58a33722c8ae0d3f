#include "rules/initiative/memory_lines.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(MemoryLines, W04_FivePhaseBoundariesUseSeedTexts) {
  EXPECT_EQ(phase_line("APEX", "analyze", "plan", "login"), "Active APEX workflow: analyze completed, planning login");
  EXPECT_EQ(phase_line("APEX", "plan", "implement", "login"),
            "Active APEX workflow: plan approved, implementing login");
  EXPECT_EQ(phase_line("APEX", "implement", "review", "login"),
            "Active APEX workflow: implementation done, reviewing login");
  EXPECT_EQ(phase_line("DEBUG", "troubleshoot", "fix", "login"),
            "Active DEBUG workflow: root cause found, fixing login");
  EXPECT_EQ(phase_line("", "troubleshoot", "implement", "login"),
            "Active DEBUG workflow: root cause found, fixing login");
  EXPECT_EQ(phase_line("", "brainstorm", "design", "login"), "Active BRAINSTORM workflow: exploring → designing login");
}

TEST(MemoryLines, W04_OtherTransitionsUseGeneralFormat) {
  EXPECT_EQ(phase_line("BRAINSTORM", "design", "plan", "the\n api"),
            "Active BRAINSTORM workflow: design completed, planning the api");
  EXPECT_EQ(phase_line("ONESHOT", "implement", "review", "x"),
            "Active ONESHOT workflow: implement completed, reviewing x");
  EXPECT_EQ(phase_line("BRAINSTORM", "brainstorm", "research", "x"),
            "Active BRAINSTORM workflow: brainstorm completed, researching x");
  EXPECT_EQ(phase_line("APEX", "review", "git-commit", "x"), "Active APEX workflow: review completed, committing x");
}

TEST(MemoryLines, W03_FormatsCompletionLine) {
  EXPECT_EQ(completion_line("APEX", "login", "all\ntests green"), "Completed APEX for login: all tests green");
  EXPECT_TRUE(is_terminal_phase("git-commit") && is_terminal_phase("x-archive"));
  EXPECT_FALSE(is_terminal_phase("review"));
}

TEST(MemoryLines, W02_LearningIsAddedOnceUnderItsHeading) {
  const std::string first = with_line("", kInterviewPatterns, "Ask about limits");
  EXPECT_EQ(first, "## Interview Patterns\n\n- Ask about limits\n");
  EXPECT_EQ(with_line(first, kInterviewPatterns, "Ask about limits"), first);
  EXPECT_EQ(with_line("# Notes\n\n* \"Ask about limits\"\n", kInterviewPatterns, "Ask about limits"),
            "# Notes\n\n* \"Ask about limits\"\n");
  const std::string both = "# Memory\n\n## Initiative Patterns\n- one\n\n## Other\ntext";
  EXPECT_EQ(with_line(both, kInitiativePatterns, "two"),
            "# Memory\n\n## Initiative Patterns\n- one\n- two\n\n## Other\ntext");
  EXPECT_EQ(with_line(both, "Other", "two"), "# Memory\n\n## Initiative Patterns\n- one\n\n## Other\ntext\n- two");
}

TEST(MemoryLines, W02_KeepsCrlfAndEmptySections) {
  EXPECT_EQ(with_line("# M\r\n\r\n## Initiative Patterns\r\n\r\n## Next\r\n", kInitiativePatterns, "a"),
            "# M\r\n\r\n## Initiative Patterns\r\n\r\n- a\r\n\r\n## Next\r\n");
  EXPECT_EQ(with_line("x\r\n", "H", "a"), "x\r\n\r\n## H\r\n\r\n- a\r\n");
  EXPECT_EQ(with_line("## Initiative Patterns", kInitiativePatterns, "a"), "## Initiative Patterns\n\n- a");
}

TEST(MemoryLines, W02_IgnoresFencedCode) {
  const std::string code = "```\n- a\n## Initiative Patterns\nActive APEX workflow: x completed, planning y\n```\n";
  EXPECT_EQ(with_line(code, kInitiativePatterns, "a"), code + "\n## Initiative Patterns\n\n- a\n");
  EXPECT_TRUE(active_lines(code).empty());
}

TEST(MemoryLines, W04_ReplacesActiveLineInPlaceAndKeepsOthers) {
  const std::string memory =
      "# M\n- Active APEX workflow: analyze completed, planning login\n"
      "* \"Active DEBUG workflow: root cause found, fixing login\"\n"
      "- Active APEX workflow: analyze completed, planning search\n"
      "tail\n- Active APEX workflow: plan approved, implementing login\n";
  EXPECT_EQ(with_workflow_line(memory, {"APEX", "login"}, "Completed APEX for login: done"),
            "# M\n- Completed APEX for login: done\n"
            "* \"Active DEBUG workflow: root cause found, fixing login\"\n"
            "- Active APEX workflow: analyze completed, planning search\n"
            "tail\n");
  const std::string longer = "- Active APEX workflow: plan approved, implementing login form\n";
  EXPECT_EQ(with_workflow_line(longer, {"APEX", "form"}, "x").find(longer), 0u) << "another workflow's line stays";
  EXPECT_EQ(with_workflow_line("", {"APEX", "login"}, "Active APEX workflow: x"),
            "## Workflow State\n\n- Active APEX workflow: x\n");
  EXPECT_EQ(active_lines(memory).size(), 4u);
}

TEST(MemoryLines, W04_RecognizesPhasesOfSeveralWords) {
  for (const std::string_view phase : {"test run", "pairing session", "plan", "fix"}) {
    const std::string line = "- " + phase_line("APEX", "implement", phase, "billing, all of it") + "\n";
    EXPECT_EQ(with_workflow_line(line, {"APEX", "billing, all of it", phase}, "x"), "- x\n") << line;
    EXPECT_NE(with_workflow_line(line, {"APEX", "all of it", phase}, "x"), "- x\n") << line;
    EXPECT_EQ(without_workflow_line(line, {"APEX", "billing, all of it", phase}), "") << line;
  }
  EXPECT_TRUE(phase_line("APEX", "implement", "test run", "x").ends_with("test running x"));
  EXPECT_EQ(with_workflow_line("- Active APEX workflow: implement completed, test runing x\n", {"APEX", "x"}, "y"),
            "- y\n")
      << "as it was spelled before";
}

}  // namespace
}  // namespace holdfast::inline v1
