#include "api/forget_pulled.h"

#include <algorithm>
#include <set>

#include "api/machines.h"
#include "api/owned_files.h"
#include "api/remotes.h"
#include "archive/find_text.h"
#include "archive/rewrite_archive.h"
#include "sync/content.h"
#include "sync/home_notes.h"
#include "sync/log_mark.h"
#include "sync/machine_names.h"

namespace holdfast::inline v1 {
namespace {

std::set<CaptureKey> holding(const FoundText& found, const CaptureState& state) {
  std::set<CaptureKey> keys;
  for (const auto* const some : {&found.whole, &found.in_lines})
    for (const CaptureKey& key : *some) keys.merge(with_inner(state, key));
  return keys;
}

std::set<CaptureKey> named(const std::set<CaptureKey>& sessions, const CaptureState& state) {
  std::set<CaptureKey> keys;
  for (const auto& [key, session] : state.sessions) {
    const auto is_it = [&](const CaptureKey& one) { return one.layout == key.layout && one.id == key.id; };
    if (std::ranges::any_of(sessions, is_it)) keys.merge(with_inner(state, key));
  }
  return keys;
}

class PulledArchive {
 public:
  PulledArchive(const Call& call, const SyncHome& home, const std::string& remote, StreamId stream, std::string machine)
      : call_(call),
        home_(home),
        remote_(remote),
        path_(home.from(remote, stream)),
        stream_(std::move(stream)),
        machine_(std::move(machine)) {}

  Result<void> look(const SoughtText& sought, PulledText& pulled) {
    const auto archive = Archive::open(call_.context, home_.files(), path_);
    if (!archive && archive.error().code == Code::not_found) return {};
    if (!archive) return fail(archive.error());
    const CaptureState& state = (*archive)->state();
    HOLDFAST_LET(found, find(sought, (*archive)->directory(), (*archive)->packs(), state));
    found_ = std::move(found);
    for (const CaptureKey& key : found_) pulled.sessions.push_back({machine_, key});
    return {};
  }

  Result<void> forget(const SoughtText& sought, PulledText& pulled) {
    const std::size_t from = pulled.sessions.size();
    HOLDFAST_TRY(look(sought, pulled));
    if (found_.empty()) return {};
    std::set<CaptureKey> still;
    HOLDFAST_TRY(rewrite_from(call_.context, home_, remote_, stream_, [&] { return remove(sought, still); }));
    for (std::size_t i = from; i < pulled.sessions.size(); ++i)
      pulled.sessions[i].removed = still.contains(pulled.sessions[i].key);
    return {};
  }

 private:
  // `still`: what is removed as a whole.
  Result<void> remove(const SoughtText& sought, std::set<CaptureKey>& still) {
    // Nobody needs versions that their machine has replaced since.
    HOLDFAST_LET(writer, open());
    HOLDFAST_TRY(drop_replaced(call_.context, *writer, [](const CaptureKey&, const OpOrigin&) { return true; }));
    writer.reset();
    HOLDFAST_LET(again, open());
    HOLDFAST_LET(found, find(sought, again->root().directory(), again->packs(), again->state()));
    still = std::move(found);
    if (!still.empty()) {
      // First make sure that it is not fetched again, then remove it.
      HOLDFAST_LET(known, forgotten_sessions(call_.context, home_));
      for (const CaptureKey& key : still) known.insert(forgotten_name(stream_.device, key));
      HOLDFAST_TRY(save_forgotten_sessions(call_.context, home_, known));
      HOLDFAST_TRY(drop_sessions(call_.context, *again, still));
    }
    (void)remove_derived_files(call_, again->root().directory(), {});
    return {};
  }
  Result<std::set<CaptureKey>> find(const SoughtText& sought, Directory& directory, Packs& packs,
                                    const CaptureState& state) const {
    if (sought.text.empty()) return named(sought.sessions, state);
    HOLDFAST_LET(found, find_text(call_.context, directory, packs, sought.text, {}));
    return holding(found, state);
  }
  Result<std::unique_ptr<ArchiveWriter>> open() const {
    return ArchiveWriter::open(call_.context, home_.files(), path_, ArchiveOrder::lines_first);
  }

  const Call& call_;
  const SyncHome& home_;
  const std::string& remote_;
  const std::string path_;
  const StreamId stream_;
  const std::string machine_;
  std::set<CaptureKey> found_;
};

Result<PulledText> for_each_pulled(const Call& call, const SyncHome& home, const SoughtText& sought, bool remove) {
  PulledText pulled;
  HOLDFAST_LET(remotes, home.remotes(call.context));
  const MachineNames names(remotes);
  for (const RemoteSettings& remote : remotes) {
    HOLDFAST_LET(streams, home.streams(remote.name));
    for (const StreamId& stream : streams) {
      HOLDFAST_TRY(call.context.check());
      PulledArchive one(call, home, remote.name, stream, names.of(stream.device));
      HOLDFAST_TRY(remove ? one.forget(sought, pulled) : one.look(sought, pulled));
    }
  }
  return pulled;
}

Result<std::unique_ptr<SyncHome>> looked_at(const Call& call) {
  auto home = open_sync_home(call.context, call.stores, false);
  if (!home && home.error().code == Code::not_found) return std::unique_ptr<SyncHome>();
  return home;
}

}  // namespace

Result<PulledText> find_pulled(const Call& call, const SoughtText& sought) {
  HOLDFAST_LET(home, looked_at(call));
  if (home == nullptr) return PulledText();
  return for_each_pulled(call, *home, sought, false);
}

Result<PulledText> forget_pulled(const Call& call, const SoughtText& sought) {
  HOLDFAST_LET(there, find_pulled(call, sought));
  if (there.sessions.empty()) return there;
  HOLDFAST_LET(access, open_sync(call, false));
  return for_each_pulled(call, *access.home, sought, true);
}

void write_pulled(JsonWriter& json, const PulledText& pulled) {
  json.key("of_machines").begin_array();
  for (const PulledText::Session& one : pulled.sessions) {
    json.begin_object().key("machine").string(one.machine).key("layout").string(one.key.layout);
    json.key("id").string(one.key.id).key("removed").boolean(one.removed).end_object();
  }
  json.end_array();
}

std::string pulled_text_message(const PulledText& pulled) {
  if (pulled.sessions.empty()) return {};
  std::string names;
  for (const PulledText::Session& one : pulled.sessions)
    names += (names.empty() ? "" : ", ") + one.key.layout + "/" + one.key.id + " of " + one.machine;
  return "remove here what came from other machines: " + names;
}

}  // namespace holdfast::inline v1
