// Reads content that a message keeps in a file of its own.
#pragma once

#include <optional>
#include <string>

#include "layout/feed.h"

namespace holdfast::inline v1::native {

inline constexpr std::uint64_t kLargestBlob = std::uint64_t{1} << 30;

// The bytes of the blob at `path` (see blob_path), checked against its hash. nullopt
// after a finding that names the file, if it is missing, a link, or has other content.
std::optional<std::string> read_blob(Feed& feed, const std::string& path);

}  // namespace holdfast::inline v1::native
