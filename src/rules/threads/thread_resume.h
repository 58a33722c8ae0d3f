// Resuming a thread (M11, decision 17).
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "model/thread.h"

namespace holdfast::inline v1 {

struct ResumedThread {
  Thread thread;
  std::string session;  // the id to continue with
  bool new_session = false;
};

// Returns the thread's last session if it has not ended (fails with busy if another
// process holds it), else a new session, which becomes the thread's last one. An
// unfinished session whose owner is dead is reused. `draft` is for a new session; its
// thread is set here. Emits session:resumed. `ours` is a session whose lease the caller
// itself holds.
Result<ResumedThread> resume_thread(const Context& context, Store& store, std::string_view id, SessionDraft draft = {},
                                    std::string_view ours = {});

// Marks unfinished sessions of threads whose owner died as failed and ended; returns how many.
// For store.repair: reads show them as interrupted.
Result<std::size_t> fail_dead_sessions(const Context& context, Store& store);

}  // namespace holdfast::inline v1
