#include "api/known_layouts.h"

#include "layout/layout.h"

namespace holdfast::inline v1 {

std::vector<KnownLayout> known_layouts() {
  std::vector<KnownLayout> all;
  for (const Layout* layout : layouts()) all.push_back({layout->name(), layout->agent()});
  return all;
}

std::string agent_of(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return std::string(known == nullptr ? layout : known->agent());
}

}  // namespace holdfast::inline v1
