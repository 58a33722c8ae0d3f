// Sends the segments of an epoch of this device, each after its chunks.
// Crash-safety: a segment is saved before it is sent, and its fate is found out before anything else is sent, so it
// counts once.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sync/own_epoch.h"
#include "sync/shared_sessions.h"

namespace holdfast::inline v1 {

class SegmentSender {
 public:
  SegmentSender(const PushRun& run, OwnEpoch& epoch) : run_(run), epoch_(epoch) {}

  // Finds out how the last run ended: its segment is there, or is sent again if it says nothing but what is still
  // `shared`; otherwise what it says is planned again. `there` is the head at the remote. Returns false if that is not
  // one that this home wrote: somebody else writes as this device, or the remote was restored.
  Result<bool> settle(const StreamHead& there, const SharedSessions& shared);
  // The segment of the last run is not sent again. If the remote has it, the epoch has to be read.
  Result<void> abandon();

  // Saves and sends the segment, which follows the head; the remote is not read-only. Without space it is not there,
  // and what it says is planned again by the next sync. A courtesy waits until then, as it does where this device may
  // only read.
  Result<void> send(const StreamSegment& segment, bool is_courtesy);

  // Stores chunks, each with its policy, unless this run has stored them.
  Result<void> store_chunks(const std::vector<std::pair<std::string, std::string>>& chunks);
  // They were erased, and are to be stored again.
  void forget_stored(const std::vector<std::string>& names);

 private:
  Result<void> send_or_wait(const StreamSegment& segment, bool is_courtesy);
  Result<void> publish(const StreamSegment& segment);
  Result<void> adopt(const StreamSegment& segment);
  void note_sent(const StreamSegment& segment);
  Result<void> drop_pending(const StreamSegment& segment);

  const PushRun& run_;
  OwnEpoch& epoch_;
  std::set<std::string> stored_;
};

}  // namespace holdfast::inline v1
