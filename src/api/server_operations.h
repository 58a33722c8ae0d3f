// mcp.install and mcp.uninstall: a part of the table.
#pragma once

#include <span>

#include "api/operation.h"

namespace holdfast::inline v1 {

std::span<const Operation> server_operations();

}  // namespace holdfast::inline v1
