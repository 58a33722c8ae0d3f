#include "api/who_has.h"

#include <algorithm>

#include "api/machines.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

std::vector<KnownStream> known_streams(const Call& call) {
  std::vector<KnownStream> known;
  FileSystem& files = *call.stores.settings().files;
  const auto path = sync_path(call.stores);
  const auto home =
      path ? SyncHome::open(call.context, files, *path, false) : Result<std::unique_ptr<SyncHome>>(fail(path.error()));
  const auto remotes = home ? (*home)->remotes(call.context) : Result<std::vector<RemoteSettings>>(fail(home.error()));
  if (!remotes) return known;
  for (const RemoteSettings& remote : *remotes) {
    const auto streams = (*home)->streams(remote.name);
    if (!streams) continue;
    for (const StreamId& stream : *streams) {
      const auto cursor = (*home)->cursor(call.context, remote.name, stream);
      if (!cursor) continue;
      known.push_back({cursor->machine.empty() ? stream.device : cursor->machine, (*home)->from(remote.name, stream)});
    }
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

}  // namespace holdfast::inline v1
