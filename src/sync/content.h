// What the body of a segment says, and its effect on an archive of what a device publishes. The same code folds the own
// stream and those of others, so that a device sees of itself what others see of it.
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
  std::optional<std::set<std::string>> revoked = {};  // devices; nullopt: as before
  std::set<StreamId> unreadable = {};                 // streams of others that are damaged there: their writers check
  std::vector<std::string> ops = {};                  // JSON objects
};
std::string write_content(const SegmentContent& content);
// corrupt. The ops are JSON objects and nothing more is sure about them.
Result<SegmentContent> read_content(std::string_view text);

// `capture`: its number is that of the op, its base the op before of the same session, its origin policy and identity.
std::string write_session_op(const Capture& capture);
// What is withdrawn is named by nothing but this: a device that does not have it learns neither path nor id.
std::string drop_name(const CaptureKey& session);
std::string write_drop_op(std::uint64_t number, std::string_view drop_name);
// What it withdraws; empty: it is of another kind.
std::string dropped_by(std::string_view op);

// Where a captured session of a stream came from.
struct OpOrigin {
  std::uint64_t seq = 0, number = 0, base = 0;
  std::string policy = {}, identity = {};
};
std::string write_origin(const OpOrigin& origin);
OpOrigin read_origin(std::string_view json);

// Which session an op is the state of; nullopt: it is none.
std::optional<CaptureKey> session_of(std::string_view op);

// The names of chunks that the ops add, with their policy.
std::vector<std::pair<std::string, std::string>> chunks_of(const SegmentContent& content);

// The number of its last op; 0: it has none.
std::uint64_t last_op(const SegmentContent& content);
// The number of the last op that is in the archive.
std::uint64_t last_op(const CaptureState& state);

struct AppliedOps {
  std::uint64_t sessions = 0;         // states that were taken
  std::set<CaptureKey> dropped = {};  // that their device no longer shares
  std::set<CaptureKey> whole = {};    // of which a whole state was said: what was said before is erased at the remote
  std::vector<Finding> findings = {};
};
// Ops that are there already change nothing; one that cannot be right is a finding and changes nothing. Durable with
// the writer's next commit.
Result<void> apply_ops(const Context& context, ArchiveWriter& writer, std::uint64_t seq, const SegmentContent& content,
                       AppliedOps& applied);

// How many bytes of a file are forgotten.
std::uint64_t cut_out_of(const FileVersion& version);

// Lets go of states that a later whole one of their session replaces, and of chunks that no other state names, if
// `may_go` says so of them. False: there was nothing, and the writer goes on; else it can only be closed.
Result<bool> drop_replaced(const Context& context, ArchiveWriter& writer,
                           const std::function<bool(const CaptureKey& key, const OpOrigin& origin)>& may_go);

}  // namespace holdfast::inline v1
