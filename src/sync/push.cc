#include "sync/push.h"

#include <algorithm>
#include <utility>

#include "sync/earlier_epochs.h"
#include "sync/epoch_publisher.h"
#include "sync/home_notes.h"
#include "sync/left_epochs.h"
#include "sync/remote_abilities.h"
#include "sync/remote_keys.h"
#include "sync/withdrawals.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMaxAside = 8;  // abandoned epochs in one run

// The current epoch, and whether it can go on.
class Push {
 public:
  explicit Push(const PushRun& run) : run_(run), epoch_(run, run.settings.name), sender_(run, epoch_) {}

  Result<void> go(const std::vector<RemoteStream>& heads, SharedSessions& shared) {
    HOLDFAST_TRY(epoch_.load());
    HOLDFAST_TRY(give_keys(run_.context, run_.home, run_.settings, run_.remote, heads));
    HOLDFAST_TRY(leave_earlier_device(heads));
    HOLDFAST_TRY(leave_lost_record(heads));
    HOLDFAST_TRY(step_aside(heads));
    HOLDFAST_TRY(settle(heads, shared));
    HOLDFAST_TRY(epoch_.open_log());
    EpochPublisher::Troubles troubles;
    if (run_.local.full != nullptr) {
      HOLDFAST_TRY(keep(shared));
      HOLDFAST_LET(damage, heed_damage(heads));
      troubles.damage = std::move(damage);
      HOLDFAST_TRY(take_over_epochs(run_, epoch_.stream, heads));
      HOLDFAST_LET(left, withdraw_from_left(run_, epoch_.stream, epoch_.log().state(), heads, shared));
      troubles.stuck = std::move(left.stuck);
      troubles.blocked = std::move(left.blocked);
    }
    EpochPublisher publisher(run_, epoch_, sender_);
    HOLDFAST_TRY(publisher.plan(shared, troubles));
    HOLDFAST_TRY(publisher.note_seen());
    HOLDFAST_TRY(publisher.mend_chunks(troubles.damage.chunks));
    HOLDFAST_TRY(publisher.finish());
    // Last: other sessions in the same bodies are in the current epoch then.
    if (run_.local.full != nullptr) {
      HOLDFAST_TRY(
          clear_blocked(run_.context, run_.home, run_.settings, run_.remote, troubles.blocked, shared, run_.report));
      HOLDFAST_TRY(note_withdrawn_texts());
    }
    return is_damaged_ ? save_own_damage(run_.context, run_.home, run_.settings.name, {}) : Result<void>();
  }

  bool may_only_read() { return is_read_only(run_.context, run_.remote, epoch_.id()).value_or(false); }

 private:
  // Only what a person has withdrawn goes, not what the archive has lost.
  Result<void> keep(SharedSessions& shared) {
    HOLDFAST_LET(device, run_.home.device(run_.context));
    HOLDFAST_LET(found_there, text_there(run_.context, run_.home, run_.settings.id));
    kept_ = kept_there(device, run_.settings, run_.local.known, epoch_.log().state().sessions);
    std::erase_if(kept_,
                  [&](const auto& one) { return found_there.contains({epoch_.stream.epoch, drop_name(one.first)}); });
    share_kept(kept_, shared);
    return {};
  }

  // Texts that were found in the current epoch are gone from it.
  Result<void> note_withdrawn_texts() {
    HOLDFAST_LET(found_there, text_there(run_.context, run_.home, run_.settings.id));
    const auto gone = std::erase_if(found_there, [&](const auto& one) { return one.first == epoch_.stream.epoch; });
    return gone == 0 ? Result<void>() : save_text_there(run_.context, run_.home, run_.settings.id, found_there);
  }

  // Older versions made a key for every machine, so a home that moved had several. Only one goes on.
  Result<void> leave_earlier_device(const std::vector<RemoteStream>& heads) {
    const auto is_there = [&](const std::string& device) {
      return std::ranges::any_of(heads, [&](const RemoteStream& one) {
        return one.id == StreamId{device, epoch_.stream.epoch} && one.head == epoch_.stream.head;
      });
    };
    HOLDFAST_LET(keys, run_.home.devices(run_.context));
    for (const SigningKey& key : keys) {
      const std::string device = device_id(key.public_key);
      if (!is_there(device)) continue;
      if (device == epoch_.device()) return {};
      return new_epoch(heads, "this home published as device " + device + ", and now does as " + epoch_.device());
    }
    return {};
  }

  // Without a whole record of what it published, this home would not withdraw all of it. An epoch that it has left is
  // read to its end first.
  Result<void> leave_lost_record(const std::vector<RemoteStream>& heads) {
    HOLDFAST_LET(whole, epoch_.is_whole());
    if (whole || run_.local.full == nullptr) return {};
    const std::uint64_t lost = epoch_.stream.epoch;
    HOLDFAST_TRY(new_epoch(heads, "this home's record of what it published there is damaged or was removed"));
    return run_.home.drop_published(epoch_.where(), lost);
  }

  // Something that is not a segment may have the name of the next one. It is left as it is, and this device
  // continues in a new epoch.
  Result<void> step_aside(const std::vector<RemoteStream>& heads) {
    for (int tries = 0; tries < kMaxAside; ++tries) {
      HOLDFAST_LET(taken, obstacle(run_.context, run_.remote, epoch_.id(), epoch_.stream.head.seq + 1));
      if (!taken) return {};
      HOLDFAST_TRY(new_epoch(heads, *taken + " is not a segment, and is left as it is; the next segment of this device "
                                             "would have its name"));
    }
    return {};
  }

  // Finds out how the last run ended, and whether somebody else writes as this device.
  Result<void> settle(const std::vector<RemoteStream>& heads, const SharedSessions& shared) {
    StreamHead there;
    for (const RemoteStream& one : heads)
      if (one.id == epoch_.id()) there = one.head;
    HOLDFAST_LET(ours, sender_.settle(there, shared));
    if (ours) return {};
    const StreamHead& here = epoch_.stream.head;
    if (there.seq == here.seq)
      return new_epoch(heads, "segment " + std::to_string(here.seq) +
                                  " of this device at the remote is not the one that this home published: it was "
                                  "damaged or changed there, or this home is a copy of another or was restored from a "
                                  "backup");
    return new_epoch(heads, "the remote has " + segments(there.seq) + " of this device, and this home has " +
                                segments(here.seq) +
                                (there.seq == 0 ? ": the remote was emptied, or restored from a backup"
                                                : ": this home is a copy of another or was restored from a backup, or "
                                                  "the remote was"));
  }

  static std::string segments(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " segment" : " segments");
  }

  // What the last check of the remote found, to be repaired: damaged bodies are erased and their content is published
  // again; chunks are stored again. A broken chain cannot be repaired: a new epoch begins.
  Result<OwnDamage> heed_damage(const std::vector<RemoteStream>& heads) {
    HOLDFAST_LET(damage, own_damage(run_.context, run_.home, run_.settings.name));
    is_damaged_ = !damage.empty();
    if (!is_damaged_ || damage.epoch != epoch_.stream.epoch) return OwnDamage();
    run_.report.mended_segments = damage.bodies.size();
    if (!damage.broken) return damage;
    epoch_.leave_log();
    HOLDFAST_TRY(new_epoch(heads, "what this device published is damaged at the remote"));
    HOLDFAST_TRY(epoch_.open_log());
    return OwnDamage();
  }

  Result<void> new_epoch(const std::vector<RemoteStream>& heads, const std::string& why) {
    OwnStream& stream = epoch_.stream;
    const std::uint64_t before = stream.epoch;
    HOLDFAST_LET(pending, run_.home.pending(run_.context, epoch_.where()));
    // An epoch without a segment of ours may belong to another home that writes as this device.
    if (stream.head.seq > 0 || pending) stream.left.insert(before);
    const std::uint64_t last = stream.left.empty() ? before : std::max(before, *stream.left.rbegin());
    HOLDFAST_LET(keys, run_.home.devices(run_.context));
    HOLDFAST_LET(next, next_epoch(run_.context, keys, run_.settings, run_.remote, heads, last));
    const std::set<std::string> on_the_way = pending ? epoch_.chunks_for(*pending) : std::set<std::string>();
    HOLDFAST_TRY(leave_epoch(run_.context, run_.home, epoch_.where(), stream, next, on_the_way));
    run_.report.new_epoch = true;
    run_.report.findings.push_back(
        {run_.settings.name, 0, 0, "new_epoch",
         why + "; epoch " + std::to_string(stream.epoch) + " follows epoch " + std::to_string(before) +
             (count_shares(run_.settings) == 0 ? "" : " and everything that is shared is published again"),
         0});
    return {};
  }

  const PushRun& run_;
  OwnEpoch epoch_;
  SegmentSender sender_;
  PublishedSessions kept_;   // what is shared may point into it
  bool is_damaged_ = false;  // a check has found damage
};

}  // namespace

Result<void> push(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, SharedSessions shared, const LocalPacks& local,
                  PushReport& report) {
  const PushRun run{context, home, settings, remote, local, report};
  Push it(run);
  const auto done = it.go(heads, shared);
  if (!done && done.error().code == Code::sync_transport_failed && it.may_only_read())
    report = {.read_only = true, .findings = std::move(report.findings)};
  if (!done && is_full(done.error())) {
    Error error = done.error();
    if (!report.withdrawn.empty() || !report.cut.empty())
      error.message += "; what is forgotten or no longer shared stays there until there is space";
    report = {.full = true, .findings = std::move(report.findings)};
    return fail(std::move(error));
  }
  // What is published again was withdrawn from an earlier epoch only.
  for (const auto& [key, session] : shared) report.withdrawn.erase(key);
  return done;
}

}  // namespace holdfast::inline v1
