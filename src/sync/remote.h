// What a remote does, and nothing more: it keeps a charter, streams of segments and
// chunks of bytes, for devices that do not trust it. It understands none of them.
// Format and rules: docs/formats/sync.md. Every implementation passes the suite in
// remote_conformance_testing.h.
//
// Errors: sync_transport_failed when the remote cannot be reached or refuses;
// too_large beyond the limits below; corrupt when what is there cannot be what was
// stored; newer_schema when a newer Holdfast set it up. Whatever changes something
// answers an Outcome, because an answer can be lost after the deed was done.
// Hostility: implementations bound what they read by the limits below and check names
// before they become paths or keys; whether the content is true is the caller's work.
// Thread-safety: one thread an object. Lifetime: outlives nothing but its calls.
#pragma once

#include <holdfast/context.h>
#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxCharter = std::size_t{4} << 10;
inline constexpr std::size_t kMaxSegmentHeader = std::size_t{1} << 10;               // with the signature
inline constexpr std::size_t kMaxSegmentBody = std::size_t{1} << 20;                 // as it is stored
inline constexpr std::size_t kMaxRemoteChunk = (std::size_t{1} << 20) + (8U << 10);  // as it is stored
inline constexpr std::size_t kMaxRemoteBatch = std::size_t{4} << 20;                 // bytes of one call

// A stream of a device. A device has more than one only after a clone or a restored backup.
struct StreamId {
  std::string device;       // 32 lower-case hex digits
  std::uint64_t epoch = 0;  // from 1

  auto operator<=>(const StreamId&) const = default;
};

// The end of a stream: how many segments, and the hash of the last one's header. No segments: 0 and "".
struct StreamHead {
  std::uint64_t seq = 0;
  std::string hash = {};  // 64 lower-case hex digits

  bool operator==(const StreamHead&) const = default;
};

struct RemoteStream {
  StreamId id;
  StreamHead head;
};

// One link of a stream. The header is kept for ever; the body can be erased.
struct StreamSegment {
  std::uint64_t seq = 0;                 // from 1, without a gap
  std::string hash = {};                 // of the header
  std::string header = {};               // opaque, signature included
  std::optional<std::string> body = {};  // opaque; nullopt: erased
};

struct RemoteChunk {
  std::string name;   // 64 lower-case hex digits
  std::string bytes;  // opaque
};

enum class RemoteOutcome {
  done,     // it is so, durably
  lost,     // somebody else was first: nothing of this call was done
  unclear,  // the answer did not come: done or not, whole or not; look again
};

bool is_device_id(std::string_view text);
bool is_hash_name(std::string_view text);  // of chunks and heads

class Remote {
 public:
  virtual ~Remote() = default;

  // Where it is, for people; never a credential.
  virtual std::string place() const = 0;

  // What the remote says of itself, as the first device wrote it; nullopt: nobody has yet.
  virtual Result<std::optional<std::string>> charter(const Context& context) = 0;
  // Create-only. lost: there is one, the same or another.
  virtual Result<RemoteOutcome> found(const Context& context, std::string_view charter) = 0;

  // Every stream with at least one segment, in order of device and epoch.
  virtual Result<std::vector<RemoteStream>> heads(const Context& context) = 0;

  // Adds segments behind `expected`, all or none; they follow one another, the first is expected.seq + 1. lost: the
  // head is another one. At most kMaxRemoteBatch bytes.
  virtual Result<RemoteOutcome> publish(const Context& context, const StreamId& stream, const StreamHead& expected,
                                        std::span<const StreamSegment> segments) = 0;

  // Segments behind `seq`, in order and without a gap: at least one if there is any that is readable, and no more
  // than fit into kMaxRemoteBatch. Erased bodies are nullopt. Empty: that was all.
  virtual Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                        std::uint64_t seq) = 0;

  // The bodies are gone when this is done; headers stay. Those that are erased or not there count as erased.
  virtual Result<RemoteOutcome> erase_bodies(const Context& context, const StreamId& stream,
                                             std::span<const std::uint64_t> seqs) = 0;

  // Chunks belong to a device. Storing one that is there changes nothing (the same name means the same bytes to its
  // device). At most kMaxRemoteBatch bytes. Never lost.
  virtual Result<RemoteOutcome> store_chunks(const Context& context, std::string_view device,
                                             std::span<const RemoteChunk> chunks) = 0;
  // One answer a name, in their order; nullopt: not there. The caller asks for at most kMaxChunksAtOnce.
  virtual Result<std::vector<std::optional<std::string>>> read_chunks(const Context& context, std::string_view device,
                                                                      std::span<const std::string> names) = 0;
  // Those that are not there count as erased. Never lost.
  virtual Result<RemoteOutcome> erase_chunks(const Context& context, std::string_view device,
                                             std::span<const std::string> names) = 0;
  // Every stream and every chunk of the device. Never lost.
  virtual Result<RemoteOutcome> erase_device(const Context& context, std::string_view device) = 0;
};

inline constexpr std::size_t kMaxChunksAtOnce = 64;

}  // namespace holdfast::inline v1
