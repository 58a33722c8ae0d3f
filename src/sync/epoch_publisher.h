// Publishes in an epoch of this device what is new in shared sessions, withdraws what is no longer shared, and tells
// others what this device has read.
// Crash-safety: withdrawing comes last, so an interrupted run withdraws again. Thread-safety: one thread; the SyncHome
// is locked.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sync/blocked_epoch.h"
#include "sync/home_notes.h"
#include "sync/segment_sender.h"
#include "sync/shared_sessions.h"

namespace holdfast::inline v1 {

class EpochPublisher {
 public:
  // What went wrong in this epoch and in earlier ones.
  struct Troubles {
    OwnDamage damage = {};                   // in this epoch, to be repaired now
    std::set<std::uint64_t> stuck = {};      // earlier epochs in which nothing more can be published
    std::vector<BlockedEpoch> blocked = {};  // and what is to be erased in them
  };

  // The log of the epoch must be open.
  EpochPublisher(const PushRun& run, OwnEpoch& epoch, SegmentSender& sender)
      : run_(run), epoch_(epoch), sender_(sender) {}

  // The epoch is to have these sessions as they are now, and no others. `now` is everything that is shared, if that is
  // more: an earlier epoch gets nothing new.
  Result<void> plan(const SharedSessions& shared, const Troubles& troubles, const SharedSessions* now = nullptr);
  // Tells others what this device has read, and whom it has revoked.
  Result<void> note_seen();
  // Stores damaged chunks again.
  Result<void> mend_chunks(const std::set<std::string>& damaged);
  // Sends what is left, and erases.
  Result<void> finish();

 private:
  Result<void> withdraw(const std::set<CaptureKey>& gone, const OwnDamage& damage, std::set<CaptureKey>& whole);
  Result<void> drop(const std::set<CaptureKey>& gone, const SharedSessions& shared, const SharedSessions& now,
                    const Troubles& troubles);
  void note_replaced(const CapturedSession& before, const Capture& capture, const std::string& policy);
  Result<void> add(std::string op);
  Result<void> flush();

  const PushRun& run_;
  OwnEpoch& epoch_;
  SegmentSender& sender_;
  SegmentContent content_;
  bool greets_ = false;    // publish a segment even if it contains only who this is
  std::size_t bytes_ = 0;  // size of the ops in content_
};

}  // namespace holdfast::inline v1
