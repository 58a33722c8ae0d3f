// Which remote an address means. A new kind of remote is a row here.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "sync/remote.h"

namespace holdfast::inline v1 {

// dir:/path, postgres://… (nothing is asked there yet). invalid_argument for an address of no known kind;
// sync_transport_failed when it cannot be reached.
Result<std::unique_ptr<Remote>> open_remote(const Context& context, FileSystem& files, std::string_view url);

}  // namespace holdfast::inline v1
