// Makes and signs, or checks and opens, a segment of a stream. Data from a remote is hostile: it is not
// trusted or decoded before its size, its place in the chain, its signature and its hash are verified.
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sync/remote.h"
#include "sync/seal.h"

namespace holdfast::inline v1 {

// The id of a device, which is unique to its key.
std::string device_id(std::string_view public_key);

// A remote, and its keys if it is encrypted.
struct RemoteSecret {
  std::string remote;
  std::optional<std::string> key;                  // encrypts new data
  std::string lock = {};                           // id of `key` (key_id); "": the remote's first key
  std::map<std::string, std::string> others = {};  // for reading only, by id

  // nullptr if this device does not have the key.
  const std::string* find(const std::string& id) const;
};

struct SegmentHeader {
  std::string remote, device, key;  // key: the public key, raw
  std::uint64_t epoch = 0, seq = 0;
  std::string prev, at, body;
  std::uint64_t bytes = 0;
  std::string lock = {};  // id of the key that encrypts the body; "": the remote's first key
};

// `content`: one JSON object of at most kMaxChunk bytes.
Result<StreamSegment> make_segment(const SigningKey& key, const RemoteSecret& secret, std::uint64_t epoch,
                                   const StreamHead& after, std::string_view at, std::string_view content);
// Checks the segment that follows `after`; fails with corrupt and the reason. Checks the body if there is one.
Result<SegmentHeader> check_segment(const StreamSegment& segment, std::string_view remote, const StreamId& stream,
                                    const StreamHead& after);
// The content of a body that passed check_segment. Fails with permission_denied if this device does not have the key.
Result<std::string> open_body(const SegmentHeader& header, std::string_view body, const RemoteSecret& secret);

// A block with that name and content as a chunk of a remote: its name there, and its bytes.
std::string remote_chunk_name(std::string_view names_key, std::string_view name);
Result<RemoteChunk> close_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                                std::string_view name, std::string_view plain);
// The plain bytes of the block `name`. Fails with corrupt if they do not match the name.
Result<std::string> open_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                               std::string_view name, std::string_view bytes);

}  // namespace holdfast::inline v1
