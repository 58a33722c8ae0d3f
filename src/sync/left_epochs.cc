#include "sync/left_epochs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "archive/rewrite_archive.h"
#include "sync/epoch_publisher.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_abilities.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Reads an abandoned epoch, which another home may write now; what it says counts, whoever wrote it. Returns what
// prevents that.
Result<std::optional<Obstruction>> catch_up(const PushRun& run, OwnEpoch& epoch, const StreamHead& there) {
  HOLDFAST_LET(whole, epoch.is_whole());
  if (!whole) {
    HOLDFAST_TRY(epoch.start_again());
    HOLDFAST_TRY(epoch.open_log());
  }
  while (epoch.stream.head.seq < there.seq) {
    HOLDFAST_LET(segments, run.remote.read_after(run.context, epoch.id(), epoch.stream.head.seq));
    if (segments.empty()) break;
    for (const StreamSegment& segment : segments) {
      HOLDFAST_TRY(run.context.check());
      const auto content = epoch.content_of(segment);
      if (!content)
        return Obstruction{.place = segment_place(run.remote, epoch.id(), segment.seq),
                           .why = content.error().message,
                           .after = epoch.stream.head.seq,
                           .is_locked = content.error().code == Code::permission_denied,
                           .hides_more = true};
      HOLDFAST_TRY(epoch.adopt(segment));
    }
  }
  HOLDFAST_LET(end, known_end(run.context, run.home, run.settings.name, epoch.stream.epoch));
  return obstruction_after(run.context, run.remote, epoch.id(), epoch.stream.head, there, end);
}

// This home has a log of its own of what it published there before it left. What is gone from the epoch is not kept in
// that one either: it may be what people want forgotten.
Result<void> drop_from_own_log(const PushRun& run, std::uint64_t epoch, const CaptureState& there) {
  const std::string path = run.home.published(run.settings.name, epoch);
  std::set<CaptureKey> gone;
  {
    const auto own = Archive::open(run.context, run.home.files(), path);
    if (!own && own.error().code == Code::not_found) return {};
    if (!own) return fail(own.error());
    for (const auto& [key, session] : (*own)->state().sessions)
      if (!there.sessions.contains(key)) gone.insert(key);
  }
  if (gone.empty()) return {};
  HOLDFAST_LET(log, ArchiveWriter::open(run.context, run.home.files(), path, ArchiveOrder::lines_first));
  HOLDFAST_TRY(drop_sessions(run.context, *log, gone));
  return {};
}

// Withdraws from an abandoned epoch whatever is no longer shared. Returns what prevents publishing there.
Result<std::optional<Obstruction>> withdraw_from(const PushRun& run, const SigningKey& device,
                                                 const RemoteStream& there, const std::set<CaptureKey>& gone,
                                                 const SharedSessions& shared) {
  OwnEpoch epoch(run, SyncHome::left(run.settings.name, there.id.epoch), device);
  HOLDFAST_TRY(epoch.load());
  epoch.stream.epoch = there.id.epoch;
  HOLDFAST_TRY(epoch.open_log());
  SegmentSender sender(run, epoch);
  HOLDFAST_TRY(sender.abandon());
  HOLDFAST_LET(obstruction, catch_up(run, epoch, there.head));
  if (obstruction) return obstruction;
  const auto published = epoch.log().state().sessions;
  HOLDFAST_LET(current, run.home.device(run.context));
  const bool is_current = device.seed == current.seed;
  HOLDFAST_LET(found_there, text_there(run.context, run.home, run.settings.id));
  SharedSessions kept;
  for (const auto& [key, session] : published) {
    if (found_there.contains({there.id.epoch, drop_name(key)})) {
      if (shared.contains(key)) run.report.cut.insert(key);
      continue;
    }
    const OpOrigin origin = read_origin(session.origin);
    if (const auto now = shared.find(key); now != shared.end() && lost_lines(*now->second.session, session)) {
      run.report.cut.insert(key);
      continue;
    }
    // It is published again in the current epoch, by another device of this home perhaps under another name.
    if (origin.policy == "redacted" && (shared.contains(key) || !is_current) && !has_current_redaction(session.row))
      continue;
    const std::string project = project_of(session);
    if (!gone.contains(key) && !run.local.forgotten.contains(key) &&
        is_admitted(epoch.key(), run.settings, {origin.policy, origin.identity, project}))
      kept[key] = {&session, origin.policy, origin.identity};
  }
  EpochPublisher publisher(run, epoch, sender);
  HOLDFAST_TRY(publisher.plan(kept, {}, &shared));
  HOLDFAST_TRY(publisher.finish());
  HOLDFAST_TRY(epoch.open_log());
  HOLDFAST_TRY(drop_from_own_log(run, there.id.epoch, epoch.log().state()));
  if (std::erase_if(found_there, [&](const auto& one) { return one.first == there.id.epoch; }) > 0)
    HOLDFAST_TRY(save_text_there(run.context, run.home, run.settings.id, found_there));
  return std::nullopt;
}

}  // namespace

Result<void> take_over_epochs(const PushRun& run, OwnStream& own, const std::vector<RemoteStream>& heads) {
  HOLDFAST_LET(keys, run.home.devices(run.context));
  HOLDFAST_LET(found_there, text_there(run.context, run.home, run.settings.id));
  const std::uint64_t forgotten = run.local.forgotten.size();
  const bool all = run.settings.narrowed || own.forgotten != forgotten;
  bool changed = own.forgotten != forgotten;
  own.forgotten = forgotten;
  std::string unknown;
  for (const RemoteStream& one : heads) {
    const std::uint64_t epoch = one.id.epoch;
    if (epoch == own.epoch || own.left.contains(epoch)) continue;
    const bool wanted = all || std::ranges::any_of(found_there, [&](const auto& it) { return it.first == epoch; });
    if (!wanted && !run.report.new_epoch) continue;
    HOLDFAST_LET(ours, is_home_epoch(run.context, keys, run.settings, run.remote, heads, one.id));
    if (!ours) continue;
    if (!wanted) unknown += (unknown.empty() ? "epoch " : ", epoch ") + std::to_string(epoch);
    if (wanted) changed = own.left.insert(epoch).second || changed;
  }
  if (changed) HOLDFAST_TRY(run.home.save(run.context, run.settings.name, own));
  if (std::exchange(run.settings.narrowed, false)) HOLDFAST_TRY(run.home.save(run.context, run.settings));
  if (!unknown.empty())
    run.report.findings.push_back({run.settings.name, 0, 0, "unknown_epoch",
                                   "this home does not know what this device has published there in " + unknown +
                                       "; it stays until something is unshared or forgotten here",
                                   0});
  return {};
}

Result<LeftEpochs> withdraw_from_left(const PushRun& run, const OwnStream& own, const CaptureState& published,
                                      const std::vector<RemoteStream>& heads, const SharedSessions& shared) {
  std::set<CaptureKey> gone;
  for (const auto& [key, session] : published.sessions) {
    const auto now = shared.find(key);
    if (now == shared.end() || lost_lines(*now->second.session, session)) gone.insert(key);
  }
  HOLDFAST_LET(keys, run.home.devices(run.context));
  LeftEpochs left{.stuck = own.left};  // an epoch that is not there any more was erased
  left.stuck.erase(own.epoch);
  std::map<std::uint64_t, Obstruction> found;
  std::map<std::uint64_t, SigningKey> writers;
  for (const RemoteStream& one : heads) {
    if (one.id.epoch == own.epoch || !own.left.contains(one.id.epoch)) continue;
    const SigningKey* const writer = writer_of(keys, heads, one.id);
    if (writer == nullptr) continue;
    writers[one.id.epoch] = *writer;
    HOLDFAST_LET(obstruction, withdraw_from(run, *writer, one, gone, shared));
    if (!obstruction) left.stuck.erase(one.id.epoch);
    if (obstruction) found.insert_or_assign(one.id.epoch, *std::move(obstruction));
  }
  for (const std::uint64_t epoch : left.stuck) {
    const auto why = found.find(epoch);
    if (why == found.end() && !keeps_damage(run.remote)) continue;
    const SigningKey& writer = writers.try_emplace(epoch, keys.front()).first->second;
    HOLDFAST_LET(what,
                 blocked_epoch(run.context, run.home, run.settings, writer, epoch, shared, run.local.forgotten, gone));
    if (why != found.end()) what.why = std::move(why->second);
    left.blocked.push_back(std::move(what));
  }
  return left;
}

}  // namespace holdfast::inline v1
