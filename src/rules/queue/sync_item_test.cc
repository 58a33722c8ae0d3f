// The retry rules (M06), with a test clock.
#include "rules/queue/sync_item.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/time.h"

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono_literals;

const auto kNow = std::chrono::system_clock::time_point(1700000000s);

SyncItem item_of(std::string id) {
  return new_sync_item({.entity = "thread", .id = std::move(id)}, "upsert", "x", kNow);
}

TEST(SyncItem, M06_BackoffStaysBetweenTenSecondsAndFiveMinutes) {
  struct Row {
    std::int64_t attempts;
    std::chrono::milliseconds least, most;
  };
  for (const Row& row : {Row{1, 10s, 20s}, Row{2, 20s, 40s}, Row{3, 40s, 80s}, Row{4, 80s, 160s}, Row{5, 150s, 300s},
                         Row{6, 150s, 300s}, Row{9, 150s, 300s}, Row{1000, 150s, 300s}}) {
    const auto range = static_cast<std::uint64_t>((row.most - row.least).count());
    EXPECT_EQ(backoff(row.attempts, 0), row.least) << row.attempts;
    EXPECT_EQ(backoff(row.attempts, range), row.most) << row.attempts;
    for (std::uint64_t random = 1; random != 0; random *= 3) {
      const auto wait = backoff(row.attempts, random);
      EXPECT_GE(wait, row.least);
      EXPECT_LE(wait, row.most);
      if (random > std::numeric_limits<std::uint64_t>::max() / 3) break;
    }
    EXPECT_NE(backoff(row.attempts, 1), backoff(row.attempts, 2)) << "jitter";
  }
}

TEST(SyncItem, M06_FailsAfterTenAttemptsUntilRetried) {
  SyncItem item = item_of("thr_1");
  auto now = kNow;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    EXPECT_TRUE(is_due(item, now));
    EXPECT_EQ(item.status, "pending");
    const auto wait = backoff(attempt, 7777);
    item = after_failure(item, now, 7777);
    EXPECT_EQ(item.attempts, attempt);
    if (attempt == 10) break;
    EXPECT_FALSE(is_due(item, now + wait - 1ms));
    now += wait;
  }
  EXPECT_EQ(item.status, "failed");
  EXPECT_FALSE(is_due(item, now + 1h)) << "nobody tries again until somebody says so";
  item = after_retry(item, now);
  EXPECT_EQ(item.attempts, 0);
  EXPECT_TRUE(is_due(item, now));
}

TEST(SyncItem, WrongClockDoesNotDelayItemForever) {
  SyncItem item = item_of("thr_1");
  item.next_attempt_at = iso8601(kNow + 24h * 365);
  EXPECT_TRUE(is_due(item, kNow));
  item.next_attempt_at = "next week";
  EXPECT_TRUE(is_due(item, kNow));
  item.next_attempt_at = iso8601(kNow + 300s);
  EXPECT_FALSE(is_due(item, kNow));
}

TEST(SyncItem, SaveDuringOutageKeepsNextAttemptTime) {
  const SyncItem waiting = after_failure(item_of("thr_1"), kNow, 0);
  const SyncItem again = new_sync_item({.entity = "thread", .id = "thr_1"}, "upsert", "y", kNow + 1s, &waiting);
  EXPECT_EQ(again.id, waiting.id);
  EXPECT_EQ(again.attempts, 0);
  EXPECT_EQ(again.next_attempt_at, waiting.next_attempt_at);
  EXPECT_FALSE(again.same_intent(waiting));
  SyncItem failed = waiting;
  while (!failed.failed()) failed = after_failure(failed, kNow, 0);
  EXPECT_EQ(new_sync_item({.entity = "thread", .id = "thr_1"}, "upsert", "y", kNow + 1s, &failed).next_attempt_at,
            iso8601(kNow + 1s));
}

TEST(SyncItem, IdDependsOnEntityIdAndOwner) {
  EXPECT_EQ(sync_item_id({.entity = "message", .id = "m", .owner = "t"}),
            sync_item_id({.entity = "message", .id = "m", .owner = "t", .hint = "x", .order = 3}));
  EXPECT_NE(sync_item_id({.entity = "message", .id = "m", .owner = "t"}),
            sync_item_id({.entity = "message", .id = "m", .owner = "u"}));
  EXPECT_NE(sync_item_id({.entity = "message", .id = "ab", .owner = "c"}),
            sync_item_id({.entity = "message", .id = "b", .owner = "ca"}));
  EXPECT_EQ(sync_item_id({.entity = "thread", .id = "thr_1"}).size(), 3u + 13u);
}

TEST(SyncItem, ReadsBackWhatItWrites) {
  SyncItem item = new_sync_item({"message", "m\"1", "ses_1", "a/b", 12}, "delete", "", kNow);
  item.attempts = 3;
  EXPECT_EQ(sync_item_json(parse_sync_item(sync_item_json(item))), sync_item_json(item));
  EXPECT_EQ(parse_sync_item(R"({"id":"sq_1"})").status, "pending") << "one that another program wrote";
}

}  // namespace
}  // namespace holdfast::inline v1
