// Tools that a workspace (on layouts with projects: a project) allows without asking.
// The file is created by the first allow. Fails with invalid_argument on layouts with
// projects if no project is given. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// In file order; empty if there is no file. Fails with corrupt if it cannot be read.
Result<std::vector<std::string>> allowed_tools(const Context& context, Store& store, std::string_view project);

// Does nothing if the tool is allowed already.
Result<void> allow_tool(const Context& context, Store& store, std::string_view project, std::string_view tool);
// Returns false if the tool was not allowed.
Result<bool> revoke_tool(const Context& context, Store& store, std::string_view project, std::string_view tool);

}  // namespace holdfast::inline v1
