// Publishes what is new in the archive and shared, after the head that this device wrote.
// Crash-safety: a segment is saved before it is sent. If an interrupted run leaves one that did not arrive, it is sent
// again, or planned again if something in it may not be sent any more. It counts as published once the remote and the
// archive of published sessions have it. Erasures are saved with it. Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/content.h"
#include "sync/shared_sessions.h"
#include "sync/sync_home.h"
#include "sync/withdrawals.h"

namespace holdfast::inline v1 {

struct PushReport {
  std::uint64_t segments = 0;
  std::set<CaptureKey> sessions = {};   // with a new state that was published
  std::set<CaptureKey> withdrawn = {};  // no longer shared
  std::set<CaptureKey> cut = {};        // published again without lines that are forgotten
  std::uint64_t chunks = 0, bytes = 0;
  std::uint64_t mended_segments = 0, mended_chunks = 0;  // repaired at the remote
  bool new_epoch = false;
  bool read_only = false;  // there is something to publish or to erase, but this device may not: nothing was sent
  bool full = false;       // the remote has no space for what is to be published
  std::set<std::string> pulled_by = {};  // machines that have read what was withdrawn or cut
  std::vector<Finding> findings = {};
};

// The chunks of what is shared, which differ by policy, and the sessions that must not be published anywhere.
struct LocalPacks {
  Packs* full = nullptr;  // nullptr: it is unknown what is shared, so nothing is withdrawn either
  Packs* redacted = nullptr;
  std::set<CaptureKey> forgotten = {};  // under all names that they have or had at the remote
  KnownHere known = {};

  Packs* of(std::string_view policy) const {
    return policy == "full" ? full : policy == "redacted" ? redacted : nullptr;
  }
};

// `heads` are the current ones of the remote. Records given keys in `settings` and saves it.
Result<void> push(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, SharedSessions shared, const LocalPacks& local,
                  PushReport& report);

}  // namespace holdfast::inline v1
