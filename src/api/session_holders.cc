#include "api/session_holders.h"

#include <algorithm>

#include "api/machines.h"
#include "archive/archive.h"
#include "layout/layout.h"
#include "sync/machine_names.h"
#include "sync/pull.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

std::vector<KnownStream> known_streams(const Call& call, std::string_view machine) {
  std::vector<KnownStream> known;
  const auto home = open_sync_home(call.context, call.stores, false);
  const auto remotes = home ? (*home)->remotes(call.context) : Result<std::vector<RemoteSettings>>(fail(home.error()));
  if (!remotes) return known;
  const MachineNames names(*remotes);
  for (const RemoteSettings& remote : *remotes) {
    const auto streams = (*home)->streams(remote.name);
    if (!streams) continue;
    for (const StreamId& stream : *streams)
      if (names.is_meant(machine, stream))
        known.push_back({names.of(stream.device), (*home)->from(remote.name, stream), stream.device,
                         replaced_sessions(call.context, **home, remote.name, stream).value_or(std::set<CaptureKey>()),
                         (*home)->cursor(call.context, remote.name, stream).value_or(StreamCursor()).forms});
  }
  return known;
}

std::set<std::string> machines_with(const Call& call, std::string_view layout, std::string_view id) {
  std::set<std::string> names;
  for (const KnownStream& stream : known_streams(call)) {
    const auto archive = Archive::open(call.context, *call.stores.settings().files, stream.path);
    if (!archive) continue;
    const bool has = std::ranges::any_of((*archive)->state().sessions, [&](const auto& session) {
      const CaptureKey& key = session.first;
      return key.id.starts_with(id) && (layout.empty() || key.layout == layout);
    });
    if (has) names.insert(stream.machine);
  }
  return names;
}

std::map<SessionName, std::set<std::string>> holders_of(const Call& call, std::string_view layout,
                                                        std::string_view id) {
  std::map<SessionName, std::set<std::string>> holders;
  for (const KnownStream& stream : known_streams(call)) {
    const auto archive = Archive::open(call.context, *call.stores.settings().files, stream.path);
    if (!archive) continue;
    for (const auto& [key, session] : (*archive)->state().sessions)
      if (!session.inner && key.id.starts_with(id) && (layout.empty() || key.layout == layout))
        holders[{key.layout, key.id}].insert(stream.machine);
  }
  return holders;
}

NewestForeignSession newest_of_machine(const Call& call, std::string_view machine, std::string_view layout) {
  NewestForeignSession newest;
  for (const KnownStream& stream : known_streams(call, machine)) {
    const auto archive = Archive::open(call.context, *call.stores.settings().files, stream.path);
    if (!archive) continue;
    for (const auto& [key, session] : (*archive)->state().sessions) {
      if (session.inner || find_layout(key.layout) == nullptr || (!layout.empty() && key.layout != layout)) continue;
      const std::string at = JsonView(session.row).find("updated_at").as_string().value_or(session.at);
      if (newest.name.empty() || at > newest.updated_at) newest = {key.layout + "/" + key.id, stream.machine, at};
    }
  }
  return newest;
}

}  // namespace holdfast::inline v1
