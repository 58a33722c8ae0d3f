#include "api/store_settings.h"

#include "api/suggest.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

Result<StoreOptions> parse_store_name(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos)
    return fail(Code::invalid_argument, "a store must be LAYOUT:ROOT, not \"" + std::string(name) + "\"");
  const std::string_view layout = name.substr(0, colon);
  std::string root(name.substr(colon + 1));
  if (find_layout(layout) == nullptr) {
    std::vector<std::string_view> choices;
    for (const Layout* known : layouts()) choices.push_back(known->name());
    std::string message = "there is no layout " + std::string(layout);
    if (const auto meant = nearest(layout, choices)) message += "; did you mean " + std::string(*meant) + "?";
    return fail(Code::invalid_argument, std::move(message));
  }
  if (!root.starts_with('/'))
    return fail(Code::invalid_argument, "the root of a store must be an absolute path, not \"" + root + "\"");
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  StoreOptions options;
  options.layout = layout;
  options.roots[""] = std::move(root);
  return options;
}

std::string current_root(const StoreSettings& settings, std::string_view layout, const std::string& root) {
  const std::string moved = settings.moved_to ? settings.moved_to(layout, root) : std::string();
  return moved.empty() ? root : moved;
}

std::string store_name(const StoreOptions& options) {
  const auto root = options.roots.find("");
  return options.layout + ":" + (root == options.roots.end() ? std::string() : root->second);
}

}  // namespace holdfast::inline v1
