// Reads what other devices have published. Ops are always read, chunks on demand.
// Hostile input: what does not verify is a finding, ends the reading of its stream and writes nothing.
// Crash-safety: the archive of a stream is never behind its cursor; a segment that is read twice is applied once.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "sync/content.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// A session of a device, however many states and epochs of it were read.
using DeviceSession = std::pair<std::string, CaptureKey>;

struct PullReport {
  std::uint64_t segments = 0;
  std::set<DeviceSession> sessions = {};   // new here, or changed
  std::set<DeviceSession> withdrawn = {};  // their devices no longer share them
  bool erased = false;                     // something was removed here because its device forgot it
  std::uint64_t chunks = 0, bytes = 0;
  std::uint64_t missing = 0;  // sessions whose chunks the remote does not have (yet)
  std::vector<std::string> new_devices = {};
  std::vector<Finding> findings = {};
};

// Adds new devices to `settings`; the caller saves it.
Result<void> pull(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                  const std::vector<RemoteStream>& heads, PullReport& report);

// Reads one stream, whoever's it is, into the folders that settings.name names.
Result<void> read_stream(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                         const RemoteStream& stream, PullReport& report);

// Whether all bytes of a session are in these packs.
bool is_here(const Packs& packs, const CapturedSession& session);

// The sessions of the stream that a later epoch of the device has, with everything that is in this one; or at all, if
// the remote has lost what was read of this one (it was erased, or restored from a backup). Where their bytes are not
// here, they are not needed or cannot be fetched any more, and the later copy takes their place.
Result<std::set<CaptureKey>> replaced_sessions(const Context& context, const SyncHome& home, const std::string& remote,
                                               const StreamId& stream);

using WantSession = std::function<bool(const CaptureKey& key, const CapturedSession& session)>;
// Fetches missing chunks of the wanted sessions of a stream.
Result<void> fetch(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                   const StreamId& stream, const WantSession& wanted, PullReport& report);

}  // namespace holdfast::inline v1
