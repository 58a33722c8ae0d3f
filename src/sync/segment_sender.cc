#include "sync/segment_sender.h"

#include <algorithm>

#include "disk/steps.h"
#include "sync/earlier_epochs.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_abilities.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kTriesToSend = 3;

// Whether an op that was made earlier may be sent as it is: a state may be that of a session that is forgotten or no
// longer shared in this form by now, or have lines that are forgotten.
bool may_still_go(const std::string& op, const SharedSessions& shared) {
  const auto key = session_of(op);
  if (!key) return true;
  const auto now = shared.find(*key);
  if (now == shared.end() || has_lost_lines(*now->second.session)) return false;
  const JsonView state = JsonView(op).find("state");
  const std::string policy = read_origin(state.find("origin").raw()).policy;
  return policy == now->second.policy && (policy != "redacted" || has_current_redaction(state.find("row").raw()));
}

}  // namespace

Result<bool> SegmentSender::settle(const StreamHead& there, const SharedSessions& shared) {
  HOLDFAST_LET(pending, run_.home.pending(run_.context, epoch_.where()));
  HOLDFAST_LET(read_only, pending ? is_read_only(run_.context, run_.remote, epoch_.id()) : Result<bool>(false));
  // The last run was interrupted: partial files of it may be there, under names that nobody reads.
  if (pending && !read_only) HOLDFAST_TRY(sweep(run_.context, run_.remote, epoch_.device()));
  const StreamHead& head = epoch_.stream.head;
  if (pending && does(Step::sync_settled)) {
    const auto header = check_segment(*pending, run_.settings.id, epoch_.id(), head);
    const bool ours = header.has_value();
    if (ours && there == StreamHead{pending->seq, pending->hash}) {
      note_sent(*pending);
      HOLDFAST_TRY(adopt(*pending));
      return true;
    }
    if (ours && there == head) {
      const auto content = epoch_.content_of(*pending);
      // A device that was revoked since could read the segment, so what it says is said again with the new key.
      if (!content || header->lock != run_.settings.key().lock ||
          !std::ranges::all_of(content->ops, [&](const std::string& op) { return may_still_go(op, shared); })) {
        HOLDFAST_TRY(drop_pending(*pending));
        return true;
      }
      const bool is_courtesy = content->is_courtesy();
      if (read_only && is_courtesy) {
        HOLDFAST_TRY(run_.home.drop_pending(run_.context, epoch_.where()));
        return true;
      }
      if (read_only) HOLDFAST_TRY(check_writable(run_.context, run_.remote, epoch_.id()));
      note_sent(*pending);
      HOLDFAST_TRY(send_or_wait(*pending, is_courtesy));
      return true;
    }
    // The segment is from an abandoned epoch, or was adopted already.
    if (!ours && there == head) {
      HOLDFAST_TRY(run_.home.drop_pending(run_.context, epoch_.where()));
      return true;
    }
  }
  return there == head || !does(Step::sync_clone_noticed);
}

// Counts the sessions of a segment that an earlier run made but did not report.
void SegmentSender::note_sent(const StreamSegment& segment) {
  const auto content = epoch_.content_of(segment);
  if (!content) return;
  for (const std::string& op : content->ops)
    if (auto session = session_of(op)) run_.report.sessions.insert(*std::move(session));
}

Result<void> SegmentSender::abandon() {
  HOLDFAST_LET(pending, run_.home.pending(run_.context, epoch_.where()));
  return pending ? drop_pending(*pending) : Result<void>();
}

// It is not published, but some of its chunks may be stored.
Result<void> SegmentSender::drop_pending(const StreamSegment& segment) {
  epoch_.erasures.chunks.merge(epoch_.chunks_for(segment));
  HOLDFAST_TRY(epoch_.save_erasures());
  return run_.home.drop_pending(run_.context, epoch_.where());
}

Result<void> SegmentSender::send(const StreamSegment& segment, bool is_courtesy) {
  if (does(Step::sync_pending_noted)) HOLDFAST_TRY(run_.home.save_pending(run_.context, epoch_.where(), segment));
  return send_or_wait(segment, is_courtesy);
}

Result<void> SegmentSender::send_or_wait(const StreamSegment& segment, bool is_courtesy) {
  auto sent = publish(segment);
  if (sent || !is_full(sent.error())) return sent;
  HOLDFAST_TRY(drop_pending(segment));
  if (!is_courtesy) return sent;
  run_.report.findings.push_back({run_.remote.place(), 0, 0, "full",
                                  "the remote is full, so other machines do not learn yet what this one has read", 0});
  return {};
}

Result<void> SegmentSender::publish(const StreamSegment& segment) {
  HOLDFAST_LET(content, epoch_.content_of(segment));
  if (does(Step::sync_chunks_first)) HOLDFAST_TRY(store_chunks(chunks_of(content)));
  const StreamSegment only[] = {segment};
  bool lost = false;
  for (int tries = 0; tries < kTriesToSend; ++tries) {
    HOLDFAST_LET(outcome, run_.remote.publish(run_.context, epoch_.id(), epoch_.stream.head, only));
    if (outcome == RemoteOutcome::done) {
      HOLDFAST_TRY(adopt(segment));
      return does(Step::sync_chunks_first) ? Result<void>() : store_chunks(chunks_of(content));
    }
    lost = outcome == RemoteOutcome::lost;
    // The outcome is unclear, or somebody was first, perhaps this very segment.
    HOLDFAST_LET(heads, run_.remote.heads(run_.context));
    StreamHead there;
    for (const RemoteStream& one : heads)
      if (one.id == epoch_.id()) there = one.head;
    if (there == StreamHead{segment.seq, segment.hash}) return adopt(segment);
    if (there != epoch_.stream.head && epoch_.where() != run_.settings.name)
      return fail(Code::conflict, "someone else is writing to the remote as this device; the next sync resumes");
    if (there != epoch_.stream.head)
      return fail(Code::conflict,
                  "someone else is writing to the remote as this device; the next sync begins an epoch of its own "
                  "and publishes everything again");
  }
  if (lost) {
    HOLDFAST_LET(taken, obstacle(run_.context, run_.remote, epoch_.id(), segment.seq));
    if (taken)
      return fail(Code::sync_transport_failed,
                  "this is not a segment, but has the name of the next one; the next sync continues next to it",
                  *taken);
  }
  return no_answer();
}

Result<void> SegmentSender::adopt(const StreamSegment& segment) {
  HOLDFAST_TRY(epoch_.adopt(segment));
  ++run_.report.segments;
  return {};
}

Result<void> SegmentSender::store_chunks(const std::vector<std::pair<std::string, std::string>>& chunks) {
  std::vector<RemoteChunk> batch;
  std::size_t bytes = 0;
  const auto store = [&]() -> Result<void> {
    if (batch.empty()) return {};
    for (int tries = 0;; ++tries) {
      HOLDFAST_LET(outcome, run_.remote.store_chunks(run_.context, epoch_.device(), batch));
      if (outcome == RemoteOutcome::done) break;
      if (tries == kTriesToSend) return no_answer();
    }
    run_.report.chunks += batch.size();
    run_.report.bytes += bytes;
    batch.clear();
    bytes = 0;
    return {};
  };
  for (const auto& [name, policy] : chunks) {
    HOLDFAST_TRY(run_.context.check());
    const std::string key = epoch_.names_key(policy);
    if (!stored_.insert(remote_chunk_name(key, name)).second) continue;
    Packs* const packs = run_.local.of(policy);
    const auto plain = packs == nullptr ? Result<std::string>(fail(Code::not_found, "no archive")) : packs->read(name);
    // Compacted or forgotten since the segment was made: a newer state follows.
    if (!plain && plain.error().code == Code::not_found) continue;
    if (!plain) return fail(plain.error());
    HOLDFAST_LET(chunk, close_chunk(run_.settings.key(), epoch_.device(), key, name, *plain));
    if (bytes + chunk.bytes.size() > kMaxRemoteBatch || batch.size() == kMaxChunksAtOnce) HOLDFAST_TRY(store());
    bytes += chunk.bytes.size();
    batch.push_back(std::move(chunk));
  }
  return store();
}

void SegmentSender::forget_stored(const std::vector<std::string>& names) {
  for (const std::string& name : names) stored_.erase(name);
}

}  // namespace holdfast::inline v1
