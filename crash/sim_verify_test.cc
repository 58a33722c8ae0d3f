// Tests of the oracle itself: it must report what it is made to detect.
#include "sim_verify.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace holdfast::lab {
namespace {

class FailingCall final : public SimObserver {
 public:
  FailingCall(SimCallKind kind, std::string path) : kind_(kind), path_(std::move(path)) {}
  Injection before(const SimCall& call) override {
    if (call.kind != kind_ || call.path != path_) return {};
    return {Injection::Kind::fail, EIO};
  }

 private:
  SimCallKind kind_;
  std::string path_;
};

std::uint64_t found_wrong(World& world) {
  Outcome outcome;
  verify(world.disk(), world.oracle(), After::process_death, 0, "test", outcome);
  return outcome.lost + outcome.altered + outcome.unopenable + outcome.wrong;
}

void fail_to_remove(World& world) {
  FailingCall failing(SimCallKind::remove, "/a/one.json");
  world.disk().set_observer(&failing);
  EXPECT_FALSE(world.perform(Op::remove));
  world.disk().set_observer(nullptr);
}

void take_away(World& world, std::string_view name) {
  ASSERT_TRUE((*world.disk().open_directory("/a", false))->remove(name));
}

TEST(Oracle, AcceptsCorrectWorld) {
  World world(1);
  for (const Op op : {Op::replace, Op::append, Op::append_shared, Op::commit, Op::number, Op::increment, Op::tally})
    ASSERT_TRUE(world.perform(op));
  EXPECT_EQ(found_wrong(world), 0u);
}

TEST(Oracle, AllowsMissingDocumentAfterFailedRemoval) {
  World world(1);
  ASSERT_TRUE(world.perform(Op::replace));
  fail_to_remove(world);
  take_away(world, "one.json");
  EXPECT_EQ(found_wrong(world), 0u);
}

TEST(Oracle, RequiresDocumentReplacedAfterFailedRemoval) {
  World world(1);
  ASSERT_TRUE(world.perform(Op::replace));
  fail_to_remove(world);
  ASSERT_TRUE(world.perform(Op::replace));
  EXPECT_FALSE(world.oracle().removing);
  take_away(world, "one.json");
  EXPECT_GT(found_wrong(world), 0u);
}

TEST(Oracle, DetectsLostLineIncrementAndHalfCommit) {
  for (const char* name : {"ours.jsonl", "count.json", "two.json", "tally.json", "latest"}) {
    World world(1);
    for (const Op op : {Op::append, Op::commit, Op::increment, Op::tally}) ASSERT_TRUE(world.perform(op));
    world.drop_handles();
    take_away(world, name);
    EXPECT_GT(found_wrong(world), 0u) << name;
  }
}

TEST(Oracle, DetectsReorderedLines) {
  World world(1);
  for (const Op op : {Op::append, Op::append}) ASSERT_TRUE(world.perform(op));
  world.drop_handles();
  const std::string bytes = *world.disk().read_file("/a/ours.jsonl");
  const auto middle = bytes.find('\n') + 1;
  ASSERT_TRUE(world.disk().put_file("/a/ours.jsonl", bytes.substr(middle) + bytes.substr(0, middle)));
  EXPECT_GT(found_wrong(world), 0u);
}

}  // namespace
}  // namespace holdfast::lab
