// Reads what other devices have published. Ops come always, chunks when somebody wants them.
// Hostility: what does not verify is a finding, ends the reading of its stream and writes nothing.
// Crash-safety: the archive of a stream is ahead of its cursor or with it; what is read twice is applied once.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <functional>
#include <vector>

#include "archive/archive.h"
#include "sync/content.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct PullReport {
  std::uint64_t segments = 0;
  std::uint64_t sessions = 0;   // states that were taken
  std::uint64_t withdrawn = 0;  // sessions that their devices no longer share
  bool erased = false;          // something that was here went, because it is forgotten where it came from
  std::uint64_t chunks = 0, bytes = 0;
  std::uint64_t missing = 0;  // sessions whose chunks the remote does not have (yet)
  std::vector<std::string> new_devices = {};
  std::vector<Finding> findings = {};
};

// `settings` learns of devices that were not known; the caller saves it.
Result<void> pull(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, PullReport& report);

// Whether all bytes of a session are in these packs.
bool is_here(const Packs& packs, const CapturedSession& session);

using WantSession = std::function<bool(const CaptureKey& key, const CapturedSession& session)>;
// Chunks of the sessions of a stream that are wanted and not here.
Result<void> fetch(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                   const StreamId& stream, const WantSession& wanted, PullReport& report);

}  // namespace holdfast::inline v1
