// Versions up to 0.25 name the folder of a project by the SHA-256 of its directory.
// This finds the directory again where other files name it.
// Thread-safety: pure functions over a feed.
#pragma once

#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::gemini {

// Searches the directories that this store knows and the paths that the project's chats
// mention; empty if none has that hash.
Result<std::string> directory_of_hash(Feed& feed, const std::string& hash);

}  // namespace holdfast::inline v1::gemini
