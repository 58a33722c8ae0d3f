// The checksums of logs that are removed, or moved away and back: bytes of another session at the same path must
// not be checked against them. Advisory: losing checksums only leaves bytes unchecked.
#pragma once

#include <holdfast/root.h>

#include <string>

namespace holdfast::inline v1 {

// Durably removes the checksums of the log `path`, or of all logs below it.
Result<void> drop_checksums(Root& root, const std::string& path);

// Moves checksums into `folder` before the logs move there, and back from it, replacing any in their place.
void move_checksums(Root& root, const std::string& path, const std::string& folder);
void restore_checksums(Root& root, const std::string& folder);

}  // namespace holdfast::inline v1
