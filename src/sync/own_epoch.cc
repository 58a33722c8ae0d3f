#include "sync/own_epoch.h"

#include <algorithm>
#include <utility>

#include "archive/rewrite_archive.h"
#include "disk/steps.h"
#include "sync/check_own_stream.h"
#include "sync/earlier_epochs.h"
#include "sync/home_notes.h"
#include "sync/log_mark.h"
#include "sync/remote_abilities.h"

namespace holdfast::inline v1 {

Result<void> OwnEpoch::load() {
  HOLDFAST_LET(key, given_ ? Result<SigningKey>(*given_) : run_.home.device(run_.context));
  key_ = std::move(key);
  device_ = device_id(key_.public_key);
  HOLDFAST_LET(known, run_.home.own_stream(run_.context, where_));
  stream = std::move(known);
  return {};
}

Result<bool> OwnEpoch::is_whole() const {
  if (stream.head.seq == 0) return true;
  return is_log_whole(run_.context, run_.home, run_.home.published(where_, stream.epoch), stream.log, true);
}

Result<void> OwnEpoch::start_again() {
  log_.reset();
  stream.head = {};
  stream.content = 0;
  stream.log.reset();
  HOLDFAST_TRY(run_.home.save(run_.context, where_, stream));
  return run_.home.drop_published(where_, stream.epoch);
}

// The log is about to be rewritten.
Result<void> OwnEpoch::unmark_log() {
  return std::exchange(stream.log, std::nullopt) ? run_.home.save(run_.context, where_, stream) : Result<void>();
}

Result<void> OwnEpoch::mark_log() {
  HOLDFAST_LET(mark, holdfast::mark_log(run_.home, run_.home.published(where_, stream.epoch), stream.log));
  stream.log = mark;
  return {};
}

Result<void> OwnEpoch::open_log() {
  if (log_) return {};
  HOLDFAST_LET(log, ArchiveWriter::open(run_.context, run_.home.files(), run_.home.published(where_, stream.epoch),
                                        ArchiveOrder::lines_first));
  log_ = std::move(log);
  last_ = std::max({last_, stream.last_op, last_op(log_->state())});
  return {};
}

Result<std::map<CaptureKey, Traces>> OwnEpoch::traces() {
  return published_traces(run_.context, *log_,
                          [&](const std::string& policy, const std::string& chunk) { return names_of(policy, chunk); });
}

std::string OwnEpoch::names_key(const std::string& policy) const {
  return own_names_keys(key_, run_.settings, stream.epoch, policy).front();
}

std::vector<std::string> OwnEpoch::names_of(const std::string& policy, const std::string& chunk) const {
  std::vector<std::string> names;
  for (const std::string& key : own_names_keys(key_, run_.settings, stream.epoch, policy))
    names.push_back(remote_chunk_name(key, chunk));
  return names;
}

Result<SegmentContent> OwnEpoch::content_of(const StreamSegment& segment) const {
  HOLDFAST_LET(header, check_segment(segment, run_.settings.id, id(), stream.head));
  if (!segment.body) return SegmentContent();
  HOLDFAST_LET(text, open_body(header, *segment.body, run_.settings.key()));
  return read_content(text);
}

std::set<std::string> OwnEpoch::chunks_for(const StreamSegment& segment) const {
  std::set<std::string> all;
  const auto content = content_of(segment);
  if (!content) return all;
  for (const auto& [chunk, policy] : chunks_of(*content))
    for (std::string& name : names_of(policy, chunk)) all.insert(std::move(name));
  return all;
}

Result<void> OwnEpoch::adopt(const StreamSegment& segment) {
  HOLDFAST_TRY(open_log());
  HOLDFAST_LET(content, content_of(segment));
  AppliedOps applied;
  HOLDFAST_TRY(apply_ops(run_.context, *log_, segment.seq, content, applied));
  if (does(Step::sync_published_durable)) HOLDFAST_TRY(log_->commit(run_.context));
  std::erase_if(applied.dropped, [&](const CaptureKey& key) { return !log_->state().sessions.contains(key); });
  if (!applied.dropped.empty()) {
    HOLDFAST_TRY(unmark_log());
    HOLDFAST_TRY(drop_sessions(run_.context, *log_, applied.dropped));
    log_.reset();
    HOLDFAST_TRY(open_log());
  }
  stream.head = {segment.seq, segment.hash};
  if (!content.ops.empty()) stream.content = segment.seq;
  stream.last_op = std::max(stream.last_op, last_op(content));
  last_ = std::max(last_, stream.last_op);
  if (content.revoked) stream.revoked = *content.revoked;
  for (const auto& [other, seq] : content.seen) stream.told[other] = std::max(stream.told[other], seq);
  HOLDFAST_TRY(mark_log());
  HOLDFAST_TRY(run_.home.save(run_.context, where_, stream));
  std::set<std::string> withdrawn;
  for (const std::string& op : content.ops) withdrawn.insert(dropped_by(op));
  if (withdrawn.erase(""); !withdrawn.empty()) {
    HOLDFAST_LET(before, withdrawn_names(run_.context, run_.home, where_));
    withdrawn.merge(before);
    HOLDFAST_TRY(save_withdrawn_names(run_.context, run_.home, where_, withdrawn));
  }
  HOLDFAST_TRY(note_forgotten_earlier(run_.context, run_.home, where_, content));
  if (!content.unreadable.empty()) {
    HOLDFAST_LET(found, complaints(run_.context, run_.home, run_.settings.name));
    found.told.merge(found.open);
    found.open.clear();
    HOLDFAST_TRY(save_complaints(run_.context, run_.home, run_.settings.name, found));
  }
  return run_.home.drop_pending(run_.context, where_);
}

Result<void> OwnEpoch::save_erasures() {
  if (erasures.empty()) return {};
  HOLDFAST_LET(known, run_.home.erasures(run_.context, where_));
  if (known.epoch != 0 && known.epoch != stream.epoch) known = {};
  known.epoch = stream.epoch;
  known.bodies.insert(erasures.bodies.begin(), erasures.bodies.end());
  known.chunks.insert(erasures.chunks.begin(), erasures.chunks.end());
  erasures = {};
  return run_.home.save(run_.context, where_, known);
}

Result<void> OwnEpoch::erase() {
  HOLDFAST_LET(decided, run_.home.erasures(run_.context, where_));
  // An older Holdfast wrote 0.
  if (decided.empty() || (decided.epoch != 0 && decided.epoch != stream.epoch)) return {};
  HOLDFAST_TRY(check_writable(run_.context, run_.remote, id()));
  // Partial files of earlier runs may contain what is erased.
  HOLDFAST_TRY(sweep(run_.context, run_.remote, device_));
  // An unfinished plan may have recorded more erasures than are safe.
  HOLDFAST_LET(all, traces());
  for (const auto& [key, its] : all)
    for (const std::uint64_t seq : its.needed) decided.bodies.erase(seq);
  // States leave the log with their bodies, and nothing else knows which chunks they named.
  for (const auto& [key, its] : all)
    if (std::ranges::any_of(its.seqs, [&](std::uint64_t seq) { return decided.bodies.contains(seq); }))
      decided.chunks.insert(its.chunks.begin(), its.chunks.end());
  for (const auto& [key, session] : log_->state().sessions) {
    const std::string policy = read_origin(session.origin).policy;
    for (const auto& [place, version] : session.last)
      for (const FileBlock& block : version->blocks)
        for (const std::string& name : names_of(policy, block.name)) decided.chunks.erase(name);
  }
  const std::vector<std::uint64_t> bodies(decided.bodies.begin(), decided.bodies.end());
  const std::vector<std::string> chunks(decided.chunks.begin(), decided.chunks.end());
  if (!bodies.empty() && does(Step::sync_bodies_erased)) {
    HOLDFAST_LET(outcome, run_.remote.erase_bodies(run_.context, id(), bodies));
    if (outcome != RemoteOutcome::done) return no_answer();
  }
  if (!chunks.empty() && does(Step::sync_chunks_erased)) {
    HOLDFAST_LET(outcome, run_.remote.erase_chunks(run_.context, device_, chunks));
    if (outcome != RemoteOutcome::done) return no_answer();
  }
  HOLDFAST_TRY(drop_erased(decided.bodies));
  return run_.home.save(run_.context, where_, Erasures());
}

// The erased content is not kept here either: it may be what people want forgotten.
Result<void> OwnEpoch::drop_erased(const std::set<std::uint64_t>& bodies) {
  if (bodies.empty()) return {};
  log_.reset();
  HOLDFAST_TRY(open_log());
  HOLDFAST_TRY(unmark_log());
  HOLDFAST_TRY(drop_replaced(run_.context, *log_,
                             [&](const CaptureKey&, const OpOrigin& origin) { return bodies.contains(origin.seq); }));
  log_.reset();
  HOLDFAST_TRY(mark_log());
  return run_.home.save(run_.context, where_, stream);
}

}  // namespace holdfast::inline v1
