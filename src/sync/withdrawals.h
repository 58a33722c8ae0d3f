// What is published and must be erased at the remote. Thread-safety: pure, except for reading the SyncHome.
#pragma once

#include <set>

#include "archive/archive.h"
#include "sync/shared_sessions.h"

namespace holdfast::inline v1 {

struct Withdrawals {
  std::set<CaptureKey> withdrawn = {};  // no longer shared, or not in this form
  std::set<CaptureKey> cut = {};        // have lost lines, and are published again without them
};

Withdrawals withdrawals(const decltype(CaptureState::sessions)& published, const SharedSessions& shared);

// For people who ask before they sync: what the next sync would erase of the current epoch, if nothing new is captured
// before. `local` is the archive of this machine. Lines that redacted copies would lose are not noticed.
Result<Withdrawals> expected_withdrawals(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                         const CaptureState& local);

}  // namespace holdfast::inline v1
