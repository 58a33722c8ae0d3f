// The side-car: written by SideCar, read by verify_checksums.
#include <gtest/gtest.h>
#include <holdfast/checksums.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "crash/disk/sim_file_system.h"
#include "disk/side_car.h"

namespace holdfast {
namespace {

using namespace std::string_literals;

// Appends whole lines to a log and its side-car, as the log's writer does.
class Checksums : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Root::open({}, sim, "/root", {.create = true});
    ASSERT_TRUE(opened) << opened.error().text();
    root = *opened;
    put("");
    path = "/root/" + side_car_path(*root, "log");
  }

  SideCar side_car() {
    auto opened = SideCar::open({}, *root, "log");
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }

  void put(const std::string& bytes) { ASSERT_TRUE(sim.put_file("/root/log", log = bytes)); }

  void append(SideCar& to, const std::string& bytes) {
    ASSERT_TRUE(to.add(log.size(), bytes));
    put(log + bytes);
  }

  ChecksumReport verify() {
    auto report = verify_checksums({}, *root, "log");
    EXPECT_TRUE(report) << report.error().text();
    return report ? std::move(*report) : ChecksumReport{};
  }

  std::string sums() { return sim.read_file(path).value_or(""); }
  void put_sums(const std::string& bytes) { ASSERT_TRUE(sim.put_file(path, bytes)); }

  void three_lines() {
    SideCar car = side_car();
    append(car, "{\"n\":1}\n");
    append(car, "{\"text\":\"two\"}\n{\"n\":2}\n");
    append(car, "{\"n\":3}\n");
  }

  SimFileSystem sim;
  std::shared_ptr<Root> root;
  std::string log;
  std::string path;
};

std::size_t count(const ChecksumReport& report, std::string_view kind) {
  return static_cast<std::size_t>(std::ranges::count(report.findings, kind, &Finding::kind));
}

TEST_F(Checksums, LogWithoutSideCarIsNotCovered) {
  put("{\"a\":1}\n");
  const ChecksumReport report = verify();
  EXPECT_EQ(report.covered, 0U);
  EXPECT_EQ(report.uncovered, 8U);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(verify_checksums({}, *root, "absent").error().code, Code::not_found);
}

TEST_F(Checksums, AppendedLinesAreCovered) {
  three_lines();
  const ChecksumReport report = verify();
  EXPECT_EQ(report.covered, log.size());
  EXPECT_EQ(report.uncovered, 0U);
  EXPECT_TRUE(report.findings.empty());
}

// The worked example of docs/formats/checksums.md.
TEST_F(Checksums, MatchesDocumentedExample) {
  SideCar car = side_car();
  append(car, "{\"n\":1}\n");
  append(car, "{\"n\":2}\n");
  EXPECT_EQ(sums(), "0 8 d53bd354 921bc203\n8 8 3f151327 aeec2ecd\n");
}

TEST_F(Checksums, ForeignLinesAreUncoveredNotWrong) {
  SideCar car = side_car();
  append(car, "{\"n\":1}\n");
  put(log + "{\"foreign\":1}\n");
  append(car, "{\"n\":2}\n");
  put(log + "{\"foreign\":2}\n");
  const ChecksumReport report = verify();
  EXPECT_EQ(report.covered, 16U);
  EXPECT_EQ(report.uncovered, 28U);
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(Checksums, EveryFlippedBitOfTheLogIsReported) {
  three_lines();
  const std::string good = log;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      put(bytes);
      const ChecksumReport report = verify();
      ASSERT_EQ(report.findings.size(), 1U);
      const Finding& finding = report.findings[0];
      ASSERT_EQ(finding.kind, "checksum");
      ASSERT_EQ(finding.file, "log");
      ASSERT_LE(finding.offset, at);
      ASSERT_GT(finding.offset + finding.length, at);
      ASSERT_EQ(report.covered, good.size());
    }
  }
}

// A damaged side-car is distinguished from a damaged log, and affects only the neighboring lines.
TEST_F(Checksums, EveryFlippedBitOfTheSideCarIsReportedAsSuch) {
  SideCar car = side_car();
  for (int number = 0; number < 6; ++number) append(car, "{\"n\":" + std::to_string(number) + "}\n");
  const std::string good = sums();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      put_sums(bytes);
      const ChecksumReport report = verify();
      ASSERT_EQ(count(report, "checksum"), 0U) << at << " " << bit;
      ASSERT_GE(count(report, "side_car"), 1U) << at << " " << bit;
      ASSERT_GE(report.covered, 32U) << at << " " << bit;
      ASSERT_EQ(report.covered + report.uncovered, log.size());
      ASSERT_EQ(report.findings[0].file, side_car_path(*root, "log"));
      ASSERT_LE(report.findings[0].offset, at);
    }
  }
}

TEST_F(Checksums, NextAddRepairsTornSideCar) {
  SideCar car = side_car();
  append(car, "{\"n\":1}\n");
  append(car, "{\"n\":2}\n");
  const std::string good = sums();
  const std::string start = log;
  const std::size_t first = good.find('\n') + 1;
  for (const std::string& filler : {""s, std::string(10, '\0'), std::string(200, '\0'), "\0\n"s}) {
    for (std::size_t cut = first; cut <= good.size(); ++cut) {
      put_sums(good.substr(0, cut) + filler);
      put(start);
      append(car, "{\"n\":3}\n");  // a writer that was already open
      SideCar other = side_car();  // and a new one
      append(other, "{\"n\":4}\n");
      append(car, "{\"n\":5}\n");
      const ChecksumReport report = verify();
      ASSERT_EQ(count(report, "checksum"), 0U);
      // A line that lacks only its newline is completed by the newline of the next.
      const bool second = filler.empty() ? cut + 1 >= good.size() : cut == good.size();
      ASSERT_EQ(report.covered, second ? 40U : 32U) << cut << " " << filler.size();
      ASSERT_EQ(count(report, "side_car"), filler.empty() && (second || cut == first) ? 0U : 1U) << cut;
    }
  }
}

TEST_F(Checksums, AlternatingWritersMatchASingleWriter) {
  SideCar one = side_car();
  SideCar two = side_car();
  for (int round = 0; round < 5; ++round) {
    append(one, "{\"one\":1}\n");
    append(two, "{\"two\":2}\n");
    append(two, "{\"two\":3}\n");
  }
  // The same bytes as from one writer.
  const std::string taken_in_turn = sums();
  put_sums("");
  SideCar alone = side_car();
  put("");
  for (int round = 0; round < 5; ++round) {
    for (const auto* line : {"{\"one\":1}\n", "{\"two\":2}\n", "{\"two\":3}\n"}) append(alone, line);
  }
  EXPECT_EQ(sums(), taken_in_turn);
  const ChecksumReport report = verify();
  EXPECT_EQ(report.covered, log.size());
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(Checksums, FailedAddIsRepairedByTheNext) {
  SideCar car = side_car();
  append(car, "{\"n\":1}\n");
  for (std::uint64_t room = 0; room < 30; ++room) {
    std::uint64_t used = 0;
    for (const SimEntry& entry : sim.tree()) used += entry.kind == FileKind::file ? entry.bytes.size() : 0;
    sim.set_capacity(used + room, 1000);
    const auto added = car.add(log.size(), "{\"full\":1}\n");
    EXPECT_TRUE(added || added.error().code == Code::disk_full);
    sim.set_capacity(1 << 20, 1000);
    if (added) break;
    append(car, "{\"n\":2}\n");
  }
  const ChecksumReport report = verify();
  EXPECT_EQ(count(report, "checksum"), 1U);  // the last add was not in the log
  EXPECT_EQ(report.covered, log.size());
  EXPECT_GT(count(report, "side_car"), 5U);
}

TEST_F(Checksums, RewrittenTailIsCoveredByTheLaterLine) {
  three_lines();
  put(log.substr(0, 8) + "{\"text\":\"two\"}\n");  // cuts the second range in two and removes the third
  SideCar car = side_car();
  append(car, "{\"n\":4}\n");
  const ChecksumReport report = verify();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.covered, 16U);
  EXPECT_EQ(report.uncovered, 15U);
}

TEST_F(Checksums, LaterLineWinsForTheSameRange) {
  SideCar car = side_car();
  ASSERT_TRUE(car.add(0, "{\"n\":0}\n"));
  ASSERT_TRUE(car.add(0, "{\"n\":1}\n"));
  put("{\"n\":1}\n");
  EXPECT_TRUE(verify().findings.empty());
  put("{\"n\":0}\n");
  EXPECT_EQ(count(verify(), "checksum"), 1U);
}

TEST_F(Checksums, RangeBeyondEndOfLogIsReported) {
  three_lines();
  const std::string good = log;
  for (std::size_t size = 0; size < good.size(); ++size) {
    put(good.substr(0, size));
    const ChecksumReport report = verify();
    ASSERT_EQ(count(report, "checksum"), size < 8 ? 3U : size < 31 ? 2U : 1U) << size;
    ASSERT_EQ(report.covered, size);
  }
}

TEST_F(Checksums, LargeRangesAreVerifiedAcrossReads) {
  SideCar car = side_car();
  for (const std::size_t size : {300000U, 262144U - 8U, 1U << 20U, 5U})
    append(car, "{" + std::string(size, ' ') + "}\n");
  EXPECT_EQ(verify().covered, log.size());
  EXPECT_TRUE(verify().findings.empty());
  log[700000] = 'x';
  put(log);
  const ChecksumReport report = verify();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_LE(report.findings[0].offset, 700000U);
}

TEST_F(Checksums, GarbageInTheSideCarIsReported) {
  three_lines();
  put_sums("hello\n\n00 8 00000000 00000000\n0 8 0000000G 00000000\n18446744073709551615 9 00000000 00000000\n" +
           sums() + std::string(200000, 'x') + "\ntail");
  const ChecksumReport report = verify();
  EXPECT_EQ(count(report, "checksum"), 0U);
  EXPECT_EQ(count(report, "side_car"), 7U);
  EXPECT_EQ(report.covered, log.size());
}

TEST(SideCarLine, ParsesOnlyTheCanonicalForm) {
  EXPECT_TRUE(parse_side_car_line("0 8 d53bd354 921bc203"));
  EXPECT_TRUE(parse_side_car_line("18446744073709551607 8 d53bd354 921bc203"));
  for (const auto* text :
       {"", "0", "0 8", "00 8 d53bd354 921bc203", "0 08 d53bd354 921bc203", "0 8 D53bd354 921bc203",
        "0 8 d53bd354 921bc20", "0 8 d53bd354 921bc2033", "0 8 d53bd354  21bc203", "0  8 d53bd354 921bc203",
        "+0 8 d53bd354 921bc203", "-1 8 d53bd354 921bc203", "18446744073709551608 8 d53bd354 921bc203",
        "18446744073709551616 8 d53bd354 921bc203", "0 8 d53bd354 921bc203 ", " 0 8 d53bd354 921bc203"}) {
    EXPECT_FALSE(parse_side_car_line(text)) << text;
  }
}

TEST_F(Checksums, VerifyWritesNothing) {
  three_lines();
  const auto before = sim.tree();
  const auto calls = sim.calls();
  (void)verify();
  EXPECT_EQ(sim.calls(), calls);
  EXPECT_TRUE(before == sim.tree());
}

}  // namespace
}  // namespace holdfast
