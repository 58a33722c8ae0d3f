// Publishes what is new in the archive and shared, behind the head that this device wrote.
// Crash-safety: a segment is written down before it is sent and sent again until its fate is known; it counts as
// published once the remote has it and the archive of what is published says so. Erasures are written down with it.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/content.h"
#include "sync/shared_sessions.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct PushReport {
  std::uint64_t segments = 0;
  std::uint64_t sessions = 0;   // whose new state was published
  std::uint64_t withdrawn = 0;  // that are no longer shared
  std::uint64_t cut = 0;        // sessions that lost forgotten lines, and were published anew without them
  std::uint64_t chunks = 0, bytes = 0;
  std::uint64_t mended_segments = 0, mended_chunks = 0;  // that were damaged there
  bool new_epoch = false;
  std::set<std::string> pulled_by = {};  // machines that have read what was withdrawn or cut
  std::vector<Finding> findings = {};
};

// Where the chunks of what is shared are, each policy has its own bytes; and what must not be anywhere.
struct LocalPacks {
  Packs* full = nullptr;  // nullptr: nobody knows what is shared, so nothing is withdrawn either
  Packs* redacted = nullptr;
  std::set<CaptureKey> forgotten = {};  // under all names that they have or had there

  Packs* of(std::string_view policy) const {
    return policy == "full" ? full : policy == "redacted" ? redacted : nullptr;
  }
};

// `heads` are those of the remote now. `settings` notes which keys were given, saved.
Result<void> push(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, const SharedSessions& shared, const LocalPacks& local,
                  PushReport& report);

}  // namespace holdfast::inline v1
