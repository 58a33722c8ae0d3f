#include "layout/codex/rollout_name.h"

#include <gtest/gtest.h>

namespace holdfast::codex {
namespace {

constexpr char kThread[] = "01a1dcd6-6e4d-7f50-bc3b-e21754c68a67";
constexpr char kSegment[] = "01a1dcd7-0216-7ff3-b4ee-adfa5ac41698";

TEST(RolloutName, ParsesThreadSegmentAndCompression) {
  const std::string plain = std::string("rollout-2026-11-15T01-33-22-") + kThread;
  const auto name = parse_rollout_name(plain + ".jsonl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stamp, "2026-11-15T01-33-22");
  EXPECT_EQ(name->thread, kThread);
  EXPECT_EQ(name->segment, "");
  EXPECT_FALSE(name->compressed);
  const auto segment = parse_rollout_name(plain + "_" + kSegment + ".jsonl.zst");
  ASSERT_TRUE(segment);
  EXPECT_EQ(segment->thread, kThread);
  EXPECT_EQ(segment->segment, kSegment);
  EXPECT_TRUE(segment->compressed);
}

TEST(RolloutName, RejectsOtherNames) {
  for (const char* name :
       {"", "rollout-", ".jsonl", "rollout-2026-11-15T01-33-22-.jsonl", "rollout-2026-11-15T01-33-22.jsonl",
        "rollout-2026-11-15T01-33-22-01a1dcd6-6e4d.json", "rollout-2026-11-15 01-33-22-01a1dcd6-6e4d.jsonl",
        "rollout-2026-11-15T01-33-22-01a1dcd6-6e4d_.jsonl", "rollout-2026-11-15T01-33-22-../../../etc.jsonl",
        "x-rollout-2026-11-15T01-33-22-01a1dcd6-6e4d.jsonl", "rollout-2026-11-15T01-33-22-01a1dcd6-6e4d.jsonl.gz"}) {
    EXPECT_FALSE(parse_rollout_name(name)) << name;
  }
}

}  // namespace
}  // namespace holdfast::codex
