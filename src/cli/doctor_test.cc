#include "cli/doctor.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Doctor, KnowsWhichAgentsDelete) {
  EXPECT_EQ(deletes_after("claude-code", ""), 30);
  EXPECT_EQ(deletes_after("claude-code", R"({"cleanupPeriodDays":90})"), 90);
  EXPECT_EQ(deletes_after("claude-code", R"({"cleanupPeriodDays":"soon"})"), 30);
  EXPECT_EQ(deletes_after("gemini", "{}"), 30);
  EXPECT_EQ(deletes_after("gemini", R"({"general":{"sessionRetention":{"enabled":false}}})"), 0);
  EXPECT_EQ(deletes_after("gemini", R"({"general":{"sessionRetention":{"maxAge":"2w"}}})"), 14);
  EXPECT_EQ(deletes_after("codex", ""), 0);
  EXPECT_EQ(deletes_after("holdfast", ""), 0);
}

TEST(Doctor, FiguresBecomeProblems) {
  DoctorReport report;
  report.home = "/home/me";
  DoctorStore store;
  store.layout = "holdfast";
  store.agent = "Holdfast";
  store.root = "/home/me/data";
  store.file_system = "ext4";
  store.free_bytes = std::uint64_t{1} << 40;
  add_problems(report, store);
  EXPECT_TRUE(report.problems.empty());
  store.free_bytes = 1 << 20;
  store.unfinished = 1;
  store.set_aside = 2;
  store.damaged = 3;
  add_problems(report, store);
  ASSERT_EQ(report.problems.size(), 4U);
  EXPECT_EQ(report.problems[0].kind, DoctorProblem::Kind::damage);
  report.stores.push_back(store);
  report.problems.push_back({DoctorProblem::Kind::note, "/home/meadow", "is not the home of me"});
  const std::string text = doctor_text(report, false);
  EXPECT_NE(text.find("only 1.0 MB are free"), std::string::npos) << text;
  EXPECT_NE(text.find("holdfast:~/data"), std::string::npos) << text;
  EXPECT_NE(text.find("/home/meadow"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
