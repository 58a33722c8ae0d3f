// Reading what a message keeps in a file of its own.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::native {

inline constexpr std::uint64_t kLargestBlob = std::uint64_t{1} << 30;

// The bytes of the blob at that path (blob_path), which hash to its name. nullopt after a
// complaint that names the file: it is missing, a link, or holds something else.
std::optional<std::string> read_blob(Feed& feed, const std::string& path);

}  // namespace holdfast::inline v1::native
