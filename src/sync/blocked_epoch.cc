#include "sync/blocked_epoch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "archive/rewrite_archive.h"
#include "disk/steps.h"
#include "sync/check_own_stream.h"
#include "sync/content.h"
#include "sync/earlier_epochs.h"
#include "sync/home_notes.h"
#include "sync/log_mark.h"
#include "sync/published_traces.h"
#include "sync/push.h"
#include "sync/read_by.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_abilities.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// The logs of an epoch: what this home published while it wrote the epoch, and what it read there since.
std::string own_log(const SyncHome& home, const std::string& remote, std::uint64_t epoch) {
  return home.published(remote, epoch);
}
std::string read_log(const SyncHome& home, const std::string& remote, std::uint64_t epoch) {
  return home.published(SyncHome::left(remote, epoch), epoch);
}

// nullptr if there is none.
Result<std::unique_ptr<Archive>> archive_at(const Context& context, const SyncHome& home, const std::string& path) {
  auto archive = Archive::open(context, home.files(), path);
  if (!archive && archive.error().code == Code::not_found) return std::unique_ptr<Archive>();
  return archive;
}

struct ErasedThere {
  std::set<CaptureKey> erased = {};  // and not reported before
  std::set<CaptureKey> stays = {};   // in bodies with sessions that the current epoch does not have
  std::set<std::string> pulled_by = {};
};

// What is known of an epoch, and what may go.
class BlockedErasure {
 public:
  BlockedErasure(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                 const BlockedEpoch& what)
      : context_(context),
        home_(home),
        settings_(settings),
        remote_(remote),
        what_(what),
        id_{device_id(what.device.public_key), what.epoch} {}

  Result<ErasedThere> run() {
    const std::string left = SyncHome::left(settings_.name, what_.epoch);
    HOLDFAST_LET(own, home_.own_stream(context_, settings_.name));
    HOLDFAST_LET(current, archive_at(context_, home_, home_.published(settings_.name, own.epoch)));
    HOLDFAST_LET(undone, home_.erasures(context_, left));
    // What an interrupted run decided may be more than is safe, so what else is there must be known.
    if ((undone.epoch != 0 && undone.epoch != what_.epoch) || !what_.is_known) undone = {};
    if (what_.empty() && undone.empty()) return std::move(done_);
    HOLDFAST_LET(read, home_.own_stream(context_, left));
    // What this home published up to where it has read since, and did not find there, was erased earlier.
    HOLDFAST_TRY(add(own_log(home_, settings_.name, what_.epoch), current.get(), read.head.seq));
    HOLDFAST_TRY(add(read_log(home_, settings_.name, what_.epoch), current.get(), 0));
    // A body that another home's sessions need stays: nobody could publish them there again.
    std::set<std::uint64_t> bodies;
    for (const auto& [session, seqs] : seqs_) {
      if (std::ranges::any_of(seqs, [&](std::uint64_t seq) { return unique_.contains(seq); }))
        done_.stays.insert(session);
      std::ranges::copy_if(seqs, std::inserter(bodies, bodies.end()),
                           [&](std::uint64_t seq) { return !unique_.contains(seq); });
    }
    std::ranges::copy_if(undone.bodies, std::inserter(bodies, bodies.end()),
                         [&](std::uint64_t seq) { return !needed_.contains(seq); });
    chunks_.insert(undone.chunks.begin(), undone.chunks.end());
    if (does(Step::sync_blocked_used))
      for (const std::string& name : used_) chunks_.erase(name);
    for (const auto& [session, seqs] : seqs_)
      if (!done_.stays.contains(session)) gone_.insert(session);
    if (!does(Step::sync_blocked_known)) HOLDFAST_TRY(drop_from_logs());
    if (!bodies.empty() || !chunks_.empty()) HOLDFAST_TRY(erase(bodies));
    if (!undone.empty()) HOLDFAST_TRY(home_.save(context_, left, Erasures()));
    HOLDFAST_TRY(drop_from_logs());
    for (const CaptureKey& session : done_.stays) done_.erased.erase(session);
    return std::move(done_);
  }

 private:
  std::vector<std::string> names_of(const std::string& policy, const std::string& chunk) const {
    std::vector<std::string> names;
    for (const std::string& key : own_names_keys(what_.device, settings_, what_.epoch, policy))
      names.push_back(remote_chunk_name(key, chunk));
    return names;
  }

  // What is only in segments up to `known` is not reported.
  Result<void> add(const std::string& path, const Archive* current, std::uint64_t known) {
    HOLDFAST_LET(there, archive_at(context_, home_, path));
    if (!there) return {};
    HOLDFAST_LET(log, ArchiveWriter::open(context_, home_.files(), path, ArchiveOrder::lines_first));
    HOLDFAST_LET(traces, published_traces(context_, *log, [&](const std::string& policy, const std::string& chunk) {
                   return names_of(policy, chunk);
                 }));
    for (const auto& [session, its] : traces) {
      if (what_.contains(session)) {
        seqs_[session].insert(its.seqs.begin(), its.seqs.end());
        chunks_.insert(its.chunks.begin(), its.chunks.end());
        if (*its.seqs.rbegin() > known) done_.erased.insert(session);
        continue;
      }
      needed_.insert(its.needed.begin(), its.needed.end());
      if (does(Step::sync_blocked_others) && (current == nullptr || !current->state().sessions.contains(session)))
        unique_.insert(its.needed.begin(), its.needed.end());
    }
    for (const auto& [session, state] : log->state().sessions) {
      if (what_.contains(session)) continue;
      const std::string policy = read_origin(state.origin).policy;
      for (const auto& [place, version] : state.last)
        for (const FileBlock& block : version->blocks)
          for (std::string& name : names_of(policy, block.name)) used_.insert(std::move(name));
    }
    return {};
  }

  Result<void> erase(const std::set<std::uint64_t>& bodies) {
    HOLDFAST_TRY(check_writable(context_, remote_, id_));
    HOLDFAST_TRY(sweep(context_, remote_, id_.device));
    const auto unless_done = [](RemoteOutcome outcome) -> Result<void> {
      if (outcome == RemoteOutcome::done) return {};
      return fail(Code::sync_transport_failed, "the remote did not confirm an erasure; the next sync repeats it");
    };
    HOLDFAST_LET(erased, remote_.erase_bodies(context_, id_, std::vector(bodies.begin(), bodies.end())));
    HOLDFAST_TRY(unless_done(erased));
    HOLDFAST_LET(gone, remote_.erase_chunks(context_, id_.device, std::vector(chunks_.begin(), chunks_.end())));
    HOLDFAST_TRY(unless_done(gone));
    std::uint64_t first = UINT64_MAX;
    for (const auto& [session, seqs] : seqs_)
      if (!seqs.empty()) first = std::min(first, *seqs.begin());
    HOLDFAST_LET(readers, machines_past(context_, home_, settings_, id_, first));
    done_.pulled_by.merge(readers);
    return {};
  }

  // The erased content is not kept here either.
  Result<void> drop_from_logs() {
    // In this order: what is in the own log is withdrawn whatever else is known.
    const auto drop_read = [&] { return drop(read_log(home_, settings_.name, what_.epoch)); };
    const std::string left = SyncHome::left(settings_.name, what_.epoch);
    HOLDFAST_TRY(rewrite_published(context_, home_, left, what_.epoch, drop_read));
    return drop(own_log(home_, settings_.name, what_.epoch));
  }
  Result<void> drop(const std::string& path) {
    HOLDFAST_LET(there, archive_at(context_, home_, path));
    std::set<CaptureKey> sessions;
    for (const CaptureKey& key : gone_)
      if (there && there->state().sessions.contains(key)) sessions.insert(key);
    if (sessions.empty()) return {};
    there.reset();
    HOLDFAST_LET(log, ArchiveWriter::open(context_, home_.files(), path, ArchiveOrder::lines_first));
    HOLDFAST_TRY(drop_sessions(context_, *log, sessions));
    return {};
  }

  const Context& context_;
  const SyncHome& home_;
  const RemoteSettings& settings_;
  Remote& remote_;
  const BlockedEpoch& what_;
  const StreamId id_;
  std::map<CaptureKey, std::set<std::uint64_t>> seqs_;  // segments with states of what goes
  std::set<std::string> chunks_;                        // of what goes
  std::set<std::uint64_t> needed_, unique_;  // segments with what stays, and with what the current epoch does not have
  std::set<std::string> used_;               // chunks of what stays
  std::set<CaptureKey> gone_;                // erased with all bodies
  ErasedThere done_;
};

// Whether this home published something in earlier epochs that it no longer shares, or has forgotten lines of.
Result<bool> may_hide_more(const Context& context, const SyncHome& home, const std::string& remote,
                           const SharedSessions& shared) {
  HOLDFAST_LET(names, earlier_names(context, home, remote));
  for (const auto& [key, one] : shared)
    if (!has_lost_lines(*one.session)) names.erase(drop_name(key));
  return !names.empty();
}

Finding blocked_finding(const std::string& remote, const BlockedEpoch& what) {
  const std::string epoch = "epoch " + std::to_string(what.epoch) + " of this device";
  if (what.why->is_locked)
    return {what.why->place,
            0,
            0,
            "no_key",
            epoch + " can no longer be read, so nothing is erased there: " + what.why->why +
                "; remove the remote and add it again with its newest recovery phrase",
            0};
  return {
      what.why->place,
      0,
      0,
      "left",
      what.why->why + ", so nothing more can be published in " + epoch +
          ", and not everything that is forgotten or no longer shared can be erased there; holdfast remote remove " +
          remote + " --erase deletes all that this machine published",
      0};
}

}  // namespace

bool BlockedEpoch::may_be_erased() const {
  if (!why) return true;
  const bool may_arrive = why->is_missing && why->after >= end && does(Step::sync_blocked_arriving);
  return !why->is_locked && !may_arrive;
}

Result<BlockedEpoch> blocked_epoch(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                   const SigningKey& device, std::uint64_t epoch, const SharedSessions& shared,
                                   const std::set<CaptureKey>& forgotten, const std::set<CaptureKey>& gone) {
  BlockedEpoch found{.epoch = epoch, .device = device};
  HOLDFAST_LET(own, archive_at(context, home, own_log(home, settings.name, epoch)));
  HOLDFAST_LET(read, archive_at(context, home, read_log(home, settings.name, epoch)));
  found.is_known = own != nullptr;
  HOLDFAST_LET(end, known_end(context, home, settings.name, epoch));
  found.end = end;
  HOLDFAST_LET(found_there, text_there(context, home, settings.id));
  for (const Archive* const log : {own.get(), read.get()}) {
    if (log == nullptr) continue;
    for (const auto& [key, session] : log->state().sessions) {
      const OpOrigin origin = read_origin(session.origin);
      if (const auto now = shared.find(key); now != shared.end()) {
        if (lost_lines(*now->second.session, session) || found_there.contains({epoch, drop_name(key)}))
          found.cut.insert(key);
        else if (origin.policy == "redacted" && !has_current_redaction(session.row))
          found.outdated.insert(key);
        continue;
      }
      // What only another home published there, as this device, may still be shared by it.
      const std::string project = project_of(session);
      if (log == own.get() || found_there.contains({epoch, drop_name(key)}) || gone.contains(key) ||
          forgotten.contains(key) || !is_admitted(device, settings, {origin.policy, origin.identity, project}))
        found.withdrawn.insert(key);
    }
  }
  return found;
}

Result<std::uint64_t> known_end(const Context& context, const SyncHome& home, const std::string& remote,
                                std::uint64_t epoch) {
  HOLDFAST_LET(stream, home.own_stream(context, remote));
  if (const auto end = stream.ends.find(epoch); end != stream.ends.end()) return end->second;
  // An older Holdfast did not note it.
  std::uint64_t last = 0;
  HOLDFAST_LET(own, archive_at(context, home, own_log(home, remote, epoch)));
  if (own)
    for (const auto& [key, session] : own->state().sessions) last = std::max(last, read_origin(session.origin).seq);
  return last;
}

Result<std::optional<Obstruction>> obstruction_after(const Context& context, Remote& remote, const StreamId& stream,
                                                     const StreamHead& read, const StreamHead& there,
                                                     std::uint64_t end) {
  HOLDFAST_LET(taken, obstacle(context, remote, stream, read.seq + 1));
  if (taken)
    return Obstruction{.place = *taken, .why = "it is not a segment", .after = read.seq, .hides_more = read != there};
  HOLDFAST_LET(later, after_gap(context, remote, stream, read.seq));
  const bool is_whole = read.seq >= end || !does(Step::sync_lost_numbers);
  if (!later && read == there && is_whole) return std::nullopt;
  return Obstruction{.place = later ? *later : segment_place(remote, stream, read.seq + 1),
                     .why = later ? "the segment before it is missing" : "it is missing",
                     .after = read.seq,
                     .is_missing = read.seq <= there.seq,
                     .hides_more = true};
}

Result<void> clear_blocked(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                           const std::vector<BlockedEpoch>& epochs, const SharedSessions& shared, PushReport& report) {
  std::vector<Finding> remaining;
  for (const BlockedEpoch& what : epochs) {
    const bool is_locked = what.why && what.why->is_locked;
    ErasedThere done;
    if (keeps_damage(remote) && what.may_be_erased()) {
      HOLDFAST_LET(erased, BlockedErasure(context, home, settings, remote, what).run());
      done = std::move(erased);
    } else {
      for (const auto* const some : {&what.withdrawn, &what.cut, &what.outdated})
        done.stays.insert(some->begin(), some->end());
    }
    for (const CaptureKey& key : done.erased) {
      if (what.withdrawn.contains(key)) report.withdrawn.insert(key);
      if (what.cut.contains(key)) report.cut.insert(key);
    }
    report.pulled_by.merge(done.pulled_by);
    for (const CaptureKey& key : done.stays) {
      report.withdrawn.erase(key);
      report.cut.erase(key);
    }
    if (!what.why) continue;
    HOLDFAST_LET(more, what.why->hides_more && !what.is_known ? may_hide_more(context, home, settings.name, shared)
                                                              : Result<bool>(false));
    if (is_locked || more || !done.stays.empty()) remaining.push_back(blocked_finding(settings.name, what));
  }
  HOLDFAST_TRY(save_left_readable(context, home, settings.name, remaining));
  std::ranges::move(remaining, std::back_inserter(report.findings));
  return {};
}

}  // namespace holdfast::inline v1
