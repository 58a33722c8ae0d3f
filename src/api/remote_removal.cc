// remote.remove: forgets a remote, and erases there what this machine published if that is wanted.
#include "api/remote_removal.h"

#include "api/machines.h"
#include "api/remote_index.h"
#include "api/remotes.h"
#include "api/tables.h"
#include "sync/open_remote.h"
#include "sync/run_sync.h"

namespace holdfast::inline v1 {

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
    HOLDFAST_LET(keys, access.home->devices(call.context));
    for (const SigningKey& key : keys) {
      HOLDFAST_LET(outcome, remote->erase_device(call.context, device_id(key.public_key)));
      if (outcome != RemoteOutcome::done)
        return fail(Code::sync_transport_failed, "the remote did not confirm the erasure; try again", remote->place());
    }
    const std::string search = erase_from_search(call.context, *access.home, settings).note(settings.name);
    note = std::string(kept_after_erasure(settings.url)) + " are out of reach" + (search.empty() ? "" : "; " + search);
  }
  HOLDFAST_TRY(access.home->forget(call.context, settings.name));
  JsonWriter json = begin_answer();
  json.key("removed").string(settings.name).key("erased").boolean(call.flag("erase"));
  if (!note.empty()) json.key("note").string(note);
  return json.end_object().take();
}

Result<std::string> would_remove_remote(Call& call) {
  HOLDFAST_TRY(requested_remotes(call, call.text("name")));
  return "forget the remote " + call.text("name") + " here with all sessions of other machines that came from it" +
         (call.flag("erase") ? ", and erase what this machine published there"
                             : "; what this machine published stays readable there unless --erase is given");
}

}  // namespace holdfast::inline v1
