// Withdrawing from an earlier epoch of this device in which nothing more can be published, because a segment of it is
// damaged or missing, or something is in the way. Erasing needs no publishing: this home knows from its own logs which
// bodies and chunks have what it no longer shares. Only at a remote that keeps damage; elsewhere what cannot be read
// may be readable next time, and another home that writes there as this device would not notice what is erased.
// Crash-safety: what is erased is dropped from the logs afterwards, so an interrupted call is repeated.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sync/shared_sessions.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

struct PushReport;

// What prevents publishing in an epoch.
struct Obstruction {
  std::string place;  // for people
  std::string why;
  std::uint64_t after = 0;  // the last segment before it
  bool is_locked = false;   // this device lacks a key
  bool is_missing = false;  // the next segment is not there
  bool hides_more = false;  // segments follow that cannot be read
};
// How many segments an epoch had when this home left it, as far as this is known.
Result<std::uint64_t> known_end(const Context& context, const SyncHome& home, const std::string& remote,
                                std::uint64_t epoch);

// After the segments up to `read` were read in a stream that ends with `there`, and had `end` segments, as far as is
// known; nullopt: nothing does. A number is never used twice, even if its segment is lost: machines that read that one
// would not read another.
Result<std::optional<Obstruction>> obstruction_after(const Context& context, Remote& remote, const StreamId& stream,
                                                     const StreamHead& read, const StreamHead& there,
                                                     std::uint64_t end);

// What is to be erased from such an epoch.
struct BlockedEpoch {
  std::uint64_t epoch = 0;
  SigningKey device = {};               // that wrote it
  std::optional<Obstruction> why = {};  // nullopt: the remote does not show the epoch at all
  std::set<CaptureKey> withdrawn = {};  // no longer shared
  std::set<CaptureKey> cut = {};        // have lost lines, and are published again without them
  std::set<CaptureKey> outdated = {};   // redacted by earlier rules, and published again
  bool is_known = false;                // this home has its own log of what it published there
  std::uint64_t end = 0;                // known_end()

  // A segment that this home never knew is not lost, but on its way here: a program copies the directory, and another
  // home writes the epoch as this device. That one would not notice what is erased.
  bool may_be_erased() const;
  bool empty() const { return withdrawn.empty() && cut.empty() && outdated.empty(); }
  bool contains(const CaptureKey& key) const {
    return withdrawn.contains(key) || cut.contains(key) || outdated.contains(key);
  }
};

// From the logs of the epoch. `gone` is what the current epoch withdraws, `forgotten` what must not be published.
Result<BlockedEpoch> blocked_epoch(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                   const SigningKey& device, std::uint64_t epoch, const SharedSessions& shared,
                                   const std::set<CaptureKey>& forgotten, const std::set<CaptureKey>& gone);

// Erases it, and adds to the report what was erased, and a finding if something stays readable; that is not reported as
// withdrawn or cut. To be called when the current epoch has everything else that is shared: it may have been in the
// same bodies.
Result<void> clear_blocked(const Context& context, const SyncHome& home, const RemoteSettings& settings, Remote& remote,
                           const std::vector<BlockedEpoch>& epochs, const SharedSessions& shared, PushReport& report);

}  // namespace holdfast::inline v1
