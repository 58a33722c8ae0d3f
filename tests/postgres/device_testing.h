// A device that publishes to a remote as sync does: after every answer except `done` it reads the head again. Also
// checks what must be there in the end.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "base/hash.h"
#include "sync/postgres_remote.h"

namespace holdfast::inline v1 {

inline std::string device_id(unsigned number) { return sha256_hex("device " + std::to_string(number)).substr(0, 32); }

struct PublishingDevice {
  StreamId stream;
  StreamHead head = {};
  std::atomic<std::uint64_t> acknowledged = 0;
  std::uint64_t unclear = 0, failed = 0;

  explicit PublishingDevice(unsigned number) : stream{device_id(number), 1} {}

  static StreamSegment segment(const StreamId& stream, std::uint64_t seq) {
    const std::string first = "header " + stream.device + " " + std::to_string(seq);
    return {seq, sha256_hex(first), first + "\nsignature\n", std::string(200 + seq % 3000, 'b') + first};
  }

  // Returns false if the head is one that the device never wrote, or if the context has ended.
  bool publish(Remote& remote, const Context& context) {
    const StreamSegment next = segment(stream, head.seq + 1);
    while (true) {
      const auto outcome = remote.publish(context, stream, head, {&next, 1});
      bool there = outcome && *outcome == RemoteOutcome::done;
      if (outcome && *outcome == RemoteOutcome::unclear) ++unclear;
      if (!outcome) {
        ++failed;
        if (outcome.error().code != Code::sync_transport_failed) ADD_FAILURE() << outcome.error().text();
      }
      while (!there) {
        if (!context.check()) return false;
        const auto heads = remote.heads(context);
        if (!heads) continue;
        const auto own = std::ranges::find(*heads, stream, &RemoteStream::id);
        const StreamHead found = own == heads->end() ? StreamHead() : own->head;
        there = found == StreamHead{next.seq, next.hash};
        if (!there && found != head) {
          ADD_FAILURE() << "head " << found.seq << " where " << head.seq << " was acknowledged";
          return false;
        }
        break;
      }
      if (!there) continue;
      head = {next.seq, next.hash};
      acknowledged = next.seq;
      return true;
    }
  }
};

// Returns how many segments the stream has; each must be what its device published.
inline std::uint64_t read_stream(Remote& remote, const Context& context, const StreamId& stream, std::uint64_t after,
                                 bool& answered) {
  std::uint64_t at = after;
  while (true) {
    const auto part = remote.read_after(context, stream, at);
    answered = part.has_value();
    if (!part || part->empty()) return at;
    for (const StreamSegment& one : *part) {
      const StreamSegment expected = PublishingDevice::segment(stream, ++at);
      EXPECT_EQ(one.seq, expected.seq);
      EXPECT_EQ(one.hash, expected.hash);
      EXPECT_EQ(one.header, expected.header);
      EXPECT_EQ(one.body, expected.body);
    }
  }
}

inline void expect_stream(const std::string& url, const PublishingDevice& device) {
  const auto remote = open_postgres_remote(url);
  ASSERT_TRUE(remote) << remote.error().text();
  bool answered = false;
  EXPECT_EQ(read_stream(**remote, {}, device.stream, 0, answered), device.head.seq);
  EXPECT_TRUE(answered);
}

}  // namespace holdfast::inline v1
