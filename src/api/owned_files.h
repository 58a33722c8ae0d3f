// Every file that Holdfast keeps for a person beside the stores of agents: the archive, its own
// store with trash and backups, what it knows of other machines, the cache.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

struct OwnedFiles {
  std::uint64_t looked_at = 0;
  std::uint64_t removed = 0;      // out of trash, backups and quarantine
  std::vector<std::string> hold;  // that hold the text still; absolute
};

// Looks for the text in all of them, unpacked where they are packed. Copies that were set aside or thrown away go, and
// so does what the cache can make again. A call that only looks says how many files would go.
Result<OwnedFiles> remove_text_from_copies(const Call& call, std::string_view text);

// Everything that is remembered of files to find it sooner. How many files.
std::uint64_t remove_cache(const Call& call);

// The cache, what was set aside in the archive, and every file below `restored` that begins with one of these names.
// They can be made again, or nobody needs them. How many files.
std::uint64_t remove_derived_files(const Call& call, Directory& archive, const std::vector<std::string>& restored);

}  // namespace holdfast::inline v1
