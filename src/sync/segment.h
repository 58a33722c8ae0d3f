// A segment of a stream: made and signed, or checked and opened. What comes from a remote is hostile: nothing of it is
// believed or decoded before its size, its place in the chain, its signature and its hash are right.
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sync/remote.h"
#include "sync/seal.h"

namespace holdfast::inline v1 {

// The id that only this key can have.
std::string device_id(std::string_view public_key);

// Which remote, and its keys where it is encrypted.
struct RemoteSecret {
  std::string remote;
  std::optional<std::string> key;                  // what is made is encrypted with it
  std::string lock = {};                           // its id (key_id); "": the first key of the remote
  std::map<std::string, std::string> others = {};  // to read with, by id

  // nullptr: it is not here.
  const std::string* find(const std::string& id) const;
};

struct SegmentHeader {
  std::string remote, device, key;  // the last: the public key, raw
  std::uint64_t epoch = 0, seq = 0;
  std::string prev, at, body;
  std::uint64_t bytes = 0;
  std::string lock = {};  // id of the key that the body is encrypted with; "": the first one of the remote
};

// `content`: one JSON object of at most kMaxChunk bytes.
Result<StreamSegment> make_segment(const SigningKey& key, const RemoteSecret& secret, std::uint64_t epoch,
                                   const StreamHead& after, std::string_view at, std::string_view content);
// The segment behind `after` in that stream, or corrupt with what is wrong about it. The body is checked when there.
Result<SegmentHeader> check_segment(const StreamSegment& segment, std::string_view remote, const StreamId& stream,
                                    const StreamHead& after);
// The content of a body that check_segment has seen. permission_denied: its key is not here.
Result<std::string> open_body(const SegmentHeader& header, std::string_view body, const RemoteSecret& secret);

// A chunk as it lies at a remote: its name there and its bytes, of a block with that name and content.
std::string remote_chunk_name(std::string_view names_key, std::string_view name);
Result<RemoteChunk> close_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                                std::string_view name, std::string_view plain);
// The plain bytes of the block `name`; corrupt unless they are.
Result<std::string> open_chunk(const RemoteSecret& secret, std::string_view device, std::string_view names_key,
                               std::string_view name, std::string_view bytes);

}  // namespace holdfast::inline v1
