// One sync with one remote: reads what others published, then publishes what is new here. Crash-safety: as
// pull and push; the next sync resumes after an interruption at any point. Thread-safety: one thread; the
// SyncHome is locked.
#pragma once

#include "sync/pull.h"
#include "sync/push.h"

namespace holdfast::inline v1 {

struct SyncReport {
  PullReport pulled = {};
  PushReport pushed = {};
};

// Fails with sync_transport_failed if no remote or another one is at the address, permission_denied if its key differs.
Result<void> check_remote(const Context& context, const RemoteSettings& settings, Remote& remote);

// For a remote that is about to be forgotten: saves what resume_removed() needs. `erased`: it loses all epochs of this
// home, also those that this home does not know.
Result<void> remember_removed(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                              Remote* erased = nullptr);

// For a remote that is being added; saves its settings. It may have been known here before: the epochs that this device
// wrote there become earlier ones, from which the next sync withdraws whatever is not shared (again), and a new epoch
// follows them. What was withheld from it is withheld again: whoever shares a project again may not think of its parts.
// Whoever was revoked stays revoked.
// Returns whether the remote has anything of this device.
Result<bool> resume_removed(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote);

// `local` is the archive of this machine; nullptr: none, and then nothing is published or withdrawn.
// `redacted` is what redacted_sessions made of it; nullptr: nothing.
Result<void> run_sync(const Context& context, const SyncHome& home, RemoteSettings& settings, Remote& remote,
                      Archive* local, Archive* redacted, SyncReport& report);

}  // namespace holdfast::inline v1
