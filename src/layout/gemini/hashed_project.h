// Versions up to 0.25 know a project only by the SHA-256 of its directory, the name
// of its folder. The directory is found again where it is named.
// Thread-safety: pure functions over a feed.
#pragma once

#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::gemini {

bool is_hash(std::string_view project);

// Among the directories that this store knows and the paths that the project's
// chats mention; empty when none has that hash.
Result<std::string> directory_of_hash(Feed& feed, const std::string& hash);

}  // namespace holdfast::inline v1::gemini
