// What the parts of one push share. Lifetime: that of the push. Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include "sync/push.h"

namespace holdfast::inline v1 {

struct PushRun {
  const Context& context;
  const SyncHome& home;
  RemoteSettings& settings;
  Remote& remote;
  const LocalPacks& local;
  PushReport& report;
};

// The remote has not confirmed a change: it may be done or not.
inline Failure no_answer() {
  return fail(Code::sync_transport_failed,
              "the remote did not answer; what was sent is recorded, and the next sync resumes from there");
}

}  // namespace holdfast::inline v1
