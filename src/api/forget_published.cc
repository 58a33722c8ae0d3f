#include "api/forget_published.h"

#include <algorithm>

#include "api/remotes.h"
#include "api/tables.h"
#include "sync/content.h"
#include "sync/home_notes.h"
#include "sync/open_remote.h"
#include "sync/read_back.h"
#include "sync/redacted_sessions.h"
#include "sync/run_sync.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

// nullptr if this machine has never synced.
Result<std::unique_ptr<SyncHome>> known_sync_home(const Call& call) {
  auto home = open_sync_home(call.context, call.stores, false);
  if (!home && home.error().code == Code::not_found) return std::unique_ptr<SyncHome>();
  return home;
}

Finding not_searched(const std::string& remote, const std::string& why, const std::string& remedy) {
  return {remote,
          0,
          0,
          "not_searched",
          "what this machine published there and no longer has was not searched: " + why + "; " + remedy,
          0};
}

Finding not_asked(const std::string& remote, const std::string& why) {
  return {remote,
          0,
          0,
          "not_asked",
          "it could not be asked what it has of this machine and this home no longer has, as after a restore from a "
          "backup: " +
              why + "; run it again",
          0};
}

std::string published_place(const CaptureKey& key, const std::string& remote) {
  return key.layout + "/" + key.id + " at " + remote + ", until the next holdfast sync";
}

Result<ReadBack> ask_remote_back(const Call& call, const SyncHome& home, const RemoteSettings& settings, Packs* local,
                                 std::string_view text) {
  HOLDFAST_LET(remote, open_remote(call.context, home.files(), settings.url));
  HOLDFAST_TRY(check_remote(call.context, settings, *remote));
  return read_back(call.context, home, settings, *remote, local, text);
}

void add_read_back(const RemoteSettings& settings, const ReadBack& there, PublishedText& found) {
  for (const auto& [epoch, key] : there.sessions) found.sessions.push_back({settings.name, settings.id, epoch, key});
  const std::string check = "holdfast remote check " + shell_word(settings.name) + " says what is damaged";
  std::set<CaptureKey> unread;
  for (const auto& [epoch, key] : there.unreadable)
    if (!there.sessions.contains({epoch, key})) unread.insert(key);
  for (const CaptureKey& key : unread)
    found.unread.push_back(
        not_searched(settings.name, "not all bytes of " + key.layout + "/" + key.id + " are there", check));
  for (const std::uint64_t epoch : there.cut)
    found.unread.push_back(not_searched(
        settings.name, "epoch " + std::to_string(epoch) + " of this device cannot be read to its end", check));
}

}  // namespace

std::set<CaptureKey> PublishedText::keys() const {
  std::set<CaptureKey> all;
  for (const Session& one : sessions) all.insert(one.key);
  return all;
}

Result<bool> has_remotes(const Call& call) {
  HOLDFAST_LET(home, known_sync_home(call));
  if (home == nullptr) return false;
  HOLDFAST_LET(remotes, home->remotes(call.context));
  return !remotes.empty();
}

Result<PublishedText> find_published(const Call& call, Packs* local, std::string_view text) {
  PublishedText found;
  HOLDFAST_LET(known, known_sync_home(call));
  if (known == nullptr) return found;
  known.reset();
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(remotes, access.home->remotes(call.context));
  for (const RemoteSettings& settings : remotes) {
    HOLDFAST_LET(own, access.home->own_stream(call.context, settings.name));
    HOLDFAST_TRY(access.home->clear_scratch(settings.name));  // of a call that was interrupted
    const auto there = ask_remote_back(call, *access.home, settings, local, text);
    if (!there) HOLDFAST_TRY(call.context.check());  // stopped; not a failure of this remote
    if (there)
      add_read_back(settings, *there, found);
    else if (own.left.empty())
      found.unasked.push_back(not_asked(settings.name, there.error().message));
    else
      found.unread.push_back(not_searched(settings.name, there.error().message, "run it again"));
  }
  return found;
}

Result<void> note_published(const Call& call, const PublishedText& found) {
  if (found.sessions.empty()) return {};
  HOLDFAST_LET(access, open_sync(call, false));
  std::map<std::string, TextThere> noted;  // by the id of the remote
  for (const PublishedText::Session& one : found.sessions) noted[one.id].insert({one.epoch, drop_name(one.key)});
  for (auto& [id, all] : noted) {
    HOLDFAST_LET(before, text_there(call.context, *access.home, id));
    all.merge(before);
    HOLDFAST_TRY(save_text_there(call.context, *access.home, id, all));
  }
  return {};
}

std::set<std::string> published_places(const Call& call, const std::set<CaptureKey>& sessions) {
  std::set<std::string> places;
  const auto home = known_sync_home(call);
  const auto remotes = home && *home ? (*home)->remotes(call.context)
                                     : Result<std::vector<RemoteSettings>>(std::vector<RemoteSettings>());
  if (!remotes || remotes->empty()) return {};
  const auto devices = (*home)->devices(call.context);
  for (const RemoteSettings& settings : *remotes) {
    const auto own = (*home)->own_stream(call.context, settings.name);
    if (!own || !devices) continue;
    std::set<std::uint64_t> epochs = own->left;
    epochs.insert(own->epoch);
    for (const std::uint64_t epoch : epochs)
      for (const std::string& where : {settings.name, SyncHome::left(settings.name, epoch)}) {
        const auto log = Archive::open(call.context, (*home)->files(), (*home)->published(where, epoch));
        if (!log) continue;
        for (const CaptureKey& key : sessions)
          if ((*log)->state().sessions.contains(key) || std::ranges::any_of(*devices, [&](const SigningKey& device) {
                return (*log)->state().sessions.contains(redacted_key(device, settings, key));
              }))
            places.insert(published_place(key, settings.name));
      }
  }
  return places;
}

std::set<std::string> published_places(const PublishedText& found) {
  std::set<std::string> places;
  for (const PublishedText::Session& one : found.sessions) places.insert(published_place(one.key, one.remote));
  return places;
}

}  // namespace holdfast::inline v1
