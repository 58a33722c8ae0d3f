// Publishes what is new in the archive and shared, behind the head that this device wrote.
// Crash-safety: a segment is written down before it is sent and sent again until its fate is known; it counts as
// published once the remote has it and the archive of what is published says so. Erasures are written down with it.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <string>
#include <vector>

#include "archive/archive.h"
#include "sync/content.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct PushReport {
  std::uint64_t segments = 0;
  std::uint64_t sessions = 0;   // whose new state was published
  std::uint64_t withdrawn = 0;  // that are no longer shared
  std::uint64_t chunks = 0, bytes = 0;
  bool new_epoch = false;
  std::set<std::string> pulled_by = {};  // machines that have read what was withdrawn
  std::vector<Finding> findings = {};
};

// A session that goes to a remote, and as what.
struct SharedSession {
  const CapturedSession* session = nullptr;
  std::string policy = {}, identity = {};
};
using SharedSessions = std::map<CaptureKey, SharedSession>;

// Those of this machine whose projects are shared in full.
SharedSessions shared_sessions(FileSystem& files, const CaptureState& state, const RemoteSettings& settings);

// `heads` are those of the remote now. `local` has the chunks of all that is shared; nullptr: nobody knows what is
// shared, so nothing is withdrawn either.
Result<void> push(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, const SharedSessions& shared, Packs* local,
                  PushReport& report);

}  // namespace holdfast::inline v1
