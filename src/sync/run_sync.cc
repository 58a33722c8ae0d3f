#include "sync/run_sync.h"

#include <algorithm>
#include <iterator>

#include "archive/forgotten.h"
#include "sync/charter.h"
#include "sync/check_own_stream.h"
#include "sync/earlier_epochs.h"
#include "sync/home_epochs.h"
#include "sync/home_notes.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_keys.h"
#include "sync/withdrawals.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

Result<void> check_remote(const Context& context, const RemoteSettings& settings, Remote& remote) {
  HOLDFAST_LET(text, remote.charter(context));
  if (!text)
    return fail(Code::sync_transport_failed, "the remote is no longer there; is the right place mounted?",
                remote.place());
  HOLDFAST_LET(charter, read_charter(*text));
  if (charter.id != settings.id)
    return fail(Code::sync_transport_failed,
                "the remote there is not the same as when " + settings.name +
                    " was added; run holdfast remote remove, then add it again",
                remote.place());
  const RemoteSecret secret = settings.key();
  const std::string* const first = secret.find("");
  if (charter.encrypt && (first == nullptr || key_check(*first, charter.id) != charter.check))
    return fail(Code::permission_denied,
                "this remote has a different key; add it with holdfast remote add --recover and its recovery phrase",
                remote.place());
  return {};
}

namespace {

// All names that chunks of a segment may have at the remote, if it was made and perhaps never sent.
std::set<std::string> chunks_on_the_way(const SigningKey& device, const RemoteSettings& settings,
                                        const StreamId& stream, const StreamHead& after, const StreamSegment& segment) {
  std::set<std::string> names;
  const RemoteSecret secret = settings.key();
  const auto header = check_segment(segment, settings.id, stream, after);
  const auto text = header && segment.body ? open_body(*header, *segment.body, secret)
                                           : Result<std::string>(fail(Code::corrupt, "not a segment of this epoch"));
  const auto content = text ? read_content(*text) : Result<SegmentContent>(fail(text.error()));
  if (!content) return names;
  for (const auto& [chunk, policy] : chunks_of(*content))
    for (const std::string& key : own_names_keys(device, settings, stream.epoch, policy))
      names.insert(remote_chunk_name(key, chunk));
  return names;
}

}  // namespace

Result<void> remember_removed(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                              Remote* erased) {
  HOLDFAST_LET(device, home.device(context));
  HOLDFAST_LET(own, home.own_stream(context, settings.name));
  std::set<std::uint64_t> epochs = own.left;
  epochs.insert(own.epoch);
  RemovedRemote removed;
  for (const std::uint64_t epoch : epochs) {
    const bool is_last = epoch == own.epoch;
    const std::string where = is_last ? settings.name : SyncHome::left(settings.name, epoch);
    HOLDFAST_LET(stream, home.own_stream(context, where));
    HOLDFAST_LET(undone, home.erasures(context, where));
    if (undone.epoch != 0 && undone.epoch != epoch) undone = {};
    undone.epoch = epoch;
    HOLDFAST_LET(pending, home.pending(context, where));
    if (pending)
      undone.chunks.merge(
          chunks_on_the_way(device, settings, {device_id(device.public_key), epoch}, stream.head, *pending));
    // An epoch without a segment of ours may belong to another home that writes as this device.
    if (!is_last || stream.head.seq > 0 || pending) removed.epochs.push_back(std::move(undone));
    HOLDFAST_LET(names, names_published_in(context, home, where, epoch));
    removed.published.merge(names);
  }
  if (erased != nullptr) {
    HOLDFAST_LET(keys, home.devices(context));
    HOLDFAST_LET(heads, erased->heads(context));
    for (const RemoteStream& one : heads) {
      if (std::ranges::any_of(removed.epochs, [&](const Erasures& it) { return it.epoch == one.id.epoch; })) continue;
      HOLDFAST_LET(ours, is_home_epoch(context, keys, settings, *erased, heads, one.id));
      if (ours) removed.epochs.push_back({.epoch = one.id.epoch});
    }
  }
  HOLDFAST_LET(earlier, earlier_names(context, home, settings.name));
  removed.published.merge(earlier);
  std::ranges::copy_if(settings.shares, std::back_inserter(removed.withheld),
                       [](const ProjectShare& one) { return one.policy == kWithheld; });
  for (const std::string& one : settings.revoked()) removed.revoked[one] = settings.devices.at(one);
  removed.key = current_key(settings);
  return save_removed_remote(context, home, settings.id, removed);
}

Result<bool> resume_removed(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote) {
  HOLDFAST_LET(keys, home.devices(context));
  HOLDFAST_LET(heads, remote.heads(context));
  HOLDFAST_LET(known, removed_remote(context, home, settings.id));
  OwnStream stream;
  for (const RemoteStream& one : heads) {
    HOLDFAST_LET(ours, is_home_epoch(context, keys, settings, remote, heads, one.id));
    if (ours) stream.left.insert(one.id.epoch);
  }
  const std::set<std::uint64_t> there = stream.left;
  for (const Erasures& one : known.epochs) {
    // The epoch may still appear: a copy is on its way here, or an answer was late.
    stream.left.insert(one.epoch);
    if (!one.chunks.empty() && !there.contains(one.epoch)) {
      const std::vector<std::string> chunks(one.chunks.begin(), one.chunks.end());
      for (const SigningKey& key : keys) {
        HOLDFAST_LET(outcome, remote.erase_chunks(context, device_id(key.public_key), chunks));
        if (outcome != RemoteOutcome::done)
          return fail(Code::sync_transport_failed, "the remote did not confirm the erasure; try again", remote.place());
      }
    }
    if (!one.empty()) HOLDFAST_TRY(home.save(context, SyncHome::left(settings.name, one.epoch), one));
  }
  if (!stream.left.empty()) {
    HOLDFAST_LET(next, next_epoch(context, keys, settings, remote, heads, *stream.left.rbegin()));
    stream.epoch = next;
    HOLDFAST_TRY(home.save(context, settings.name, stream));
  }
  HOLDFAST_TRY(save_earlier_names(context, home, settings.name, known.published));
  settings.shares.insert(settings.shares.end(), known.withheld.begin(), known.withheld.end());
  for (const auto& [id, revoked] : known.revoked) settings.devices[id] = revoked;
  // Whoever was revoked at an encrypted remote knows its first key, and an older Holdfast did not note the newest.
  const RemoteSecret key = settings.key();
  bool is_unsafe = known.key.lock.empty() ? key.lock.empty() && !known.revoked.empty() : !key.find(known.key.lock);
  // A newer key may be from a device that has not revoked them, and has given it to them.
  if (!settings.secret.empty() && !key.lock.empty() && key.lock != known.key.lock)
    for (const auto& [id, revoked] : known.revoked) {
      HOLDFAST_LET(given, is_given(context, settings, remote, heads, id, key.lock));
      is_unsafe = is_unsafe || given;
    }
  if (!settings.secret.empty() && is_unsafe) settings.last_safe_key = std::move(known.key);
  HOLDFAST_TRY(home.save(context, settings));
  if (!known.empty()) HOLDFAST_TRY(save_removed_remote(context, home, settings.id, {}));
  return !there.empty();
}

Result<void> run_sync(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                      Archive* local, Archive* redacted, SyncReport& report) {
  HOLDFAST_TRY(check_remote(context, settings, remote));
  HOLDFAST_TRY(home.device(context));
  HOLDFAST_LET(heads, remote.heads(context));
  auto pulled = pull(context, home, settings, remote, heads, report.pulled);
  // Newly met devices stay known, whatever happens later.
  HOLDFAST_TRY(home.save(context, settings));
  HOLDFAST_TRY(pulled);
  HOLDFAST_LET(check, own_check_state(context, home, settings.name));
  if (local != nullptr && check.is_due(context)) {
    HOLDFAST_LET(checked, check_own_stream(context, home, settings, remote, heads));
    std::ranges::move(checked.findings, std::back_inserter(report.pushed.findings));
  }
  SharedSessions shared;
  LocalPacks packs;
  if (local != nullptr) {
    HOLDFAST_LET(full, shared_sessions(context, home, local->state(), settings));
    shared = std::move(full);
    packs.full = &local->packs();
    HOLDFAST_LET(devices, home.devices(context));
    HOLDFAST_LET(forgotten, load_forgotten(context, local->directory()));
    packs.forgotten = forgotten.sessions;
    for (const SigningKey& device : devices) {
      for (const CaptureKey& key : forgotten.sessions) packs.forgotten.insert(redacted_key(device, settings, key));
      // What an earlier device of this home published under another name may have lines that are forgotten.
      for (const auto& [key, session] : local->state().sessions)
        if (&device != &devices.front() && has_lost_lines(session))
          packs.forgotten.insert(redacted_key(device, settings, key));
    }
  }
  if (local != nullptr) {
    HOLDFAST_LET(devices, home.devices(context));
    packs.known = known_here(devices, settings, local->state(), packs.forgotten, redacted != nullptr);
  }
  if (local != nullptr && redacted != nullptr) {
    for (const auto& [key, session] : redacted->state().sessions)
      shared[key] = {&session, "redacted", JsonView(session.origin).find("identity").as_string().value_or("")};
    packs.redacted = &redacted->packs();
  }
  return push(context, home, settings, remote, heads, std::move(shared), packs, report.pushed);
}

}  // namespace holdfast::inline v1
