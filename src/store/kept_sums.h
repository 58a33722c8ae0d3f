// The checksums of logs that go, or go away and come back: bytes of another session at the same path must not be
// measured by them. Advisory: what is lost of them leaves bytes unchecked.
#pragma once

#include <holdfast/root.h>

#include <string>

namespace holdfast::inline v1 {

// Of the log `path`, or of all below it: gone, durably.
Result<void> drop_sums(Root& root, const std::string& path);

// Into `folder`, before the logs go there; and back from it, over whatever is in their place.
void keep_sums(Root& root, const std::string& path, const std::string& folder);
void return_sums(Root& root, const std::string& folder);

}  // namespace holdfast::inline v1
