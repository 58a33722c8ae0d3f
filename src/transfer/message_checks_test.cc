#include "transfer/message_checks.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

// The kinds of findings for messages with these times.
std::vector<std::string> found_in(const std::vector<std::string>& times) {
  const std::string log = "log";
  MessageChecks checks([&log]() -> const std::string& { return log; });
  for (const std::string& time : times) {
    Message message;
    message.timestamp = time;
    checks.message(message);
  }
  std::vector<std::string> kinds;
  for (const MessageFinding& finding : checks.finish()) {
    kinds.push_back(std::string(finding.kind) + ": " + finding.consequence);
    EXPECT_FALSE(finding.damage) << "nothing is lost by it";
  }
  return kinds;
}

// One second is the limit: see docs/guides/verify.md for what agents really do.
TEST(MessageChecks, AllowsTimesToGoBackOneSecond) {
  const std::vector<std::string> none;
  EXPECT_EQ(found_in({"2026-01-01T10:00:01.000Z", "2026-01-01T10:00:00.997Z"}), none);
  EXPECT_EQ(found_in({"2026-01-01T10:00:01.000Z", "2026-01-01T10:00:00.000Z"}), none);
  EXPECT_EQ(found_in({"1700000001", "1700000000", "1700000000"}), none);
  EXPECT_EQ(found_in({""}), none);
  EXPECT_EQ(found_in({"2026-01-01T10:00:01.001Z", "2026-01-01T10:00:00.000Z"}),
            std::vector<std::string>{"out_of_order: time goes backwards here"});
}

// One note per session, however often it happens.
TEST(MessageChecks, RepeatedFindingIsOneNoteWithCount) {
  EXPECT_EQ(found_in({"2026-02-31T25:61:58.000Z"}),
            std::vector<std::string>{"bad_time: 2026-02-31T25:61:58.000Z is not a time: it counts as none"});
  EXPECT_EQ(
      found_in({"nonsense", "2026-13-45T99:99:99Z"}),
      std::vector<std::string>{"bad_time: nonsense is not a time (and 1 more in this session): it counts as none"});
  EXPECT_EQ(found_in({"1700000010", "1700000000", "1700000020", "1700000000"}),
            std::vector<std::string>{"out_of_order: time goes backwards here (and 1 more in this session)"});
}

// A row of a database has no offset: its id identifies it.
TEST(MessageChecks, MessageWithoutOffsetIsNamedById) {
  const std::string file = "opencode.db";
  MessageChecks checks([&file]() -> const std::string& { return file; });
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{9}}) {
    Message message;
    message.id = "msg_" + std::to_string(offset);
    message.parent = "gone";
    message.offset = offset;
    checks.message(message);
  }
  const auto found = checks.finish();
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ("message msg_0: the message before it, gone, is missing", found[0].consequence);
  EXPECT_EQ("the message before it, gone, is missing", found[1].consequence);
}

}  // namespace
}  // namespace holdfast::inline v1
