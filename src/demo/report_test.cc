#include "demo/report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

DemoReport sample() {
  DemoReport report;
  report.directory = "/tmp/holdfast-demo-abcdef";
  report.file_system = "ext4";
  report.writers = 5;
  report.storm = {8.0, 1231, 657};
  report.acknowledged = 1'182'044;
  report.bytes = 395'000'000;
  report.documents = 71'712;
  report.findings.damage = {{"shared/messages.jsonl", 10, 20, "torn", {}},
                            {"m", 5, 1'000'000, "torn", ".holdfast/corrupt/x"}};
  report.timing = {900, 1024, 52.1, 48.0};
  return report;
}

void expect_width(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
  }
}

TEST(DemoReport, SaysWhatHappened) {
  const std::string text = report_text(sample(), false);
  expect_width(text);
  for (const auto* words : {"Nothing that was acknowledged is lost.", "1,182,044", "395 MB in 8.0 s", "1,231",
                            "1 cut off, 1.0 MB kept in .holdfast/corrupt/", "1 left in shared/messages.jsonl", "52 us",
                            "1.09 x", "/tmp/holdfast-demo-abcdef was removed.", "holdfast demo --keep"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(report_text(sample(), true).find("\033[1;32m"), std::string::npos);
}

TEST(DemoReport, NamesWhereTheFilesAre) {
  auto report = sample();
  report.kept = true;
  const std::string text = report_text(report, false);
  EXPECT_NE(text.find("The files are in /tmp/holdfast-demo-abcdef"), std::string::npos);
  EXPECT_EQ(text.find("was removed"), std::string::npos);
}

TEST(DemoReport, PromisesOnlyWhatWasTested) {
  auto report = sample();
  report.file_system = "tmpfs";
  EXPECT_NE(report_text(sample(), false).find("each safe from power loss"), std::string::npos);
  EXPECT_EQ(report_text(report, false).find("power loss"), std::string::npos);
}

TEST(DemoReport, DoesNotHideALoss) {
  auto report = sample();
  for (int i = 0; i < 9; ++i) report.findings.lost.push_back("msg-1-2-" + std::to_string(i));
  const std::string text = report_text(report, false);
  EXPECT_EQ(text.find("Nothing that was acknowledged is lost."), std::string::npos);
  EXPECT_NE(text.find("msg-1-2-4\n    and 4 more"), std::string::npos) << text;
}

TEST(DemoReport, IsOneJsonDocument) {
  auto report = sample();
  report.findings.lost = {"msg-1-2-3"};
  const std::string text = report_json(report);
  EXPECT_TRUE(check_json(text).ok());
  const JsonView json(text);
  EXPECT_EQ(json.find("schema_version").as_int64(), 1);
  EXPECT_EQ(json.find("acknowledged").as_int64(), 1'182'044);
  EXPECT_EQ(json.find("kills").as_int64(), 1231);
  EXPECT_EQ(json.find("lost").as_int64(), 1);
  EXPECT_EQ(json.find("timing").find("ratio").as_double(), 1.085);
}

TEST(DemoProgress, FitsOnALine) {
  const StormCounts counts{3600, 3600, 99'999'999, 999'999, 9999};
  EXPECT_LE(progress_line(counts, true).size(), 79U) << progress_line(counts, true);
  EXPECT_EQ(progress_line({4, 8, 1204, 17, 2}, true),
            "[#######.......]  4.0 s     1,204 acknowledged    17 kills    2 mended");
}

}  // namespace
}  // namespace holdfast::inline v1
