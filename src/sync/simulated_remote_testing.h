// A remote in memory that misbehaves on demand. The data is in a RemoteWorld that any number of connections
// share. A connection may crash before or after an operation, lose the answer, do the operation twice or late
// (after those of others), cut an answer short, or lie.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/chunk.h"
#include "base/hash.h"
#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {

struct RemoteWorld {
  std::optional<std::string> charter;
  std::map<StreamId, std::vector<StreamSegment>> streams;
  std::map<std::pair<std::string, std::string>, std::string> chunks;  // device, name
  std::vector<std::function<void()>> late;                            // delayed operations
  std::uint64_t calls = 0;

  // Carries out the delayed operations, in order or reversed.
  void arrive(bool reversed = false) {
    auto deeds = std::exchange(late, {});
    if (reversed) std::ranges::reverse(deeds);
    for (const auto& deed : deeds) deed();
  }
};

enum class RemoteFault {
  none,
  fail,             // refused before anything happened
  crash_before,     // the device crashes before the remote gets the request
  crash_after,      // the device crashes after the operation is done
  swallow_request,  // unclear, not done
  swallow_answer,   // unclear, done
  twice,            // done, and then done again
  delay,            // unclear; done later
  cut,              // an answer lacks its end; a list of chunks is stored in part
  lie_head,         // a wrong head
  lie_bytes,        // other bytes than were stored
  lie_owner,        // another device's segments
  forge,            // a segment with other content, made without the device's key
  hide,             // claims to have nothing
};

// How a crash of the device looks to the code that runs on it: every call fails from then on.
inline constexpr std::string_view kDeviceCrashed = "the simulated device has crashed";

class SimulatedRemote : public Remote {
 public:
  using Chooser = std::function<RemoteFault(std::string_view call)>;
  explicit SimulatedRemote(std::shared_ptr<RemoteWorld> world, Chooser chooser = {})
      : world_(std::move(world)), chooser_(std::move(chooser)) {}

  std::string own;  // the device of this connection, where it matters

  bool crashed() const { return crashed_; }
  std::string place() const override { return "simulated"; }

  Result<std::optional<std::string>> charter(const Context&) override {
    HOLDFAST_LET(fault, begin("charter"));
    if (fault == RemoteFault::hide) return std::optional<std::string>();
    return world_->charter;
  }
  Result<RemoteOutcome> found(const Context&, std::string_view charter) override {
    if (charter.size() > kMaxCharter) return too_large();
    return change("found", [world = world_, text = std::string(charter)] {
      if (world->charter) return RemoteOutcome::lost;
      world->charter = text;
      return RemoteOutcome::done;
    });
  }
  Result<std::vector<RemoteStream>> heads(const Context&) override {
    HOLDFAST_LET(fault, begin("heads"));
    std::vector<RemoteStream> all;
    if (fault == RemoteFault::hide) return all;
    for (const auto& [id, segments] : world_->streams) {
      if (segments.empty()) continue;
      all.push_back({id, {segments.back().seq, segments.back().hash}});
      if (fault == RemoteFault::lie_head) all.back().head = {segments.size() + 1, std::string(64, 'b')};
    }
    if (fault == RemoteFault::cut && !all.empty()) all.pop_back();
    return all;
  }
  Result<RemoteOutcome> publish(const Context&, const StreamId& stream, const StreamHead& expected,
                                std::span<const StreamSegment> segments) override {
    std::size_t bytes = 0;
    std::uint64_t next = expected.seq;
    for (const StreamSegment& one : segments) {
      if (!one.body || one.body->size() > kMaxSegmentBody || one.header.size() > kMaxSegmentHeader) return too_large();
      if (one.seq != ++next) return fail(Code::invalid_argument, "segments do not follow one another");
      bytes += one.body->size() + one.header.size();
    }
    if (bytes > kMaxRemoteBatch) return too_large();
    return change("publish", [world = world_, stream, expected,
                              added = std::vector<StreamSegment>(segments.begin(), segments.end())] {
      auto& all = world->streams[stream];
      const StreamHead head = all.empty() ? StreamHead() : StreamHead{all.back().seq, all.back().hash};
      if (head != expected) return RemoteOutcome::lost;
      all.insert(all.end(), added.begin(), added.end());
      return RemoteOutcome::done;
    });
  }
  Result<std::vector<StreamSegment>> read_after(const Context&, const StreamId& stream, std::uint64_t seq) override {
    HOLDFAST_LET(fault, begin(stream.device == own ? "read_own" : "read_after"));
    std::vector<StreamSegment> found;
    const auto known = world_->streams.find(stream);
    if (known == world_->streams.end() || fault == RemoteFault::hide) return found;
    std::size_t bytes = 0;
    for (const StreamSegment& one : fault == RemoteFault::lie_owner ? another_than(stream) : known->second) {
      if (one.seq <= seq) continue;
      bytes += one.header.size() + (one.body ? one.body->size() : 0);
      if (bytes > kMaxRemoteBatch && !found.empty()) break;
      found.push_back(one);
    }
    if (found.empty()) return found;
    if (fault == RemoteFault::cut) found.pop_back();
    if (fault == RemoteFault::lie_head) found.back().hash = std::string(64, 'c');
    if (fault == RemoteFault::lie_bytes) spoil(found.back().body ? *found.back().body : found.back().header);
    if (fault == RemoteFault::twice && found.size() > 1) std::swap(found.front(), found.back());
    if (fault == RemoteFault::forge) forge(found.back());
    return found;
  }
  Result<RemoteOutcome> erase_bodies(const Context&, const StreamId& stream,
                                     std::span<const std::uint64_t> seqs) override {
    return change("erase_bodies", [world = world_, stream, gone = std::set<std::uint64_t>(seqs.begin(), seqs.end())] {
      for (StreamSegment& one : world->streams[stream])
        if (gone.contains(one.seq)) one.body.reset();
      return RemoteOutcome::done;
    });
  }
  Result<RemoteOutcome> store_chunks(const Context&, std::string_view device,
                                     std::span<const RemoteChunk> chunks) override {
    std::size_t bytes = 0;
    for (const RemoteChunk& one : chunks) {
      if (one.bytes.size() > kMaxRemoteChunk) return too_large();
      if (!is_hash_name(one.name)) return fail(Code::unsafe_path, "no name of a chunk");
      bytes += one.bytes.size();
    }
    if (bytes > kMaxRemoteBatch) return too_large();
    HOLDFAST_LET(fault, begin("store_chunks"));
    const std::size_t count = fault == RemoteFault::cut ? chunks.size() / 2 : chunks.size();
    auto put = [world = world_, whose = std::string(device),
                added = std::vector<RemoteChunk>(chunks.begin(), chunks.begin() + static_cast<std::ptrdiff_t>(count))] {
      for (const RemoteChunk& one : added) world->chunks.try_emplace({whose, one.name}, one.bytes);
      return RemoteOutcome::done;
    };
    return carry_out(fault == RemoteFault::cut ? RemoteFault::swallow_answer : fault, std::move(put));
  }
  Result<std::vector<std::optional<std::string>>> read_chunks(const Context&, std::string_view device,
                                                              std::span<const std::string> names) override {
    HOLDFAST_LET(fault, begin("read_chunks"));
    std::vector<std::optional<std::string>> found;
    for (const std::string& name : names) {
      const auto known = world_->chunks.find({std::string(device), name});
      found.emplace_back();
      if (known == world_->chunks.end() || fault == RemoteFault::hide) continue;
      found.back() = known->second;
      if (fault == RemoteFault::lie_bytes) spoil(*found.back());
      if (fault == RemoteFault::cut) found.back()->resize(found.back()->size() / 2);
    }
    return found;
  }
  Result<RemoteOutcome> erase_chunks(const Context&, std::string_view device,
                                     std::span<const std::string> names) override {
    return change("erase_chunks", [world = world_, whose = std::string(device),
                                   gone = std::vector<std::string>(names.begin(), names.end())] {
      for (const std::string& name : gone) world->chunks.erase({whose, name});
      return RemoteOutcome::done;
    });
  }
  Result<RemoteOutcome> erase_device(const Context&, std::string_view device) override {
    return change("erase_device", [world = world_, whose = std::string(device)] {
      std::erase_if(world->chunks, [&](const auto& one) { return one.first.first == whose; });
      std::erase_if(world->streams, [&](const auto& one) { return one.first.device == whose; });
      return RemoteOutcome::done;
    });
  }

 private:
  static Failure too_large() { return fail(Code::too_large, "over the limits of a remote"); }
  static Failure dead() { return fail(Code::sync_transport_failed, std::string(kDeviceCrashed)); }
  static void spoil(std::string& bytes) {
    if (!bytes.empty()) bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  }

  // The segments of another device.
  std::vector<StreamSegment> another_than(const StreamId& stream) const {
    for (const auto& [id, segments] : world_->streams)
      if (id.device != stream.device) return segments;
    return {};
  }
  // Everything except the signature is valid.
  static void forge(StreamSegment& segment) {
    const std::string text = R"({"machine":"mallory","names":{},"seen":[],"ops":[]})";
    const auto packed = pack_chunk(sha256_hex(text), text);
    const std::size_t end = segment.header.find('\n'), body = segment.header.find("\"body\":\"");
    const std::size_t lock = segment.header.find(",\"lock\":");
    if (!packed || end == std::string::npos || body > end) return;
    segment.body = std::string(16, 's') + *packed;
    std::string line = segment.header.substr(0, body) + "\"body\":\"" + sha256_hex(*segment.body) +
                       "\",\"bytes\":" + std::to_string(segment.body->size());
    line += lock < end ? segment.header.substr(lock, end - lock) : "}";
    segment.hash = sha256_hex(line);
    segment.header = line + segment.header.substr(end);
  }

  Result<RemoteFault> begin(std::string_view call) {
    if (crashed_) return dead();
    ++world_->calls;
    const RemoteFault fault = chooser_ ? chooser_(call) : RemoteFault::none;
    if (fault == RemoteFault::fail) return fail(Code::sync_transport_failed, "the simulated remote is away");
    if (fault == RemoteFault::crash_before) {
      crashed_ = true;
      return dead();
    }
    return fault;
  }
  template <typename Deed>
  Result<RemoteOutcome> change(std::string_view call, Deed deed) {
    HOLDFAST_LET(fault, begin(call));
    return carry_out(fault, std::move(deed));
  }
  template <typename Deed>
  Result<RemoteOutcome> carry_out(RemoteFault fault, Deed deed) {
    if (fault == RemoteFault::swallow_request) return RemoteOutcome::unclear;
    if (fault == RemoteFault::delay) {
      world_->late.emplace_back([deed] { (void)deed(); });
      return RemoteOutcome::unclear;
    }
    const RemoteOutcome outcome = deed();
    if (fault == RemoteFault::twice) (void)deed();
    if (fault == RemoteFault::crash_after) {
      crashed_ = true;
      return dead();
    }
    return fault == RemoteFault::swallow_answer ? RemoteOutcome::unclear : Result<RemoteOutcome>(outcome);
  }

  std::shared_ptr<RemoteWorld> world_;
  Chooser chooser_;
  bool crashed_ = false;
};

// One that does not lie: what is damaged or missing in its world is so for everybody. A segment that was removed from
// the world leaves a gap.
class SteadyRemote final : public SimulatedRemote, public KeepsDamage {
 public:
  using SimulatedRemote::SimulatedRemote;

  Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                std::uint64_t seq) override {
    HOLDFAST_LET(found, SimulatedRemote::read_after(context, stream, seq));
    const auto gap = std::ranges::find_if(found, [&](const StreamSegment& one) { return one.seq != ++seq; });
    found.erase(gap, found.end());
    return found;
  }
};

}  // namespace holdfast::inline v1
