#include "sync/segment.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

// Each forgery is valid except for one thing, so each check is needed.
struct ForgedSegment : testing::Test {
  const SigningKey victim = signing_key(std::string(32, 'v')), mallory = signing_key(std::string(32, 'm'));
  const RemoteSecret secret{std::string(32, '7'), std::nullopt};
  const StreamId stream{device_id(victim.public_key), 1};

  StreamSegment made(const SigningKey& key, std::string_view content) const {
    return make_segment(key, secret, 1, {}, "2026-11-16T00:00:00Z", content).value();
  }
  std::string refusal(const StreamSegment& segment) const {
    const auto header = check_segment(segment, secret.remote, stream, {});
    return header ? "" : header.error().message;
  }
  static std::string line_of(const StreamSegment& segment) {
    return segment.header.substr(0, segment.header.find('\n'));
  }
  static void replace(std::string& text, const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
  }
  static StreamSegment with_line(StreamSegment segment, const std::string& line, const std::string& signature) {
    segment.header = line + "\n" + signature + "\n";
    segment.hash = sha256_hex(line);
    return segment;
  }
  std::string signature_of(const SigningKey& key, const std::string& line) const {
    return to_hex(sign(key, "holdfast segment\n" + line));
  }
};

TEST_F(ForgedSegment, HonestSegmentIsAccepted) { EXPECT_EQ(refusal(made(victim, "{}")), ""); }

TEST_F(ForgedSegment, RejectsVictimsKeyWithoutItsSignature) {
  const StreamSegment theirs = made(mallory, "{\"ops\":[]}");
  std::string line = line_of(theirs);
  replace(line, device_id(mallory.public_key), stream.device);
  replace(line, to_hex(mallory.public_key), to_hex(victim.public_key));
  EXPECT_TRUE(refusal(with_line(theirs, line, signature_of(mallory, line))).contains("not signed"));
  EXPECT_EQ(refusal(with_line(theirs, line, signature_of(victim, line))), "") << "nothing else was wrong about it";
}

TEST_F(ForgedSegment, RejectsVictimsDeviceWithAnotherKey) {
  const StreamSegment theirs = made(mallory, "{\"ops\":[]}");
  std::string line = line_of(theirs);
  replace(line, device_id(mallory.public_key), stream.device);
  EXPECT_TRUE(refusal(with_line(theirs, line, signature_of(mallory, line))).contains("another device"));
}

TEST_F(ForgedSegment, RejectsReplacedBody) {
  StreamSegment segment = made(victim, "{\"ops\":[1]}");
  segment.body = made(victim, "{\"ops\":[2]}").body;
  EXPECT_TRUE(refusal(segment).contains("does not match its header"));
}

TEST_F(ForgedSegment, RejectsOtherRemoteEpochOrPosition) {
  StreamSegment segment = made(victim, "{}");
  EXPECT_TRUE(check_segment(segment, std::string(32, '8'), stream, {}).error().message.contains("another remote"));
  EXPECT_TRUE(check_segment(segment, secret.remote, {stream.device, 2}, {}).error().message.contains("another epoch"));
  const StreamHead after{1, std::string(64, 'a')};
  segment = make_segment(victim, secret, 1, {1, std::string(64, 'b')}, "2026-11-16T00:00:00Z", "{}").value();
  EXPECT_TRUE(check_segment(segment, secret.remote, stream, after).error().message.contains("does not follow"));
  EXPECT_TRUE(check_segment(segment, secret.remote, stream, {2, after.hash}).error().message.contains("not the next"));
}

TEST_F(ForgedSegment, StubIsAcceptedAndMovedBodyDoesNotOpen) {
  StreamSegment stub = made(victim, "{}");
  stub.body.reset();
  EXPECT_EQ(refusal(stub), "");
  const RemoteSecret sealed{secret.remote, std::string(32, 'k')};
  const auto segment = make_segment(victim, sealed, 1, {}, "2026-11-16T00:00:00Z", "{}").value();
  SegmentHeader header = check_segment(segment, secret.remote, stream, {}).value();
  EXPECT_EQ(open_body(header, *segment.body, sealed).value(), "{}");
  header.seq = 2;
  EXPECT_FALSE(open_body(header, *segment.body, sealed));
}

}  // namespace
}  // namespace holdfast::inline v1
