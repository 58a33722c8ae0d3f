// Every step that durability depends on has a name, so the laboratory can omit
// one at run time and check that a test notices (T13). In a normal build `does`
// is a constant and costs nothing.
#pragma once

#include <atomic>
#include <string_view>

namespace holdfast::inline v1 {

// To add a step: add a line to its group, and put `does(Step::name)` around the code.
// clang-format off
#define HOLDFAST_STEPS(X)                                                                                              \
  /* log: one file of lines, its lock, its tail, its syncs */                                                          \
  X(log_sync, "fdatasync before a power acknowledgement")                                                              \
  X(log_sync_on_open, "what an earlier writer left unsynced is synced when the log is opened")                         \
  X(log_name_sync, "the directory is synced after a log is created")                                                   \
  X(log_name_anew, "a log whose directory sync failed is created again")                                               \
  X(log_side_folder, "the folder for poison marks is durable before the log is used")                                  \
  X(log_lock, "flock around the write")                                                                                \
  X(log_inode_check, "the locked file is still the one at the path")                                                   \
  X(log_last_byte_check, "nothing is appended to a torn tail")                                                         \
  X(log_newline_prefix, "shared: a record starts on its own line")                                                     \
  X(log_roll_back, "ours: a short write is cut off")                                                                   \
  X(log_roll_back_look, "nothing is cut off if another process has written after it")                                  \
  X(log_tail_whole, "a record that lacks only its newline is ended, not cut")                                          \
  X(log_tail_salvage, "a tail that contains a whole record is ended, not cut")                                         \
  X(log_quarantine, "a tail is copied to quarantine before it is cut")                                                 \
  X(log_poison_mark, "other processes learn of a failed sync")                                                         \
  X(log_poison_check, "the mark is checked before a write and before an acknowledgement")                              \
  X(log_poison_check_after_sync, "the mark is checked again after the sync returns")                                   \
  X(log_mend_sync, "a repaired copy is synced before it replaces the log")                                             \
  X(log_mend_name_sync, "the replacement is synced before the mark is removed")                                        \
  X(log_mend_compare, "shared: rewritten bytes are read back and compared")                                            \
  X(log_mend_name, "shared: a log whose name may not be durable is replaced by a new file")                            \
  X(log_own_bytes, "a repair uses our copy of the bytes instead of the page cache")                                    \
  X(log_forget_replaced, "our copy of the bytes is dropped if the log was replaced or emptied")                        \
  X(log_cover, "what somebody else wrote is synced before it is acknowledged")                                         \
  /* head: another first line for a log */                                                                             \
  X(head_sync, "the copy with the new first line is synced before it replaces the log")                                \
  X(head_name_sync, "the rename is synced before the acknowledgement")                                                 \
  X(head_name_mark, "nobody appends to a log if a process died before it synced the log's name")                       \
  X(head_kept, "the old file gets a second name before it is replaced")                                                \
  X(head_intent, "where late lines are copied to is recorded before they are copied")                                  \
  X(head_look, "whoever finds that record continues from it")                                                          \
  X(head_done, "finished copying of late lines is recorded durably before more are copied")                            \
  X(head_late_sync, "late lines are synced before the record about them is removed")                                   \
  X(head_not_replaced, "a file that is still the log has no late lines")                                               \
  X(head_wipe_sync, "late lines that were wiped in the old file stay wiped after a power loss")                        \
  X(head_expected, "a first line that somebody else has changed is not replaced")                                      \
  X(head_poison_check, "a log with a failed sync is not copied")                                                       \
  /* document: a file that is replaced as a whole */                                                                   \
  X(document_sync, "the new version is synced before the rename")                                                      \
  X(document_name_sync, "the rename is synced before the acknowledgement")                                             \
  X(document_same_sync, "bytes that are already in place are synced, too: their writer may not have done so")          \
  X(document_poison_mark, "other processes learn of a failed sync")                                                    \
  X(document_removed_anew, "after a failed sync, a removal is repeated")                                               \
  X(document_backup, "the previous version stays available")                                                           \
  X(document_revision, "an update of an outdated version is refused")                                                  \
  X(document_lock, "the root is locked from the check to the rename")                                                  \
  X(document_kind_check, "only a regular file is replaced")                                                            \
  X(document_link_check, "a file with a hard link that Holdfast did not make is not replaced")                         \
  /* commit: several changes through a journal */                                                                      \
  X(commit_staged_sync, "new versions are synced before the journal is written")                                       \
  X(commit_staged_names, "the names of new versions are synced before the journal is written")                         \
  X(commit_journal_sync, "the journal is synced before the first visible change")                                      \
  X(commit_journal_name, "the name of a new journal is synced")                                                        \
  X(commit_journal_anew, "a journal whose sync failed is replaced by a new file")                                      \
  X(commit_journal_hash, "a torn or damaged journal is not used")                                                      \
  X(commit_take_back, "a journal that could not be synced is invalidated")                                             \
  X(commit_take_back_sync, "an invalidated journal stays invalid after a power loss")                                  \
  X(commit_pointer, "the other roots record where the journal is")                                                     \
  X(commit_from_sync, "everything before the recorded offset is durable")                                              \
  X(commit_before_check, "what somebody else has changed meanwhile is not overwritten")                                \
  X(commit_lines_once, "a line that an earlier attempt wrote is not written again")                                    \
  X(commit_renew_name, "a name that an earlier attempt made is made again")                                            \
  X(commit_mend, "a log whose sync failed is repaired before lines are added")                                         \
  X(commit_from_check, "no other process has failed to sync what is before the recorded offset")                       \
  X(commit_poison_check, "the mark is checked after the lines are synced")                                             \
  X(commit_poison_mark, "other processes learn of a failed sync of the lines")                                         \
  X(commit_apply_sync, "the changes are synced before the journal is marked as applied")                               \
  X(commit_apply_names, "the names are synced before the journal is marked as applied")                                \
  X(commit_done_mark, "the journal is marked as applied before the lock is released")                                  \
  X(commit_done_sync, "the mark is durable, so that the journal is never applied over a later change")                 \
  X(commit_done_anew, "a journal whose mark cannot be synced is removed")                                              \
  X(commit_closing, "nobody relies on the mark of a finished commit before it is durable")                             \
  X(commit_locks_held, "the locks are held until the journal is marked as applied")                                    \
  X(commit_undo, "a commit that cannot be completed is undone before it is refused")                                   \
  X(commit_undo_sources, "old versions are durable before the undo is decided")                                        \
  X(commit_undo_hash, "only the version from before the commit is restored")                                           \
  X(commit_undo_check, "what somebody else has changed meanwhile is not restored")                                     \
  X(commit_undo_mark, "the decision to undo is durable before anything is restored")                                   \
  X(commit_undo_names, "restored names are durable before the journal is marked as undone")                            \
  X(commit_undo_done_sync, "the mark that the undo is finished is durable")                                            \
  X(commit_recovery, "the next open finishes an interrupted commit")                                                   \
  /* recovery */                                                                                                       \
  X(recovery_done_sync, "a recovered commit is durably marked as applied")                                             \
  X(recovery_closing_sync, "a mark left by the commit's own writer is synced, too")                                    \
  X(recovery_staged_hash, "only the prepared version gets the name")                                                   \
  X(recovery_other_root, "a journal changes another root only if that root points to it")                              \
  X(recovery_own_changes, "a journal with changes that no commit makes is set aside")                                  \
  X(recovery_obstacle, "a change that can never be made does not block the store for ever")                            \
  X(recovery_begun, "a commit that is partly visible is finished, not dropped")                                        \
  X(recovery_pointer_check, "a pointer is valid only for its own transaction")                                         \
  X(recovery_pointer_sync, "the removal of a pointer is durable")                                                      \
  X(recovery_discard_sync, "setting a journal aside is durable")                                                       \
  /* counter: numbers, each once */                                                                                    \
  X(counter_sync, "a number is durable before it is handed out")                                                       \
  X(counter_skip, "a damaged line counts as a number that was handed out")                                             \
  /* root: the directory and its side folder */                                                                        \
  X(root_name_sync, "the names of new directories are synced")                                                         \
  X(root_name_anew, "a directory whose sync failed is created again")                                                  \
  X(root_directory_look, "a directory that we made still exists")                                                      \
  X(root_inode_check, "after waiting, the locked file is still the one at the path")                                   \
  X(quarantine_sync, "the copy is synced before the original is cut")                                                  \
  X(quarantine_name_sync, "the name of the copy is synced before the original is cut")                                 \
  /* checksums beside a log */                                                                                         \
  X(checksum_bytes, "bytes that Holdfast did not write are reported")                                                  \
  X(checksum_end, "a log that is shorter than its checksums say is reported")                                          \
  X(checksum_chain, "damage to the checksums themselves is reported")                                                  \
  X(checksum_drop, "checksums are removed before another file replaces the log")                                       \
  X(checksum_drop_sync, "the removal of checksums is durable")                                                         \
  X(checksum_look, "checksums that another process has added are found")                                               \
  /* lease: one living process */                                                                                      \
  X(lease_lock, "a lock shows that the owner is alive")                                                                \
  X(lease_take_over_lock, "whoever takes a lease over holds its lock before it gets the name")                         \
  X(lease_release_check, "nobody removes another owner's lease")                                                       \
  X(lease_inode_check, "after waiting, the locked file is still the one at the path")                                  \
  X(lease_writer_check, "a writer that has lost its lease writes nothing more")                                        \
  X(lease_keeps_session, "a session with a living owner is not removed")                                               \
  /* trash: removed sessions */                                                                                        \
  X(trash_file_sync, "appended lines are durable before the session's removal is")                                     \
  X(trash_kept_names, "the second names are durable before the first ones are removed")                                \
  X(trash_old_names, "the removal of the first names is durable before the acknowledgement")                           \
  X(trash_restored_names, "restored names are durable before the trash drops its own")                                 \
  X(trash_taken_look, "nothing is restored to a place that is taken")                                                  \
  X(trash_taken, "a place that was taken meanwhile is not overwritten")                                                \
  X(trash_let_go, "a restored file has one name again before the trash drops its record")                              \
  X(trash_let_go_sync, "the removal of the trash's name is durable")                                                   \
  X(trash_forget_sync, "the manifest is removed before the files that it names")                                       \
  X(trash_pending_check, "nothing is restored that an unfinished commit may still remove")                             \
  X(trash_move_noted, "a move is recorded before its first file is moved")                                             \
  X(trash_settle, "an interrupted move is settled by whoever changes sessions next")                                   \
  X(commit_journal_renewed, "a finished commit is not applied again when a document returns to its old version")       \
  X(trash_poison_mark, "other processes learn of a failed sync of a moved log")                                        \
  X(trash_names_anew, "restored names are made again after a failed sync")                                             \
  X(move_lock, "a log is moved only while nobody is writing to it")                                                    \
  X(move_inode_check, "after waiting, the locked file is still the one at the path")                                   \
  /* blob */                                                                                                           \
  X(blob_sync, "a blob is durable before the line that refers to it")                                                  \
  X(blob_hash, "a blob's bytes match its name")                                                                        \
  X(blob_aside_names, "the new name of a blob that is set aside is durable")                                           \
  X(blob_lock, "no writer is between a blob and its line while blobs are set aside")                                   \
  X(blob_look_again, "under that lock, it is checked again that no line refers to the blob")                           \
  X(blob_put_back_sync, "a blob that is put back is durable before its other name is removed")                         \
  X(blob_grace, "an unused blob is not deleted at once")                                                               \
  X(blob_out_of_reach, "no blob is deleted while something that may refer to it cannot be read")                       \
  /* message: what it is called and what it follows */                                                                 \
  X(message_id_check, "an id that is already used is refused")                                                         \
  X(message_parent_check, "an unknown parent or leaf is refused")                                                      \
  /* entries: transactions of other programs */                                                                        \
  X(entry_operation_check, "an operation that was applied is not applied again")                                       \
  X(entry_digest_check, "another transaction under the id of an applied one is refused")                               \
  X(entry_uuid_check, "an entry whose uuid is in the stream is not added")                                             \
  X(entry_suffix_check, "only the entries that the caller expects are replaced")                                       \
  X(entry_version_check, "a write after an outdated version is refused")                                               \
  X(entry_catch_up, "what was written since is read before a write is decided")                                        \
  X(entry_other_log, "a log that replaced the one that was read is read from its start")                               \
  X(entry_deleted_anew, "a write to a log that was deleted goes to a new one")                                         \
  /* store: its sessions and records */                                                                                \
  X(sessions_lock, "a session is not removed while another process creates files for it")                              \
  X(records_lock, "records are read and changed under a lock")                                                         \
  X(side_lock_inode_check, "after waiting, the locked file is still the one at the path")                              \
  X(session_still_there, "under that lock, the session still exists before a file is created for it")                  \
  X(queue_look, "only what was sent is marked as sent in the queue")                                                   \
  X(side_taken_back, "the removal of files that a refused change made in the side folder is durable")                  \
  X(clear_sync, "the old log is durable before it is set aside")                                                       \
  X(clear_kept, "the old log has its new name before the empty log replaces it")                                       \
  X(clear_name_sync, "the replacement is durable before the acknowledgement")                                          \
  X(clear_poison_mark, "after a failed sync, nobody appends to a log whose name may be lost")                          \
  X(clear_name_mark, "nobody appends to a log if a process died before it synced the log's name")                      \
  X(clear_undone, "if the empty log's name cannot be made durable, the old log returns to its place")                  \
  X(clear_settled, "after an interrupted clear, a log has one name again")                                             \
  X(aside_name, "the new name of an unreadable file is durable before the old one is removed")                         \
  X(paused_sync, "a session that waits for a person still does after a power loss")                                    \
  X(ready_proof, "a store is reported as ready only after a write reached the medium")                                 \
  X(metrics_lock, "metrics are added under a lock")                                                                    \
  X(metrics_inode_check, "the locked file is still the one at the path")                                               \
  X(backup_forgotten, "the removal of a secret from a backup is durable")                                              \
  /* a new file in the store of another agent */                                                                       \
  X(new_file_sync, "a file is durable before it has its name")                                                         \
  X(new_file_name_sync, "its name is durable before the acknowledgement")                                              \
  X(new_file_folder_sync, "every directory that was made for it is durable")                                           \
  /* archive: captures in packs and a log */                                                                           \
  X(archive_lock, "one process at a time writes to the archive")                                                       \
  X(archive_lock_inode_check, "the locked file is still the one at the path")                                          \
  X(archive_own_name, "the archive's own name is durable before anything is captured")                                 \
  X(archive_format_again, "the format file is durable, whoever wrote it")                                              \
  X(archive_pack_sync, "chunks are durable before the line that refers to them")                                       \
  X(archive_pack_name, "the pack's name is durable before the line that refers to it")                                 \
  X(archive_pack_name_anew, "an empty pack gets a new name, because a sync of the old one may have failed")            \
  X(archive_tail_sync, "what an earlier writer left unsynced is synced before it is used")                             \
  X(archive_tail_check, "chunks that no line refers to are checked before they are used")                              \
  X(archive_tail_aside, "a torn tail is copied before it is cut")                                                      \
  X(archive_cut, "what a failed sync covered is cut off")                                                              \
  X(archive_abandon, "nothing more is added to a pack whose sync failed")                                              \
  X(archive_pack_limit, "nothing in that pack is used unless a line refers to it")                                     \
  X(archive_copies_sync, "what is still needed of a pack is durable in another one before the pack is removed")        \
  X(archive_rewrite_noted, "which packs will be removed is recorded before the log is replaced")                       \
  X(archive_rewrite_look, "the packs are removed only if the log was replaced")                                        \
  X(archive_rewrite_ended, "a rewrite whose process died is finished")                                                 \
  X(archive_packs_gone, "the removal of packs is durable before the record of it is removed")                          \
  X(archive_removed_anew, "after a failed sync, the removal of a pack is repeated")                                    \
  X(archive_unreadable_stays, "a pack with an unreadable chunk is kept")                                               \
  X(archive_forget_noted, "what is to be forgotten is recorded before it is removed")                                  \
  X(archive_forget_pending, "it is recorded that the removal is not finished")                                         \
  X(restore_check, "the whole session is readable before any of it is written")                                        \
  X(restore_main_last, "the file that makes it a session is written last")                                             \
  X(restore_sync, "a file is durable before it has its name")                                                          \
  X(restore_new_only, "no existing file is replaced")                                                                  \
  X(restore_name_sync, "its name is durable before the acknowledgement")                                               \
  X(restore_folder_sync, "the names of its directories are durable before the acknowledgement")                        \
  X(restore_undone, "a file whose name cannot be made durable is removed again")                                       \
  X(restore_again_sync, "a file from an earlier attempt is synced before it counts as restored")                       \
  /* sync: streams of segments at a remote that nobody trusts */                                                       \
  X(sync_policy, "only shared projects leave the machine")                                                             \
  X(sync_device_check, "a segment is valid only in the stream of its own device")                                      \
  X(sync_signature_check, "a segment is valid only with its device's signature")                                       \
  X(sync_hash_check, "a segment is valid only with the hash that the remote states")                                   \
  X(sync_ops_durable, "pulled operations are durable before the cursor passes them")                                   \
  X(sync_drops_heeded, "what another device withdraws is removed here, too")                                           \
  X(sync_pending_noted, "a segment is recorded before it is sent")                                                     \
  X(sync_settled, "if there was no answer, the remote is asked what became of a segment")                              \
  X(sync_chunks_first, "chunks are at the remote before the segment that refers to them")                              \
  X(sync_clone_noticed, "a second writer with the same device key starts an epoch of its own")                         \
  X(sync_published_durable, "what was published is recorded durably before the record of the attempt is removed")      \
  X(sync_erasures_noted, "what is to be erased is recorded before anything is published")                              \
  X(sync_bodies_erased, "segment bodies that contain withdrawn data are erased")                                       \
  X(sync_chunks_erased, "chunks that contain withdrawn data are erased")                                               \
  X(sync_lost_numbers, "the number of a lost segment is not used again")                                               \
  X(sync_blocked_arriving, "nothing is erased after a segment that may still arrive")                                  \
  X(sync_blocked_others, "in a blocked epoch, a body that another home needs is kept")                                 \
  X(sync_blocked_used, "in a blocked epoch, chunks that another home needs are kept")                                  \
  X(sync_blocked_known, "what is to be erased in a blocked epoch is remembered until it is erased")

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
// The mutants of T13 omit one step at a time. Step::count omits none.
inline std::atomic<Step> omitted_step{Step::count};
inline bool does(Step step) { return omitted_step.load(std::memory_order_relaxed) != step; }
#else
constexpr bool does(Step) { return true; }
#endif

}  // namespace holdfast::inline v1
