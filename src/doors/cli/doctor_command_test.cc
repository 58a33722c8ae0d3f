#include "doors/cli/doctor_command.h"

#include <gtest/gtest.h>

#include "api/agents.h"
#include "api/doctor.h"
#include "doors/cli/local_time.h"

namespace holdfast::inline v1 {
namespace {

std::string text_of(const DoctorReport& report, std::size_t width = 0) {
  const std::string answer = doctor_json(report);
  return doctor_text(JsonView(answer), false, width);
}

TEST(DoctorText, ReportsProblemsFromFigures) {
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
  store.copied_aside = 2;
  store.damaged = 3;
  add_problems(report, store);
  ASSERT_EQ(report.problems.size(), 4U);
  EXPECT_EQ(report.problems[0].kind, DoctorProblem::Kind::damage);
  report.stores.push_back(store);
  report.problems.push_back({DoctorProblem::Kind::note, "/home/meadow", "is not the home of me"});
  const std::string text = text_of(report);
  EXPECT_NE(text.find("only 1.0 MB free"), std::string::npos) << text;
  EXPECT_NE(text.find("holdfast:~/data"), std::string::npos) << text;
  EXPECT_NE(text.find("/home/meadow"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(DoctorText, PrintsASingleDayOnce) {
  DoctorReport report;
  DoctorStore store;
  store.sessions = 2;
  store.oldest = store.newest = "2026-11-15T01:00:00.000Z";
  report.stores = {store};
  EXPECT_NE(text_of(report).find("2 sessions, 2026-11-15\n"), std::string::npos);
  report.stores[0].oldest = "2026-11-14T23:00:00.000Z";
  EXPECT_NE(text_of(report).find("2 sessions, 2026-11-14 to 2026-11-15\n"), std::string::npos);
}

TEST(DoctorText, WrapsBetweenWords) {
  DoctorReport report;
  const std::string path = "/" + std::string(90, 'p');
  report.problems.push_back(
      {DoctorProblem::Kind::note, path, "other users of this machine can read it; chmod 700 fixes that, and so on"});
  const std::string text = text_of(report, 40);
  EXPECT_NE(text.find("- " + path + ":\n  other users of this machine can read\n  it; chmod 700"), std::string::npos)
      << text;
  EXPECT_NE(text_of(report).find(": other users of this machine can read it; chmod 700"), std::string::npos);
}

TEST(DoctorText, ShowsLiveAndDeadLeaseHolders) {
  DoctorReport report;
  DoctorStore store;
  store.layout = "holdfast";
  store.agent = "Holdfast";
  store.root = "/data";
  store.leases = 2;
  store.holders = {{"session-ses_1", true, 4242, "2026-11-15T12:00:00.000Z"}, {"session-ses_2", false, 17, ""}};
  report.stores.push_back(store);
  const std::string text = text_of(report);
  EXPECT_NE(
      text.find("; 2 leases\n  session-ses_1: process 4242, since " + local_time("2026-11-15T12:00:00Z") + ", lives\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  session-ses_2: process 17, since an unknown time, is gone;"), std::string::npos) << text;
  EXPECT_NE(doctor_json(report).find(R"("leases":2,"holders":[{"name":"session-ses_1","alive":true,"pid":4242,)"
                                     R"("since":"2026-11-15T12:00:00.000Z"},{"name":"session-ses_2","alive":false,)"
                                     R"("pid":17,"since":null}])"),
            std::string::npos)
      << doctor_json(report);
}

}  // namespace
}  // namespace holdfast::inline v1
