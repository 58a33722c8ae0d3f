// Withdrawing from the epochs of this device that this home has left. Other sessions in them stay: this home may have
// been restored from a backup and not know them any more.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <set>
#include <vector>

#include "sync/blocked_epoch.h"
#include "sync/push_run.h"

namespace holdfast::inline v1 {

struct LeftEpochs {
  std::set<std::uint64_t> stuck = {};      // nothing more can be published in these
  std::vector<BlockedEpoch> blocked = {};  // and this is to be erased in them
};

// The key of this home that an epoch is written with; nullptr if it is none of this home. An epoch has one number among
// all devices of a home, so one that its present device has written is not that of another.
const SigningKey* writer_of(const std::vector<SigningKey>& keys, const std::vector<RemoteStream>& heads,
                            const StreamId& stream);

// `own` is the current epoch, and `published` what it has. To be called before that one drops what is no longer shared:
// as long as it has these sessions, an interrupted run is repeated.
Result<LeftEpochs> withdraw_from_left(const PushRun& run, const OwnStream& own, const CaptureState& published,
                                      const std::vector<RemoteStream>& heads, const SharedSessions& shared);

}  // namespace holdfast::inline v1
