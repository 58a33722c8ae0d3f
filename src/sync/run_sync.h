// One sync with one remote: what others published is read, then what is new here is published.
// Crash-safety: as pull and push; interrupted anywhere, the next one goes on. Thread-safety: one thread; the SyncHome
// is locked.
#pragma once

#include "sync/pull.h"
#include "sync/push.h"

namespace holdfast::inline v1 {

struct SyncReport {
  PullReport pulled = {};
  PushReport pushed = {};
};

// The remote is the one that the settings mean: conflict when another is at its address.
Result<void> check_remote(const Context& context, const RemoteSettings& settings, Remote& remote);

// For a remote that is to be forgotten here: what is needed to take its epochs up when it is added again.
Result<void> set_epochs_aside(const Context& context, const SyncHome& home, const RemoteSettings& settings);

// For a remote that is added, before its settings are saved. It may have been known here before: what this device
// published there is in epochs that become its earlier ones, from which the next sync withdraws whatever is not shared
// (again), and the next free one follows them. False: there are none.
Result<bool> take_up_earlier_epochs(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                    Remote& remote);

// `local`: the archive of this machine; nullptr: none, and then nothing is published or withdrawn. `redacted`: what
// redacted_sessions made of it; nullptr: nothing.
Result<void> run_sync(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                      Archive* local, Archive* redacted, SyncReport& report);

}  // namespace holdfast::inline v1
