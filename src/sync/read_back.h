// Reads what this home has published and may not have any more: it was restored from a backup, or another home writes
// as this device too. Reads as another machine would, into a folder that is removed again.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "archive/archive.h"
#include "sync/remote.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

using EpochSession = std::pair<std::uint64_t, CaptureKey>;

struct ReadBack {
  std::set<EpochSession> sessions = {};    // all of them, or those with the text
  std::set<EpochSession> unreadable = {};  // that may have it too
  std::set<std::uint64_t> cut = {};        // epochs that could not be read to their end
};

// What other epochs of this home have at the remote, also those that this home does not know, and the current one if
// the remote has more of it than this home.
// Only sessions with the text, unless it is empty. What `local` has is not fetched; it may be nullptr.
Result<ReadBack> read_back(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                           Packs* local, std::string_view text);

}  // namespace holdfast::inline v1
