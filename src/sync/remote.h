// What a remote does, and nothing more: it keeps a charter, streams of segments and chunks of
// bytes, for devices that do not trust it. It understands none of them. Format and rules:
// docs/formats/sync.md. Every implementation passes the suite in remote_conformance_testing.h.
//
// Errors: sync_transport_failed if the remote cannot be reached, refuses, or is for a newer Holdfast;
// too_large beyond the limits below; corrupt if what is stored is not valid.
// Every change returns a RemoteOutcome, because an answer can be lost after the change was made.
// Hostile input: implementations bound what they read by the limits below and check names before
// they become paths or keys. The caller verifies the content.
// Thread-safety: one thread per object. Lifetime: keeps no reference to an argument after a call.
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
inline constexpr std::size_t kMaxSegmentHeader = std::size_t{1} << 10;               // including the signature
inline constexpr std::size_t kMaxSegmentBody = std::size_t{1} << 20;                 // as stored
inline constexpr std::size_t kMaxRemoteChunk = (std::size_t{1} << 20) + (8U << 10);  // as stored
inline constexpr std::size_t kMaxRemoteBatch = std::size_t{4} << 20;                 // bytes of one call

// A stream of a device. A device has several only after a clone or a restored backup.
struct StreamId {
  std::string device;       // 32 lower-case hex digits
  std::uint64_t epoch = 0;  // from 1

  auto operator<=>(const StreamId&) const = default;
};

// The end of a stream: the number of segments, and the hash of the last header. 0 and "" if there is no segment.
struct StreamHead {
  std::uint64_t seq = 0;
  std::string hash = {};  // 64 lower-case hex digits

  bool operator==(const StreamHead&) const = default;
};

struct RemoteStream {
  StreamId id;
  StreamHead head;
};

// One link of a stream. The header is kept forever; the body can be erased.
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
  done,     // done durably
  lost,     // somebody else was first; nothing of this call was done
  unclear,  // no answer: done or not, whole or in part; look again
};

bool is_device_id(std::string_view text);
bool is_hash_name(std::string_view text);  // for chunks and heads

class Remote {
 public:
  virtual ~Remote() = default;

  // A description of the place for people; never contains a credential.
  virtual std::string place() const = 0;

  // The charter as the first device wrote it; nullopt if there is none yet.
  virtual Result<std::optional<std::string>> charter(const Context& context) = 0;
  // Creates the charter; never replaces one. lost: there is a charter already, the same or another.
  virtual Result<RemoteOutcome> found(const Context& context, std::string_view charter) = 0;

  // Every stream with at least one segment, in order of device and epoch.
  virtual Result<std::vector<RemoteStream>> heads(const Context& context) = 0;

  // Appends segments after `expected`, all or none. They must be consecutive and begin with expected.seq + 1.
  // lost: the head differs. At most kMaxRemoteBatch bytes.
  virtual Result<RemoteOutcome> publish(const Context& context, const StreamId& stream, const StreamHead& expected,
                                        std::span<const StreamSegment> segments) = 0;

  // Returns segments after `seq`, in order and without a gap: at least one if a readable one exists, and no
  // more than fit into kMaxRemoteBatch. Erased bodies are nullopt. Empty at the end of the stream.
  virtual Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                        std::uint64_t seq) = 0;

  // Removes bodies; headers stay. Bodies that are already erased or missing count as erased.
  virtual Result<RemoteOutcome> erase_bodies(const Context& context, const StreamId& stream,
                                             std::span<const std::uint64_t> seqs) = 0;

  // Chunks belong to a device. Storing an existing chunk changes nothing (for one device, the same name means
  // the same bytes). At most kMaxRemoteBatch bytes. Never returns lost.
  virtual Result<RemoteOutcome> store_chunks(const Context& context, std::string_view device,
                                             std::span<const RemoteChunk> chunks) = 0;
  // Returns one result per name, in order; nullopt if missing. The caller asks for at most kMaxChunksAtOnce.
  virtual Result<std::vector<std::optional<std::string>>> read_chunks(const Context& context, std::string_view device,
                                                                      std::span<const std::string> names) = 0;
  // Missing chunks count as erased. Never returns lost.
  virtual Result<RemoteOutcome> erase_chunks(const Context& context, std::string_view device,
                                             std::span<const std::string> names) = 0;
  // Erases every stream and chunk of the device. Never returns lost.
  virtual Result<RemoteOutcome> erase_device(const Context& context, std::string_view device) = 0;
};

inline constexpr std::size_t kMaxChunksAtOnce = 64;

}  // namespace holdfast::inline v1
