// Every file that Holdfast keeps besides the stores of agents: the archive, its own
// store with trash and backups, data of other machines, the cache.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

struct OwnedFiles {
  std::uint64_t looked_at = 0;
  std::uint64_t removed = 0;      // from trash, backups and quarantine
  std::vector<std::string> hold;  // files that still contain the text; absolute
};

enum class SearchedFiles {
  everything,
  copies,  // only what may be removed
};

// Searches all of these files for the text, decompressed if necessary. Removes those that are only copies (quarantine,
// backups, trash) or part of the cache. A preview only counts the copies that would be removed.
Result<OwnedFiles> remove_text_from_copies(const Call& call, std::string_view text,
                                           SearchedFiles files = SearchedFiles::everything);

// Removes the cache and returns how many files it had.
std::uint64_t remove_cache(const Call& call);

// Removes the cache, what was set aside in the archive, and every file in its folder for restored files whose name
// begins with one of `restored`. None of them is needed. Returns how many files were removed.
std::uint64_t remove_derived_files(const Call& call, Directory& archive, const std::vector<std::string>& restored);

}  // namespace holdfast::inline v1
