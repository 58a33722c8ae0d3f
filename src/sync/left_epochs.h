// Withdrawing from the epochs of this device that this home has left. Other sessions in them stay: this home may have
// been restored from a backup and not know them any more.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <set>
#include <vector>

#include "sync/blocked_epoch.h"
#include "sync/home_epochs.h"
#include "sync/push_run.h"

namespace holdfast::inline v1 {

struct LeftEpochs {
  std::set<std::uint64_t> stuck = {};      // nothing more can be published in these
  std::vector<BlockedEpoch> blocked = {};  // and this is to be erased in them
};

// Adds epochs of this home that `own` does not know to those that this home has left: it was restored from a backup, or
// a copy of it writes them. With a text that is forgotten, these; if something else is forgotten or no longer shared
// since the last call, all. A copy that loses by this what it still shares notices it, begins another epoch and
// publishes it again; doing this only once for what a person does, two homes come to an end. Otherwise they are only
// reported, when an epoch has begun.
Result<void> take_over_epochs(const PushRun& run, OwnStream& own, const std::vector<RemoteStream>& heads);

// `own` is the current epoch, and `published` what it has. To be called before that one drops what is no longer shared:
// as long as it has these sessions, an interrupted run is repeated.
Result<LeftEpochs> withdraw_from_left(const PushRun& run, const OwnStream& own, const CaptureState& published,
                                      const std::vector<RemoteStream>& heads, const SharedSessions& shared);

}  // namespace holdfast::inline v1
