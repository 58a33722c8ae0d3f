// Opens the remote at an address. A new kind of remote is a new row here.
#pragma once

#include <holdfast/file_system.h>

#include <memory>

#include "sync/remote.h"

namespace holdfast::inline v1 {

// Accepts dir:/path and postgres://… (which does not connect yet). Fails with invalid_argument for an
// address of unknown kind, sync_transport_failed if the remote cannot be reached.
Result<std::unique_ptr<Remote>> open_remote(const Context& context, FileSystem& files, std::string_view url);

// Where bytes that were erased at a remote of this kind may still be, for people.
std::string_view kept_after_erasure(std::string_view url);

}  // namespace holdfast::inline v1
