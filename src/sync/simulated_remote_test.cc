#include "sync/remote_conformance_testing.h"
#include "sync/simulated_remote_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Simulated : RemoteUnderTest {
  std::shared_ptr<RemoteWorld> world = std::make_shared<RemoteWorld>();
  std::unique_ptr<Remote> connect() override { return std::make_unique<SimulatedRemote>(world); }
};

INSTANTIATE_TEST_SUITE_P(Simulated, RemoteConformance, testing::Values([]() -> std::unique_ptr<RemoteUnderTest> {
                           return std::make_unique<Simulated>();
                         }));

const StreamId kStream{std::string(32, 'a'), 1};

StreamSegment first() { return {1, std::string(64, '1'), "header\n", "body"}; }

TEST(SimulatedRemote, InjectsTheRequestedFaults) {
  const auto world = std::make_shared<RemoteWorld>();
  RemoteFault fault = RemoteFault::none;
  SimulatedRemote remote(world, [&](std::string_view) { return fault; });
  const std::vector<StreamSegment> one{first()};
  fault = RemoteFault::swallow_request;
  EXPECT_EQ(remote.publish({}, kStream, {}, one).value(), RemoteOutcome::unclear);
  fault = RemoteFault::none;
  EXPECT_TRUE(remote.heads({})->empty());
  fault = RemoteFault::delay;
  EXPECT_EQ(remote.publish({}, kStream, {}, one).value(), RemoteOutcome::unclear);
  fault = RemoteFault::none;
  EXPECT_TRUE(remote.heads({})->empty());
  world->arrive();
  EXPECT_EQ(remote.heads({})->size(), 1u);
  fault = RemoteFault::twice;
  const std::vector<StreamSegment> two{{2, std::string(64, '2'), "header\n", "body"}};
  EXPECT_EQ(remote.publish({}, kStream, {1, std::string(64, '1')}, two).value(), RemoteOutcome::done);
  fault = RemoteFault::none;
  EXPECT_EQ(remote.read_after({}, kStream, 0)->size(), 2u);
  fault = RemoteFault::lie_bytes;
  EXPECT_NE(remote.read_after({}, kStream, 1)->at(0).body, "body");
  fault = RemoteFault::crash_after;
  const std::vector<std::uint64_t> seqs{1};
  EXPECT_FALSE(remote.erase_bodies({}, kStream, seqs));
  fault = RemoteFault::none;
  EXPECT_TRUE(remote.crashed());
  EXPECT_FALSE(remote.heads({}));
  EXPECT_EQ(SimulatedRemote(world).read_after({}, kStream, 0)->at(0).body, std::nullopt);
}

}  // namespace
}  // namespace holdfast::inline v1
