#include "api/who_has.h"

#include <algorithm>

#include "api/machines.h"
#include "archive/archive.h"

namespace holdfast::inline v1 {

std::set<std::string> machines_with(const Call& call, std::string_view layout, std::string_view id) {
  std::set<std::string> names;
  FileSystem& files = *call.stores.settings().files;
  const auto path = sync_path(call.stores);
  const auto home =
      path ? SyncHome::open(call.context, files, *path, false) : Result<std::unique_ptr<SyncHome>>(fail(path.error()));
  const auto remotes = home ? (*home)->remotes(call.context) : Result<std::vector<RemoteSettings>>(fail(home.error()));
  if (!remotes) return names;
  for (const RemoteSettings& remote : *remotes) {
    const auto streams = (*home)->streams(remote.name);
    if (!streams) continue;
    for (const StreamId& stream : *streams) {
      const auto archive = Archive::open(call.context, files, (*home)->from(remote.name, stream));
      const auto cursor = (*home)->cursor(call.context, remote.name, stream);
      if (!archive || !cursor) continue;
      const bool has = std::ranges::any_of((*archive)->state().sessions, [&](const auto& session) {
        const CaptureKey& key = session.first;
        return key.id.starts_with(id) && (layout.empty() || key.layout == layout);
      });
      if (has) names.insert(cursor->machine.empty() ? stream.device : cursor->machine);
    }
  }
  return names;
}

}  // namespace holdfast::inline v1
