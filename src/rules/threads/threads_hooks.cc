#include "rules/threads/threads_hooks.h"

#include "rules/threads/thread_resume.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {
namespace {

Result<void> end_dead_sessions(const Context& context, FileStore& store, const RepairOptions& /*options*/,
                               Repaired& repaired) {
  HOLDFAST_LET(ended, fail_dead_sessions(context, store));
  repaired.counts["failed_sessions"] = ended;
  return {};
}

}  // namespace

const Hooks kThreadsHooks = {.repairing = end_dead_sessions};

}  // namespace holdfast::inline v1
