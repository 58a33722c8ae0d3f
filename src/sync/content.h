// The content of a segment's body, and its effect on an archive of what a device publishes. The same code
// folds this device's stream and those of others, so a device sees itself as others see it.
// Thread-safety: as the writer's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive_writer.h"
#include "sync/remote.h"

namespace holdfast::inline v1 {

struct SegmentContent {
  std::string machine = {};
  std::map<std::string, std::string> names = {};  // policy -> key of chunk names, raw
  std::map<StreamId, std::uint64_t> seen = {};
  std::optional<std::set<std::string>> revoked = {};  // devices; nullopt: unchanged
  std::set<StreamId> unreadable = {};                 // damaged streams of other devices, which should check them
  std::vector<std::string> ops = {};                  // JSON objects

  // Whether it says nothing beyond who the device is.
  bool empty() const { return ops.empty() && seen.empty() && unreadable.empty() && !revoked; }

  // Whether it tells others only what this device has read or cannot read, whom it has revoked, or that it exists. It
  // shares and withdraws nothing, and may wait where this device only reads.
  bool is_courtesy() const { return ops.empty(); }
};
std::string write_content(const SegmentContent& content);
// Fails with corrupt. The ops are JSON objects; nothing else about them is checked.
Result<SegmentContent> read_content(std::string_view text);

// `capture`: its number is that of the op, its base the previous op of the same session, its origin policy and
// identity.
std::string write_session_op(const Capture& capture);
// The name by which a session is withdrawn. A device that does not have the session learns neither its path nor its id.
std::string drop_name(const CaptureKey& session);
// `as`: the drop_name() of a fuller copy that is published instead, `to`: that of a redacted one; empty if there is
// none.
std::string write_drop_op(std::uint64_t number, std::string_view drop_name, std::string_view as = {},
                          std::string_view to = {});
// The name that the op withdraws; empty if it is another kind of op.
std::string dropped_by(std::string_view op);
// A session that is forgotten in earlier epochs of its device, in which nothing more can be published.
std::string write_forget_op(std::uint64_t number, std::string_view drop_name, const std::set<std::uint64_t>& epochs);
// The epochs and the drop_name(); empty if it is another kind of op.
std::set<std::pair<std::uint64_t, std::string>> forgotten_by(std::string_view op);

// Where a captured session of a stream came from.
struct OpOrigin {
  std::uint64_t seq = 0, number = 0, base = 0;
  std::string policy = {}, identity = {};
};
std::string write_origin(const OpOrigin& origin);
OpOrigin read_origin(std::string_view json);

// The session whose state the op contains; nullopt if it contains none.
std::optional<CaptureKey> session_of(std::string_view op);

// The names of chunks that the ops add, with their policies.
std::vector<std::pair<std::string, std::string>> chunks_of(const SegmentContent& content);

// The number of the last op; 0 if there is none.
std::uint64_t last_op(const SegmentContent& content);
// The number of the last op in the archive.
std::uint64_t last_op(const CaptureState& state);

struct AppliedOps {
  std::set<CaptureKey> sessions = {};   // sessions with a state that was applied
  std::set<CaptureKey> dropped = {};    // sessions that their device no longer shares
  std::set<std::string> replaced = {};  // those of which a fuller copy is here
  // Those that are shared in the other form instead, perhaps in another epoch: the full copy, and the redacted one.
  std::map<std::string, std::pair<std::string, std::string>> forms = {};
  std::set<CaptureKey> whole = {};  // sessions with a whole state; earlier states are erased at the remote
  std::set<std::pair<std::uint64_t, std::string>> forgotten = {};  // in earlier epochs of the device, as forgotten_by()
  std::vector<Finding> findings = {};
};
// Skips ops that are already applied: states of a session up to the one that the archive has. An op that cannot be
// valid becomes a finding and changes nothing. Durable with the writer's next commit.
Result<void> apply_ops(const Context& context, ArchiveWriter& writer, std::uint64_t seq, const SegmentContent& content,
                       AppliedOps& applied);

// The number of bytes of a file that are forgotten.
std::uint64_t forgotten_bytes(const FileVersion& version);

// Drops states that a later whole state of their session replaces, if `may_go` allows it, and chunks that no other
// state names. Returns false if there was nothing to drop; then the writer is still usable. Otherwise it can only be
// closed.
Result<bool> drop_replaced(const Context& context, ArchiveWriter& writer,
                           const std::function<bool(const CaptureKey& key, const OpOrigin& origin)>& may_go);

}  // namespace holdfast::inline v1
