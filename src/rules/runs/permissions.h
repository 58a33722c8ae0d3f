// Tools that a workspace (on layouts with projects: a project) allows without
// asking. The file is made at the first allow. invalid_argument on layouts with
// projects when none is given. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// In the order of the file; nothing when there is none. corrupt when it cannot be read.
Result<std::vector<std::string>> allowed_tools(const Context& context, Store& store, std::string_view project);

// One that is allowed already changes nothing.
Result<void> allow_tool(const Context& context, Store& store, std::string_view project, std::string_view tool);
// False when it was not allowed.
Result<bool> revoke_tool(const Context& context, Store& store, std::string_view project, std::string_view tool);

}  // namespace holdfast::inline v1
