#include "sync/run_sync.h"

#include <algorithm>
#include <iterator>

#include "archive/forgotten.h"
#include "sync/charter.h"
#include "sync/check_own.h"
#include "sync/redacted_sessions.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

Result<void> check_remote(const Context& context, const RemoteSettings& settings, Remote& remote) {
  HOLDFAST_LET(text, remote.charter(context));
  if (!text)
    return fail(Code::sync_transport_failed, "the remote is no longer there; is the right place mounted?",
                remote.place());
  HOLDFAST_LET(charter, read_charter(*text));
  if (charter.id != settings.id)
    return fail(
        Code::sync_transport_failed,
        "the remote there is not the one that " + settings.name + " was; run holdfast remote remove, then add it again",
        remote.place());
  const RemoteSecret secret = settings.key();
  const std::string* const first = secret.find("");
  if (charter.encrypt && (first == nullptr || key_check(*first, charter.id) != charter.check))
    return fail(Code::permission_denied,
                "this remote has a different key; holdfast remote add --recover asks for its recovery phrase",
                remote.place());
  return {};
}

Result<bool> take_up_earlier_epochs(const Context& context, const SyncHome& home, const std::string& name,
                                    Remote& remote) {
  HOLDFAST_LET(key, home.device(context));
  HOLDFAST_LET(heads, remote.heads(context));
  OwnStream stream;
  for (const RemoteStream& one : heads)
    if (one.id.device == device_id(key.public_key)) stream.left.insert(one.id.epoch);
  if (stream.left.empty()) return false;
  stream.epoch = *stream.left.rbegin() + 1;
  HOLDFAST_TRY(home.save(context, name, stream));
  return true;
}

Result<void> run_sync(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                      Archive* local, Archive* redacted, SyncReport& report) {
  HOLDFAST_TRY(check_remote(context, settings, remote));
  HOLDFAST_LET(heads, remote.heads(context));
  auto pulled = pull(context, home, settings, remote, heads, report.pulled);
  // Devices that were met stay known, whatever came after.
  HOLDFAST_TRY(home.save(context, settings));
  HOLDFAST_TRY(pulled);
  HOLDFAST_LET(check, own_check_state(context, home, settings.name));
  if (local != nullptr && check.is_due(context)) {
    HOLDFAST_LET(checked, check_own(context, home, settings, remote, heads));
    std::ranges::move(checked.findings, std::back_inserter(report.pushed.findings));
  }
  SharedSessions shared;
  LocalPacks packs;
  if (local != nullptr) {
    shared = shared_sessions(home.files(), local->state(), settings);
    packs.full = &local->packs();
    HOLDFAST_LET(device, home.device(context));
    HOLDFAST_LET(forgotten, load_forgotten(local->directory()));
    for (const CaptureKey& key : forgotten.sessions) {
      packs.forgotten.insert(key);
      packs.forgotten.insert(redacted_key(device, settings, key));
    }
  }
  if (local != nullptr && redacted != nullptr) {
    for (const auto& [key, session] : redacted->state().sessions)
      shared[key] = {&session, "redacted", JsonView(session.origin).find("identity").as_string().value_or("")};
    packs.redacted = &redacted->packs();
  }
  return push(context, home, settings, remote, heads, shared, packs, report.pushed);
}

}  // namespace holdfast::inline v1
