// Going on with a thread (M11, decision 17).
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "model/thread.h"

namespace holdfast::inline v1 {

struct ResumedThread {
  Thread thread;
  std::string session;  // the id to go on with
  bool new_session = false;
};

// The thread's last session when it has not ended and nobody alive has it
// (busy: somebody has); else a new one, which the thread then names as its last.
// A dead owner's session that has not ended is reused. `draft` is what a new
// session gets; its thread is set here. Tells session:resumed.
// `ours`: a session that the caller itself holds the lease of.
Result<ResumedThread> resume_thread(const Context& context, Store& store, std::string_view id, SessionDraft draft = {},
                                    std::string_view ours = {});

// Sessions of threads whose owner died become failed, with an end; how many.
// For store.repair: on reading they are shown as interrupted.
Result<std::size_t> fail_dead_sessions(const Context& context, Store& store);

}  // namespace holdfast::inline v1
