// Every step that durability rests on has a name, so that the laboratory can
// leave one out at run time and see that a test notices (T13). In a normal
// build `does` is a constant and costs nothing.
#pragma once

#include <atomic>
#include <string_view>

namespace holdfast::inline v1 {

// A new step: a line in its group, and `does(Step::name)` around what it does.
// clang-format off
#define HOLDFAST_STEPS(X)                                                                      \
  /* log: one file of lines, its lock, its tail, its syncs */                                  \
  X(log_sync, "fdatasync before a power acknowledgement")                                      \
  X(log_sync_on_open, "what an earlier writer left unsynced")                                  \
  X(log_name_sync, "directory sync after creating a log")                                      \
  X(log_lock, "flock around the write")                                                        \
  X(log_inode_check, "is the locked file still the one at the path")                           \
  X(log_last_byte_check, "never glue onto a torn tail")                                        \
  X(log_newline_prefix, "shared: our line starts on a line of its own")                        \
  X(log_roll_back, "ours: a short write is cut off again")                                     \
  X(log_quarantine, "copy aside before cutting")                                               \
  X(log_poison_mark, "a failed sync is remembered for other processes")                        \
  X(log_poison_check, "and seen before a write and before an acknowledgement")                 \
  X(log_poison_check_after_sync, "the mark is looked for again once the sync came back")       \
  X(log_mend_sync, "the mended copy is synced before it takes the name")                       \
  /* head: another first line for a log */                                                     \
  X(head_sync, "the copy with the new first line before it takes the name")                    \
  X(head_name_sync, "the rename before the acknowledgement")                                   \
  /* document: a file that is replaced as a whole */                                           \
  X(document_sync, "the new version before the rename")                                        \
  X(document_name_sync, "the rename before the acknowledgement")                               \
  X(document_backup, "the version before stays reachable")                                     \
  X(document_revision, "the lost-update check")                                                \
  X(document_lock, "the root's lock around check and rename")                                  \
  /* commit: several changes through a journal */                                              \
  X(commit_staged_sync, "new versions before the journal")                                     \
  X(commit_staged_names, "and their names")                                                    \
  X(commit_journal_sync, "the journal before the first visible change")                        \
  X(commit_journal_name, "and its name, when it is new")                                       \
  X(commit_pointer, "the other roots know where the journal is")                               \
  X(commit_apply_sync, "the changes before the journal is called done")                        \
  X(commit_done_mark, "the journal is called done before the lock goes")                       \
  X(commit_locks_held, "the locks are held until the journal is called done")                  \
  X(commit_recovery, "the next open finishes the work")                                        \
  X(commit_recovered_sync, "what recovery called done is so after a power loss too")           \
  /* counter */                                                                                \
  X(counter_sync, "a number is durable before it is handed out")                               \
  /* root: the directory and its side folder */                                                \
  X(root_name_sync, "new directories")                                                         \
  X(quarantine_sync, "the copy before the cut")                                                \
  /* lease */                                                                                  \
  X(lease_inode_check, "is the locked file still the one at the path after waiting")           \
  X(lease_writer_check, "a writer that lost its lease writes nothing more")                    \
  /* trash: removed sessions */                                                                \
  X(trash_file_sync, "what was appended is not younger than its removal")                      \
  X(trash_kept_names, "the second names before the first ones go")                             \
  X(trash_restored_names, "the restored names before the trash forgets")                       \
  /* blob */                                                                                   \
  X(blob_sync, "what a line refers to is durable before the line is")                          \
  /* store */

// clang-format on

enum class Step {
#define HOLDFAST_STEP(name, why) name,
  HOLDFAST_STEPS(HOLDFAST_STEP)
#undef HOLDFAST_STEP
      count
};

inline constexpr int kStepCount = static_cast<int>(Step::count);
std::string_view step_name(Step step);
std::string_view step_reason(Step step);

#ifdef HOLDFAST_LAB
// One at a time: the mutants of T13. Step::count leaves nothing out.
inline std::atomic<Step> omitted_step{Step::count};
inline bool does(Step step) { return omitted_step.load(std::memory_order_relaxed) != step; }
#else
constexpr bool does(Step) { return true; }
#endif

}  // namespace holdfast::inline v1
