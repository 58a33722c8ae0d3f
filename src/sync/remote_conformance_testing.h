// What every remote must do (the tests are in remote_conformance_test.cc). An implementation instantiates the
// suite with a maker:
//   struct MakeMine : RemoteUnderTest { std::unique_ptr<Remote> connect() override { … } };
//   INSTANTIATE_TEST_SUITE_P(Mine, RemoteConformance, testing::Values([] { return std::make_unique<MakeMine>(); }));
// A maker starts with an empty remote; connect() returns a new connection to it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "base/hash.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

class RemoteUnderTest {
 public:
  virtual ~RemoteUnderTest() = default;
  virtual std::unique_ptr<Remote> connect() = 0;
};

class RemoteConformance : public testing::TestWithParam<std::function<std::unique_ptr<RemoteUnderTest>()>> {
 protected:
  std::unique_ptr<RemoteUnderTest> world = GetParam()();
  std::unique_ptr<Remote> one = world->connect(), other = world->connect();
  const Context context;
  const std::string alice = std::string(32, 'a'), bob = "b" + std::string(31, '0');

  // Names of chunks.
  static std::string name_of(std::uint64_t number) {
    std::string text = std::to_string(number);
    return std::string(64 - text.size(), '1') + text;
  }
  static std::string header(char digit, std::uint64_t seq) {
    return std::string("header ") + digit + " " + std::to_string(seq) + "\nsignature\n";
  }
  // The hash of the first line; a remote may compute it itself.
  static std::string hash(char digit, std::uint64_t seq) {
    const std::string text = header(digit, seq);
    return sha256_hex(std::string_view(text).substr(0, text.find('\n')));
  }
  static StreamSegment segment(std::uint64_t seq, std::string body, char digit = 'd') {
    return {seq, hash(digit, seq), header(digit, seq), std::move(body)};
  }
  RemoteOutcome publish(Remote& remote, const StreamId& stream, const StreamHead& expected,
                        const std::vector<StreamSegment>& segments) {
    const auto outcome = remote.publish(context, stream, expected, segments);
    EXPECT_TRUE(outcome) << outcome.error().text();
    return outcome.value_or(RemoteOutcome::unclear);
  }
  std::vector<StreamSegment> read(Remote& remote, const StreamId& stream, std::uint64_t seq) {
    auto found = remote.read_after(context, stream, seq);
    EXPECT_TRUE(found) << found.error().text();
    return found ? *found : std::vector<StreamSegment>();
  }
  std::vector<std::optional<std::string>> chunks(Remote& remote, std::string_view device,
                                                 const std::vector<std::string>& names) {
    auto found = remote.read_chunks(context, device, names);
    EXPECT_TRUE(found) << found.error().text();
    return found ? *found : std::vector<std::optional<std::string>>();
  }
  void store(Remote& remote, std::string_view device, const std::vector<RemoteChunk>& added) {
    const auto stored = remote.store_chunks(context, device, added);
    ASSERT_TRUE(stored) << stored.error().text();
    ASSERT_EQ(*stored, RemoteOutcome::done);
  }
};

}  // namespace holdfast::inline v1
