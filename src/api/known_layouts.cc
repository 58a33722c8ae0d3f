#include "api/known_layouts.h"

#include "layout/layout.h"
#include "layout/new_sessions.h"

namespace holdfast::inline v1 {

std::vector<KnownLayout> known_layouts() {
  std::vector<KnownLayout> all;
  for (const Layout* layout : layouts()) all.push_back({layout->name(), layout->agent()});
  return all;
}

std::vector<std::string_view> handoff_target_layouts() {
  std::vector<std::string_view> names;
  for (const Layout* layout : layouts()) {
    const NewSessions* const power = layout->new_sessions();
    if (power != nullptr && power->traits().import_command.empty()) names.push_back(layout->name());
  }
  return names;
}

std::string agent_of(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return std::string(known == nullptr ? layout : known->agent());
}

}  // namespace holdfast::inline v1
