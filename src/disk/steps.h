// Every step that durability rests on has a name, so that the laboratory can
// leave one out at run time and see that a test notices (T13). In a normal
// build `does` is a constant and costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace holdfast::inline v1 {

enum class Step {
  log_sync,             // fdatasync before a power acknowledgement
  log_sync_on_open,     // what an earlier writer left unsynced
  log_name_sync,        // directory sync after creating a log
  log_lock,             // flock around the write
  log_inode_check,      // is the locked file still the one at the path
  log_last_byte_check,  // never glue onto a torn tail
  log_newline_prefix,   // shared: our line starts on a line of its own
  log_roll_back,        // ours: a short write is cut off again
  log_quarantine,       // copy aside before cutting
  log_poison_mark,      // a failed sync is remembered for other processes
  log_poison_check,     // and seen before a write and before an acknowledgement
  log_mend_sync,        // the mended copy is synced before it takes the name
  document_sync,        // the new version before the rename
  document_name_sync,   // the rename before the acknowledgement
  document_backup,      // the version before stays reachable
  document_revision,    // the lost-update check
  document_lock,        // the root's lock around check and rename
  commit_staged_sync,   // new versions before the journal
  commit_staged_names,  // and their names
  commit_journal_sync,  // the journal before the first visible change
  commit_journal_name,  // and its name, when it is new
  commit_pointer,       // the other roots know where the journal is
  commit_apply_sync,    // the changes before the journal is called done
  commit_done_mark,     // the journal is called done before the lock goes
  commit_recovery,      // the next open finishes the work
  counter_sync,         // a number is durable before it is handed out
  root_name_sync,       // new directories
  quarantine_sync,      // the copy before the cut
  count
};

inline constexpr int kStepCount = static_cast<int>(Step::count);
std::string_view step_name(Step step);

#ifdef HOLDFAST_LAB
inline std::atomic<std::uint64_t> omitted_steps{0};
inline bool does(Step step) {
  return (omitted_steps.load(std::memory_order_relaxed) >> static_cast<unsigned>(step) & 1U) == 0;
}
#else
constexpr bool does(Step) { return true; }
#endif

}  // namespace holdfast::inline v1
