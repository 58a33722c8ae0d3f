// Verifies every hash of an archive. Only reads. Thread-safety: as the archive's.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.h"

namespace holdfast::inline v1 {

struct ArchiveCheck {
  std::uint64_t sessions = 0, files = 0, bytes = 0;
  std::uint64_t chunks = 0;
  std::uint64_t unnamed = 0;  // chunks that no shown or last-seen version of a file needs
  std::uint64_t broken_sessions = 0;
  std::vector<Finding> damage = {};
  std::set<std::string> chunks_lost = {};  // damaged or missing
};

// Reads every chunk once and checks it against its name. Every version that would be shown must be complete.
Result<ArchiveCheck> verify_archive(const Context& context, Archive& archive,
                                    const std::function<void(std::uint64_t done, std::uint64_t all)>& progress = {});

}  // namespace holdfast::inline v1
