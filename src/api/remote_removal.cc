// remote.remove: forgets a remote, and erases there what this machine published if that is wanted.
#include "api/remote_removal.h"

#include <set>

#include "api/machines.h"
#include "api/remote_index.h"
#include "api/remotes.h"
#include "api/sync_round.h"
#include "api/tables.h"
#include "archive/forgotten.h"
#include "sync/home_notes.h"
#include "sync/open_remote.h"
#include "sync/read_by.h"
#include "sync/run_sync.h"
#include "sync/withdrawals.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// What paired machines have to learn, as far as it is in the current epoch.
struct ToLearn {
  std::size_t sessions = 0;            // which the next sync would withdraw
  std::set<std::string> readers = {};  // machines that have read everything that was published
  bool has_withdrawn = false;          // some of that says what is gone
};

Result<ToLearn> to_learn(const Call& call, const SyncHome& home, const RemoteSettings& settings) {
  ToLearn found;
  HOLDFAST_LET(device, home.device(call.context));
  HOLDFAST_LET(own, home.own_stream(call.context, settings.name));
  HOLDFAST_LET(readers,
               machines_past(call.context, home, settings, {device_id(device.public_key), own.epoch}, own.content));
  found.readers = std::move(readers);
  HOLDFAST_LET(withdrawn, withdrawn_names(call.context, home, settings.name));
  found.has_withdrawn = !withdrawn.empty();
  HOLDFAST_LET(local, local_archive(call));
  if (local == nullptr) return found;
  HOLDFAST_LET(expected, expected_withdrawals(call.context, home, settings, *local));
  found.sessions = expected.withdrawn.size() + expected.cut.size();
  HOLDFAST_LET(forgotten, load_forgotten(call.context, local->directory()));
  found.has_withdrawn |= !forgotten.lines.hashes.empty();
  return found;
}

// Paired machines forget what this one forgets, but learn of it only from what is published. Says which of them do not
// learn of something, or may not, if everything is erased now; empty if there is nothing to learn.
std::string untold(const Call& call, const SyncHome& home, const RemoteSettings& settings, const std::string& how) {
  std::set<std::string> paired;
  for (const auto& [id, device] : settings.devices)
    if (device.trust == DeviceTrust::trusted) paired.insert(settings.machine_of(id));
  if (paired.empty()) return {};
  const auto told = [&](const std::string& what) {
    std::string names;
    for (const std::string& name : paired) names += (names.empty() ? "" : ", ") + name;
    return "; paired machines (" + names + ") " + what + " forgotten or no longer shared here: to tell them, " + how;
  };
  const auto found = to_learn(call, home, settings);
  if (!found) return told("may not learn what is") + " (what that is, is not known: " + found.error().message + ")";
  if (found->sessions > 0)
    return told("do not learn that " + counted(found->sessions, "session") + (found->sessions == 1 ? " is" : " are"));
  std::erase_if(paired, [&](const std::string& machine) { return found->readers.contains(machine); });
  return paired.empty() || !found->has_withdrawn ? std::string() : told("may not have read yet what is");
}

}  // namespace

Result<std::string> remove_remote(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  std::string note;
  std::unique_ptr<Remote> remote;
  if (call.flag("erase")) {
    HOLDFAST_LET(opened, open_remote(call.context, *call.stores.settings().files, settings.url));
    HOLDFAST_TRY(check_remote(call.context, settings, *opened));
    remote = std::move(opened);
  }
  // Epochs are never used twice, erased or not: machines that read them would take a second one for a forgery.
  HOLDFAST_TRY(remember_removed(call.context, *access.home, settings, remote.get()));
  if (remote != nullptr) {
    const std::string missed = untold(call, *access.home, settings, "add the remote again and run holdfast sync");
    HOLDFAST_LET(keys, access.home->devices(call.context));
    for (const SigningKey& key : keys) {
      HOLDFAST_LET(outcome, remote->erase_device(call.context, device_id(key.public_key)));
      if (outcome != RemoteOutcome::done)
        return fail(Code::sync_transport_failed, "the remote did not confirm the erasure; try again", remote->place());
    }
    const std::string search = erase_from_search(call.context, *access.home, settings).note(settings.name);
    note = std::string(kept_after_erasure(settings.url)) + " are out of reach" + (search.empty() ? "" : "; " + search) +
           missed;
  }
  HOLDFAST_TRY(access.home->forget(call.context, settings.name));
  JsonWriter json = begin_answer();
  json.key("removed").string(settings.name).key("erased").boolean(call.flag("erase"));
  if (!note.empty()) json.key("note").string(note);
  return json.end_object().take();
}

Result<std::string> would_remove_remote(Call& call) {
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("name")));
  const RemoteSettings& settings = remotes.front();
  const std::string text =
      "forget the remote " + settings.name + " here with all sessions of other machines that came from it";
  if (!call.flag("erase")) return text + "; what this machine published stays readable there unless --erase is given";
  HOLDFAST_LET(home, open_sync_home(call.context, call.stores, false));
  return text + ", and erase what this machine published there" +
         untold(call, *home, settings, "run holdfast sync " + settings.name + " first, and then on them");
}

}  // namespace holdfast::inline v1
