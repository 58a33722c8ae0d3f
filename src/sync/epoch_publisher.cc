#include "sync/epoch_publisher.h"

#include <algorithm>
#include <utility>

#include "base/time.h"
#include "disk/steps.h"
#include "sync/earlier_epochs.h"
#include "sync/read_by.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_abilities.h"
#include "sync/withdrawals.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kContentBytes = std::size_t{256} << 10;  // approximate size of a segment's content
constexpr std::size_t kMaxOp = std::size_t{768} << 10;

}  // namespace

Result<void> EpochPublisher::plan(const SharedSessions& shared, const Troubles& troubles, const SharedSessions* now) {
  std::set<CaptureKey> gone, whole;
  if (run_.local.full != nullptr) {
    const auto [withdrawn, cut] = withdrawals(epoch_.log().state().sessions, shared);
    for (const CaptureKey& key : withdrawn) run_.report.withdrawn.insert(*gone.insert(key).first);
    for (const CaptureKey& key : cut) run_.report.cut.insert(*gone.insert(key).first);
  }
  if (!gone.empty() || !troubles.damage.bodies.empty()) HOLDFAST_TRY(withdraw(gone, troubles.damage, whole));
  for (const auto& [key, one] : shared) {
    HOLDFAST_TRY(run_.context.check());
    const PublishedSessions& published = epoch_.log().state().sessions;  // with the ops of this plan for other sessions
    const auto known = published.find(key);
    const bool is_new = known == published.end() || gone.contains(key);
    const CapturedSession* const before = is_new || whole.contains(key) ? nullptr : &known->second;
    Capture capture = state_since(key, *one.session, before);
    if (before != nullptr && capture.files.empty() && before->row == one.session->row) continue;
    if (before != nullptr) note_replaced(*before, capture, one.policy);
    capture.number = epoch_.next_op();
    capture.base = before == nullptr ? 0 : read_origin(before->origin).number;
    capture.origin = write_origin({0, capture.number, capture.base, one.policy, one.identity});
    std::string op = write_session_op(capture);
    if (op.size() > kMaxOp) {
      run_.report.findings.push_back({key.id, 0, 0, "too_large", "the session has too many files to be shared", 0});
      continue;
    }
    content_.names[one.policy] = epoch_.names_key(one.policy);
    run_.report.sessions.insert(key);
    HOLDFAST_TRY(add(std::move(op)));
  }
  return drop(gone, shared, now == nullptr ? shared : *now, troubles);
}

// Bodies with one of these sessions are erased, so everything else in them is published again: states, and
// note_seen().
Result<void> EpochPublisher::withdraw(const std::set<CaptureKey>& gone, const OwnDamage& damage,
                                      std::set<CaptureKey>& whole) {
  HOLDFAST_LET(all, epoch_.traces());
  std::set<std::uint64_t> seqs;
  for (const CaptureKey& key : gone) {
    const Traces& its = all[key];
    seqs.insert(its.seqs.begin(), its.seqs.end());
    epoch_.erasures.chunks.insert(its.chunks.begin(), its.chunks.end());
  }
  const std::uint64_t first = seqs.empty() ? UINT64_MAX : *seqs.begin();
  seqs.insert(damage.bodies.begin(), damage.bodies.end());
  epoch_.erasures.bodies.insert(seqs.begin(), seqs.end());
  for (const auto& [key, its] : all)
    if (!gone.contains(key) && std::ranges::any_of(its.seqs, [&](std::uint64_t seq) { return seqs.contains(seq); }))
      whole.insert(key);
  epoch_.stream.told.clear();
  epoch_.stream.revoked.clear();
  HOLDFAST_TRY(run_.home.save(run_.context, epoch_.where(), epoch_.stream));
  HOLDFAST_LET(readers, machines_past(run_.context, run_.home, run_.settings, epoch_.id(), first));
  run_.report.pulled_by.merge(readers);
  return {};
}

// Last, so an interrupted run withdraws again; and in segments without states, which are never erased: a
// device that did not read a drop while it was there would keep the session forever.
Result<void> EpochPublisher::drop(const std::set<CaptureKey>& gone, const SharedSessions& shared,
                                  const SharedSessions& now, const Troubles& troubles) {
  const bool again = !troubles.damage.bodies.empty();
  std::set<std::string> names;
  for (const CaptureKey& key : gone)
    if (!shared.contains(key)) names.insert(drop_name(key));  // otherwise its whole state replaces it
  if (again) {
    HOLDFAST_LET(before, withdrawn_names(run_.context, run_.home, epoch_.where()));
    names.merge(before);
    for (const auto& [key, session] : shared) names.erase(drop_name(key));
  }
  std::set<CaptureKey> told = run_.local.forgotten;
  // Another home that writes there as this device notices the damage too, and publishes again what it shares.
  for (const BlockedEpoch& one : troubles.blocked)
    if (keeps_damage(run_.remote) && one.may_be_erased()) told.insert(one.withdrawn.begin(), one.withdrawn.end());
  HOLDFAST_LET(forgotten,
               still_to_forget(run_.context, run_.home, epoch_.where(), troubles.stuck, told, shared, again));
  if (names.empty() && forgotten.empty()) return {};
  HOLDFAST_TRY(flush());
  content_.names.clear();
  auto copies = other_copies(epoch_.key(), run_.settings, gone, now);
  for (const std::string& name : names)
    HOLDFAST_TRY(add(write_drop_op(epoch_.next_op(), name, copies[name].fuller, copies[name].redacted)));
  for (const auto& [name, epochs] : forgotten) HOLDFAST_TRY(add(write_forget_op(epoch_.next_op(), name, epochs)));
  return {};
}

void EpochPublisher::note_replaced(const CapturedSession& before, const Capture& capture, const std::string& policy) {
  for (const FileChange& change : capture.files) {
    const auto old = before.last.find(change.place);
    if (old == before.last.end()) continue;
    for (std::size_t i = change.keep; i < old->second->blocks.size(); ++i)
      for (std::string& name : epoch_.names_of(policy, old->second->blocks[i].name))
        epoch_.erasures.chunks.insert(std::move(name));
  }
}

Result<void> EpochPublisher::note_seen() {
  const OwnStream& stream = epoch_.stream;
  HOLDFAST_LET(streams, run_.home.streams(run_.settings.name));
  for (const StreamId& other : streams) {
    HOLDFAST_LET(cursor, run_.home.cursor(run_.context, run_.settings.name, other));
    const auto told = stream.told.find(other);
    if (cursor.content > (told == stream.told.end() ? 0 : told->second)) content_.seen[other] = cursor.content;
  }
  HOLDFAST_LET(found, complaints(run_.context, run_.home, run_.settings.name));
  for (const auto& [damaged, about] : found.open) content_.unreadable.insert(damaged);
  if (auto revoked = run_.settings.revoked(); revoked != stream.revoked) content_.revoked = std::move(revoked);
  // Later keys are sealed with the public keys in streams, so a device that only reads needs a stream too.
  greets_ = run_.settings.key().key.has_value() && stream.head.seq == 0;
  return {};
}

Result<void> EpochPublisher::mend_chunks(const std::set<std::string>& damaged) {
  std::set<std::pair<std::string, std::string>> found;
  for (const auto& [key, session] : epoch_.log().state().sessions)
    for (const auto& [place, version] : session.last)
      for (const FileBlock& block : version->blocks)
        if (damaged.contains(block.name)) found.emplace(block.name, read_origin(session.origin).policy);
  std::vector<std::pair<std::string, std::string>> mended;
  std::vector<std::string> names;
  for (const auto& [name, policy] : found) {
    Packs* const packs = run_.local.of(policy);
    if (packs == nullptr || !packs->read(name)) {
      run_.report.findings.push_back(
          {run_.settings.name, 0, 0, "damaged",
           "chunk " + name + " is damaged there, and the archive here does not have it either", 0});
      continue;
    }
    mended.emplace_back(name, policy);
    content_.names[policy] = epoch_.names_key(policy);
    std::ranges::move(epoch_.names_of(policy, name), std::back_inserter(names));
  }
  if (mended.empty()) return {};
  sender_.forget_stored(names);
  HOLDFAST_TRY(check_writable(run_.context, run_.remote, epoch_.id()));
  HOLDFAST_LET(outcome, run_.remote.erase_chunks(run_.context, epoch_.device(), names));
  if (outcome != RemoteOutcome::done) return no_answer();
  HOLDFAST_TRY(sender_.store_chunks(mended));
  run_.report.mended_chunks += mended.size();
  // They have new names since the key changed, which readers may not know yet.
  greets_ = greets_ || !run_.settings.key().lock.empty();
  return {};
}

Result<void> EpochPublisher::add(std::string op) {
  if (bytes_ > 0 && bytes_ + op.size() > kContentBytes) HOLDFAST_TRY(flush());
  bytes_ += op.size();
  content_.ops.push_back(std::move(op));
  return {};
}

Result<void> EpochPublisher::flush() {
  const bool says_nothing = content_.empty() && !greets_;
  if (says_nothing && epoch_.erasures.empty()) return {};
  HOLDFAST_LET(read_only, is_read_only(run_.context, run_.remote, epoch_.id()));
  if (read_only && content_.is_courtesy() && epoch_.erasures.empty()) {
    content_ = {};
    greets_ = false;
    return {};
  }
  if (read_only) HOLDFAST_TRY(check_writable(run_.context, run_.remote, epoch_.id()));
  if (does(Step::sync_erasures_noted)) HOLDFAST_TRY(epoch_.save_erasures());
  if (says_nothing) return {};
  greets_ = false;
  content_.machine = run_.settings.machine;
  HOLDFAST_LET(segment, make_segment(epoch_.key(), run_.settings.key(), epoch_.stream.epoch, epoch_.stream.head,
                                     iso8601(run_.context.clock->now()), write_content(content_)));
  const bool is_courtesy = content_.is_courtesy();
  content_ = {.names = std::move(content_.names)};
  bytes_ = 0;
  HOLDFAST_TRY(sender_.send(segment, is_courtesy));
  return does(Step::sync_erasures_noted) ? Result<void>() : epoch_.save_erasures();
}

Result<void> EpochPublisher::finish() {
  HOLDFAST_TRY(flush());
  HOLDFAST_TRY(epoch_.log().close(run_.context));
  return epoch_.erase();
}

}  // namespace holdfast::inline v1
