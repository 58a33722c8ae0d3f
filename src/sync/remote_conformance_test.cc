#include "sync/remote_conformance_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST_P(RemoteConformance, FirstCharterIsKept) {
  EXPECT_EQ(one->charter(context).value(), std::nullopt);
  EXPECT_EQ(one->found(context, "{\"a\":1}").value(), RemoteOutcome::done);
  EXPECT_EQ(other->found(context, "{\"a\":2}").value(), RemoteOutcome::lost);
  EXPECT_EQ(one->found(context, "{\"a\":1}").value(), RemoteOutcome::lost);
  EXPECT_EQ(other->charter(context).value(), "{\"a\":1}");
  EXPECT_EQ(world->connect()->found(context, std::string(kMaxCharter + 1, 'x')).error().code, Code::too_large);
}

TEST_P(RemoteConformance, StreamIsReadAsPublished) {
  ASSERT_EQ(one->found(context, "{}").value(), RemoteOutcome::done);
  const StreamId stream{alice, 1};
  EXPECT_TRUE(one->heads(context)->empty());
  EXPECT_TRUE(read(*one, stream, 0).empty());
  const std::string odd("\0\n\xff\r\n", 5);
  EXPECT_EQ(publish(*one, stream, {}, {segment(1, odd), segment(2, "")}), RemoteOutcome::done);
  EXPECT_EQ(publish(*one, stream, {2, hash('d', 2)}, {segment(3, "three")}), RemoteOutcome::done);
  const auto all = read(*other, stream, 0);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].body, odd);
  EXPECT_EQ(all[1].body, "");
  EXPECT_EQ(all[2].body, "three");
  for (std::uint64_t seq = 1; seq <= 3; ++seq) {
    EXPECT_EQ(all[seq - 1].seq, seq);
    EXPECT_EQ(all[seq - 1].hash, hash('d', seq));
    EXPECT_EQ(all[seq - 1].header, header('d', seq));
  }
  EXPECT_EQ(read(*other, stream, 2).size(), 1u);
  EXPECT_TRUE(read(*other, stream, 3).empty());
  const auto heads = *other->heads(context);
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_EQ(heads[0].id, stream);
  EXPECT_EQ(heads[0].head, (StreamHead{3, hash('d', 3)}));
}

TEST_P(RemoteConformance, LatePublisherLosesAndLeavesNothing) {
  const StreamId stream{alice, 1};
  ASSERT_EQ(publish(*one, stream, {}, {segment(1, "first")}), RemoteOutcome::done);
  EXPECT_EQ(publish(*other, stream, {}, {segment(1, "second", 'e'), segment(2, "x", 'e')}), RemoteOutcome::lost);
  EXPECT_EQ(publish(*other, stream, {1, hash('e', 1)}, {segment(2, "x", 'e')}), RemoteOutcome::lost);
  EXPECT_EQ(publish(*other, stream, {2, hash('d', 2)}, {segment(3, "x")}), RemoteOutcome::lost);
  const auto all = read(*one, stream, 0);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].body, "first");
  // A repeated publish is not done again: the publisher finds its own head there.
  EXPECT_EQ(publish(*one, stream, {}, {segment(1, "first")}), RemoteOutcome::lost);
  EXPECT_EQ(read(*one, stream, 0).size(), 1u);
}

TEST_P(RemoteConformance, StreamsAreIndependent) {
  ASSERT_EQ(publish(*one, {alice, 1}, {}, {segment(1, "a1")}), RemoteOutcome::done);
  ASSERT_EQ(publish(*one, {alice, 2}, {}, {segment(1, "a2", 'e')}), RemoteOutcome::done);
  ASSERT_EQ(publish(*other, {bob, 1}, {}, {segment(1, "b1", 'f')}), RemoteOutcome::done);
  const auto heads = *one->heads(context);
  ASSERT_EQ(heads.size(), 3u);
  EXPECT_EQ(heads[0].id, (StreamId{alice, 1}));
  EXPECT_EQ(heads[1].id, (StreamId{alice, 2}));
  EXPECT_EQ(heads[2].id, (StreamId{bob, 1}));
  EXPECT_EQ(read(*one, {bob, 1}, 0).at(0).body, "b1");
  EXPECT_EQ(read(*one, {alice, 2}, 0).at(0).body, "a2");
}

TEST_P(RemoteConformance, ErasedBodyLeavesItsHeader) {
  const StreamId stream{alice, 1};
  ASSERT_EQ(publish(*one, stream, {}, {segment(1, "one"), segment(2, "two"), segment(3, "three")}),
            RemoteOutcome::done);
  const std::vector<std::uint64_t> gone{2, 9};
  EXPECT_EQ(one->erase_bodies(context, stream, gone).value(), RemoteOutcome::done);
  EXPECT_EQ(one->erase_bodies(context, stream, gone).value(), RemoteOutcome::done);
  const auto all = read(*other, stream, 0);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].body, std::nullopt);
  EXPECT_EQ(all[1].header, header('d', 2));
  EXPECT_EQ(all[1].hash, hash('d', 2));
  EXPECT_EQ(all[2].body, "three");
  // The last body too: the head stays, and the next segment is published after it.
  const std::vector<std::uint64_t> last{3};
  EXPECT_EQ(one->erase_bodies(context, stream, last).value(), RemoteOutcome::done);
  EXPECT_EQ(publish(*one, stream, {3, hash('d', 3)}, {segment(4, "four")}), RemoteOutcome::done);
  EXPECT_EQ(read(*other, stream, 2).at(1).body, "four");
}

TEST_P(RemoteConformance, LongStreamIsReadInParts) {
  const StreamId stream{alice, 1};
  StreamHead head;
  for (std::uint64_t seq = 1; seq <= 6; ++seq) {
    ASSERT_EQ(publish(*one, stream, head, {segment(seq, std::string(kMaxSegmentBody, 'x'))}), RemoteOutcome::done);
    head = {seq, hash('d', seq)};
  }
  std::uint64_t at = 0;
  for (int parts = 0; at < 6; ++parts) {
    ASSERT_LT(parts, 6);
    const auto part = read(*other, stream, at);
    ASSERT_FALSE(part.empty());
    EXPECT_LE(part.size(), kMaxRemoteBatch / kMaxSegmentBody);
    EXPECT_EQ(part.front().seq, at + 1);
    at = part.back().seq;
  }
}

TEST_P(RemoteConformance, ChunksBelongToTheirDevice) {
  const std::string name = name_of(1), second = name_of(2), none = name_of(3);
  store(*one, alice, {{name, std::string("\0\xff bytes", 8)}, {second, std::string(kMaxRemoteChunk, 'y')}});
  store(*one, alice, {{name, std::string("\0\xff bytes", 8)}});
  store(*other, bob, {{name, "others"}});
  const auto found = chunks(*other, alice, {none, name, second});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], std::nullopt);
  EXPECT_EQ(found[1], std::string("\0\xff bytes", 8));
  EXPECT_EQ(found[2]->size(), kMaxRemoteChunk);
  EXPECT_EQ(chunks(*one, bob, {name}).at(0), "others");
  const std::vector<std::string> gone{name, none};
  EXPECT_EQ(one->erase_chunks(context, alice, gone).value(), RemoteOutcome::done);
  EXPECT_EQ(chunks(*other, alice, {name}).at(0), std::nullopt);
  EXPECT_TRUE(chunks(*other, alice, {second}).at(0));
  EXPECT_EQ(chunks(*one, bob, {name}).at(0), "others");
}

TEST_P(RemoteConformance, DeviceCanBeErased) {
  ASSERT_EQ(publish(*one, {alice, 1}, {}, {segment(1, "a1")}), RemoteOutcome::done);
  ASSERT_EQ(publish(*one, {alice, 2}, {}, {segment(1, "a2")}), RemoteOutcome::done);
  ASSERT_EQ(publish(*one, {bob, 1}, {}, {segment(1, "b1")}), RemoteOutcome::done);
  store(*one, alice, {{name_of(1), "x"}});
  store(*one, bob, {{name_of(1), "y"}});
  EXPECT_EQ(one->erase_device(context, alice).value(), RemoteOutcome::done);
  EXPECT_EQ(one->erase_device(context, alice).value(), RemoteOutcome::done);
  ASSERT_EQ(other->heads(context)->size(), 1u);
  EXPECT_EQ(other->heads(context)->at(0).id, (StreamId{bob, 1}));
  EXPECT_EQ(chunks(*other, alice, {name_of(1)}).at(0), std::nullopt);
  EXPECT_EQ(chunks(*other, bob, {name_of(1)}).at(0), "y");
}

TEST_P(RemoteConformance, LimitsAndNamesAreChecked) {
  const StreamId stream{alice, 1};
  const std::vector<StreamSegment> large{segment(1, std::string(kMaxSegmentBody + 1, 'x'))};
  EXPECT_EQ(one->publish(context, stream, {}, large).error().code, Code::too_large);
  std::vector<StreamSegment> long_header{segment(1, "x")};
  long_header[0].header.assign(kMaxSegmentHeader + 1, 'h');
  EXPECT_EQ(one->publish(context, stream, {}, long_header).error().code, Code::too_large);
  const std::vector<StreamSegment> gap{segment(1, "x"), segment(3, "x")};
  EXPECT_EQ(one->publish(context, stream, {}, gap).error().code, Code::invalid_argument);
  const std::vector<RemoteChunk> chunk{{name_of(1), std::string(kMaxRemoteChunk + 1, 'x')}};
  EXPECT_EQ(one->store_chunks(context, alice, chunk).error().code, Code::too_large);
  const std::vector<RemoteChunk> named{{"../../etc/passwd", "x"}};
  EXPECT_EQ(one->store_chunks(context, alice, named).error().code, Code::unsafe_path);
  EXPECT_TRUE(one->heads(context)->empty());
}

}  // namespace
}  // namespace holdfast::inline v1
