// The oracle must detect failures: a demo that cannot fail proves nothing.
#include "demo/oracle.h"

#include <gtest/gtest.h>
#include <holdfast/append_log.h>
#include <holdfast/document.h>

#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kLog = "a/messages.jsonl";
constexpr const char* kDocument = "a/session.json";

class DemoOracle : public testing::Test {
 protected:
  DemoOracle() {
    RootOptions options;
    options.create = true;
    root_ = *Root::open({}, file_system_, "/demo", options);
  }

  void append(const MessageId& id, bool acknowledge) {
    const auto ack = log().append({}, make_message(id));
    ASSERT_TRUE(ack) << ack.error().text();
    if (acknowledge) oracle_.acknowledge(kLog, id, ack->offset, ack->end);
  }

  AppendLog& log() {
    if (!log_) log_ = *AppendLog::open({}, root_, kLog);
    return *log_;
  }

  Findings verify() {
    auto findings = oracle_.verify({}, *root_);
    EXPECT_TRUE(findings) << findings.error().text();
    return findings ? *findings : Findings{};
  }

  // Changes bytes without going through the library.
  void overwrite(std::uint64_t offset, std::string_view bytes) {
    auto file = root_->directory().open(kLog, OpenMode::update);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->write_at(offset, bytes));
  }

  SimFileSystem file_system_;
  std::shared_ptr<Root> root_;
  std::unique_ptr<AppendLog> log_;
  Oracle oracle_;
};

TEST_F(DemoOracle, FindsEverythingInPlace) {
  for (std::uint64_t number = 1; number <= 5; ++number) append({1, 1, number, false}, number != 5);
  ASSERT_TRUE(replace_document({}, *root_, kDocument, make_document(1, 3)));
  oracle_.acknowledge_document(kDocument, 1, 2);
  const auto findings = verify();
  EXPECT_TRUE(findings.good());
  EXPECT_EQ(findings.records, 5U);
  EXPECT_EQ(findings.unacknowledged, 1U);
  EXPECT_TRUE(findings.damage.empty());
  EXPECT_EQ(oracle_.messages(), 4U);
  EXPECT_EQ(oracle_.documents(), 1U);
}

TEST_F(DemoOracle, MissesWhatWasCut) {
  append({1, 1, 1, false}, true);
  append({1, 1, 2, false}, true);
  auto file = root_->directory().open(kLog, OpenMode::update);
  ASSERT_TRUE(file && (*file)->truncate(make_message({1, 1, 1, false}).size() + 1));
  const auto findings = verify();
  ASSERT_EQ(findings.lost.size(), 1U);
  EXPECT_NE(findings.lost.front().find("msg-1-1-2"), std::string::npos);
}

TEST_F(DemoOracle, SeesOneChangedByte) {
  append({1, 1, 1, false}, true);
  overwrite(make_message({1, 1, 1, false}).find("user"), "uses");
  EXPECT_EQ(verify().altered.size(), 1U);
}

TEST_F(DemoOracle, SeesAMessageThatIsThereTwice) {
  append({1, 1, 1, false}, true);
  append({1, 1, 1, false}, false);
  EXPECT_EQ(verify().altered.size(), 1U);
}

TEST_F(DemoOracle, SeesAMessageThatMoved) {
  append({1, 1, 2, false}, false);
  append({1, 1, 1, false}, false);
  oracle_.acknowledge(kLog, {1, 1, 1, false}, 0, 100);
  EXPECT_EQ(verify().lost.size(), 1U);
}

TEST_F(DemoOracle, MissesAnOlderOrDamagedDocument) {
  ASSERT_TRUE(replace_document({}, *root_, kDocument, make_document(1, 3)));
  oracle_.acknowledge_document(kDocument, 1, 4);
  EXPECT_EQ(verify().lost.size(), 1U);
  ASSERT_TRUE(replace_document({}, *root_, kDocument, make_document(2, 4)));
  const auto findings = verify();
  EXPECT_TRUE(findings.lost.empty());
  EXPECT_EQ(findings.altered.size(), 1U);
}

TEST_F(DemoOracle, ReportsDamageInPlaceAndInTheQuarantine) {
  append({1, 1, 1, false}, true);
  const std::string torn = make_message({1, 1, 2, false}).substr(0, 60);
  {
    auto file = root_->directory().open(kLog, OpenMode::append);
    ASSERT_TRUE(file && (*file)->append(torn));
  }
  log_.reset();
  append({1, 2, 1, false}, true);  // opening the log cuts the fragment and keeps a copy
  overwrite(0, "x");
  const auto findings = verify();
  ASSERT_EQ(findings.damage.size(), 2U);
  EXPECT_TRUE(findings.damage[0].moved_to.empty());
  EXPECT_EQ(findings.damage[1].kind, "torn");
  EXPECT_EQ(findings.damage[1].length, torn.size());
  EXPECT_EQ(findings.damage[1].offset, make_message({1, 1, 1, false}).size() + 1);
  EXPECT_TRUE(findings.damage[1].moved_to.starts_with(".holdfast/corrupt/"));
  EXPECT_EQ(findings.lost.size(), 1U);
}

}  // namespace
}  // namespace holdfast::inline v1
