// Which sessions of a store cannot be captured, and why. Thread-safety: as the store's.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/capture_store.h"
#include "archive/store_listing.h"
#include "layout/belongings.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

Finding not_captured(const Place& place, const Error& error);
Error not_plain_file();
// Why no file of a session is known, if its name is the reason.
std::optional<Error> name_fault(const SessionRef& ref);
SkippedSessions without_files(const FileStore& store, std::uint64_t sessions);

// The main files of captured sessions in whose place the store has something else, such as a directory; nothing finds
// those sessions there. `found` are the ids that it has; `listing` may be nullptr.
std::vector<Place> replaced_files(const FileStore& store, const Belongings& belongings, const ArchiveRules& rules,
                                  const CaptureState& state, const std::set<std::string, std::less<>>& found,
                                  const StoreListing* listing = nullptr);

}  // namespace holdfast::inline v1
