#include "api/owning_session.h"

#include <algorithm>

#include "api/find_session.h"
#include "layout/belongings.h"

namespace holdfast::inline v1 {
namespace {

// Whether the main file at `inner` is one of the files of that session.
bool is_among(const Belongings& belongings, const std::string& id, const std::string& main, const std::string& inner) {
  SessionPaths paths(belongings, id);
  return paths.add_main(main) && paths.is_one(inner) && !paths.is_shared(inner);
}

}  // namespace

std::optional<std::string> owning_session(const Call& call, FileStore& store, const SessionRef& ref) {
  const Belongings* const belongings = belongings_of(store.layout());
  if (!ref.inner || belongings == nullptr) return std::nullopt;
  std::vector<Finding> ignored;
  const auto refs = store.find_all(call.context, ignored);
  if (!refs) return std::nullopt;
  for (const SessionRef& other : *refs) {
    if (other.inner || other.id == ref.id || other.place.root != ref.place.root) continue;
    if (is_among(*belongings, other.id, other.place.path, ref.place.path))
      return std::string(store.layout_name()) + "/" + other.id;
  }
  return std::nullopt;
}

std::optional<std::string> owning_session(const CaptureState& state, const CapturedPair& session) {
  const auto& [key, captured] = session;
  const Layout* const layout = find_layout(key.layout);
  const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
  if (!captured.inner || belongings == nullptr) return std::nullopt;
  SessionPaths own(*belongings, key.id);
  for (const auto& [place, version] : captured.head) own.add_main(place.path);
  for (const auto& [other, holder] : state.sessions) {
    if (holder.inner || other.layout != key.layout || other.store != key.store) continue;
    const bool shares = std::ranges::any_of(captured.head, [&](const auto& file) {
      return !own.is_shared(file.first.path) && holder.head.contains(file.first);
    });
    if (shares) return other.layout + "/" + other.id;
  }
  return std::nullopt;
}

std::optional<std::string> owning_session(const Call& call, std::string_view id) {
  // Find sessions as session.get does: sessions of agents are only read.
  const Call reading{call.context, *find_operation("session.get"), call.params, call.stores};
  const auto found = locate_session(reading, id);
  return found ? owning_session(call, *found->files, found->ref) : std::nullopt;
}

}  // namespace holdfast::inline v1
