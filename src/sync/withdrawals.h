// What is published and must be erased at the remote. Thread-safety: pure, except for reading the SyncHome.
#pragma once

#include <set>
#include <vector>

#include "archive/archive.h"
#include "sync/shared_sessions.h"

namespace holdfast::inline v1 {

struct Withdrawals {
  std::set<CaptureKey> withdrawn = {};  // no longer shared, or not in this form
  std::set<CaptureKey> cut = {};        // have lost lines, and are published again without them
};

using PublishedSessions = decltype(CaptureState::sessions);

Withdrawals withdrawals(const PublishedSessions& published, const SharedSessions& shared);

// What the archive has and what is forgotten, by all names at the remote.
struct KnownHere {
  const CaptureState* local = nullptr;
  std::set<CaptureKey> others = {};

  bool contains(const CaptureKey& key) const {
    return (local != nullptr && local->sessions.contains(key)) || others.contains(key);
  }
};
// `forgotten` under all names. `redacted`: also the names of redacted copies. `local` must outlive the result.
KnownHere known_here(const std::vector<SigningKey>& devices, const RemoteSettings& settings, const CaptureState& local,
                     const std::set<CaptureKey>& forgotten, bool redacted);

// What is published, and admitted, and neither in the archive any more nor forgotten: its line or its log was lost, or
// it was pruned. Nobody has withdrawn it, so it stays as it is.
PublishedSessions kept_there(const SigningKey& device, const RemoteSettings& settings, const KnownHere& known,
                             const PublishedSessions& published);
// Adds them to what is shared, as they were published. `kept` must outlive `shared`.
void share_kept(const PublishedSessions& kept, SharedSessions& shared);

// For people who ask before they sync: what the next sync would erase of the current epoch, if nothing new is captured
// before. `local` is the archive of this home. Lines that redacted copies would lose are not noticed.
Result<Withdrawals> expected_withdrawals(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                         Archive& local);

}  // namespace holdfast::inline v1
