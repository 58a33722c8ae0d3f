// Every step that durability depends on has a name, so the laboratory can omit
// one at run time and check that a test notices (T13). In a normal build `does`
// is a constant and costs nothing.
#pragma once

#include <atomic>
#include <string_view>

namespace holdfast::inline v1 {

// To add a step: add a line to its group, and put `does(Step::name)` around the code.
// clang-format off
#define HOLDFAST_STEPS(X)                                                                             \
  /* log: one file of lines, its lock, its tail, its syncs */                                         \
  X(log_sync, "fdatasync before a power acknowledgement")                                             \
  X(log_sync_on_open, "what an earlier writer left unsynced")                                         \
  X(log_name_sync, "directory sync after creating a log")                                             \
  X(log_name_anew, "a name whose sync failed is made anew")                                           \
  X(log_side_folder, "where a mark goes does not hang on a failed sync itself")                       \
  X(log_lock, "flock around the write")                                                               \
  X(log_inode_check, "is the locked file still the one at the path")                                  \
  X(log_last_byte_check, "never glue onto a torn tail")                                               \
  X(log_newline_prefix, "shared: our line starts on a line of its own")                               \
  X(log_roll_back, "ours: a short write is cut off again")                                            \
  X(log_roll_back_look, "unless somebody wrote behind it")                                            \
  X(log_tail_whole, "a record that lacks only its newline is ended, not cut")                         \
  X(log_tail_salvage, "so is a tail in which a whole record can be found")                            \
  X(log_quarantine, "copy aside before cutting")                                                      \
  X(log_poison_mark, "a failed sync is remembered for other processes")                               \
  X(log_poison_check, "and seen before a write and before an acknowledgement")                        \
  X(log_poison_check_after_sync, "the mark is looked for again once the sync came back")              \
  X(log_mend_sync, "the mended copy is synced before it takes the name")                              \
  X(log_mend_name_sync, "and its name before the mark goes")                                          \
  X(log_mend_compare, "shared: what was written again reads back the same")                           \
  X(log_mend_name, "shared: a log whose name is suspect gets another file, which takes the name anew")  \
  X(log_own_bytes, "what we wrote counts more than what the cache says after a failure")              \
  X(log_forget_replaced, "but only in the file to which we wrote it")                                 \
  /* head: another first line for a log */                                                            \
  X(head_sync, "the copy with the new first line before it takes the name")                           \
  X(head_name_sync, "the rename before the acknowledgement")                                          \
  X(head_name_mark, "nobody appends to a log whose name was about to be synced when its process died") \
  X(head_kept, "the old file's other name before the new one takes its place")                        \
  X(head_intent, "where late lines go is noted before they go there")                                 \
  X(head_look, "and looked at by whoever finds the note")                                             \
  X(head_done, "that they went is durable before more of them go")                                    \
  X(head_late_sync, "late lines are durable before the note of them goes")                            \
  X(head_not_replaced, "a file that is still the log holds no late lines")                            \
  X(head_wipe_sync, "what was wiped in the old file stays so after a power loss")                     \
  X(head_expected, "a first line that somebody else changed is left alone")                           \
  X(head_poison_check, "nothing is copied that an earlier sync could not make durable")               \
  /* document: a file that is replaced as a whole */                                                  \
  X(document_sync, "the new version before the rename")                                               \
  X(document_name_sync, "the rename before the acknowledgement")                                      \
  X(document_same_sync, "bytes that are in place already may come from one who did not sync")         \
  X(document_poison_mark, "a failed sync of a document is remembered")                                \
  X(document_removed_anew, "so that a removal is made again, not called done")                        \
  X(document_backup, "the version before stays reachable")                                            \
  X(document_revision, "the lost-update check")                                                       \
  X(document_lock, "the root's lock around check and rename")                                         \
  X(document_kind_check, "only a plain file is replaced")                                             \
  X(document_link_check, "and none that has a name we did not give it")                               \
  /* commit: several changes through a journal */                                                     \
  X(commit_staged_sync, "new versions before the journal")                                            \
  X(commit_staged_names, "and their names")                                                           \
  X(commit_journal_sync, "the journal before the first visible change")                               \
  X(commit_journal_name, "and its name, when it is new")                                              \
  X(commit_journal_anew, "a journal whose sync failed gets a new file")                               \
  X(commit_journal_hash, "a torn or flipped journal is not believed")                                 \
  X(commit_take_back, "a journal that could not be synced counts for nothing")                        \
  X(commit_take_back_sync, "after a power loss too")                                                  \
  X(commit_pointer, "the other roots know where the journal is")                                      \
  X(commit_from_sync, "what lies before the noted offset is durable")                                 \
  X(commit_before_check, "what somebody else changed meanwhile is left alone")                        \
  X(commit_lines_once, "a line of an earlier attempt is not written again")                           \
  X(commit_renew_name, "a name of an earlier attempt is made anew")                                   \
  X(commit_mend, "nothing is written behind a suspect region")                                        \
  X(commit_from_check, "and no other process failed to sync it")                                      \
  X(commit_poison_check, "the mark is looked for once its lines are synced")                          \
  X(commit_poison_mark, "a failed sync of its lines is remembered")                                   \
  X(commit_apply_sync, "the changes before the journal is called done")                               \
  X(commit_apply_names, "and their names")                                                            \
  X(commit_done_mark, "the journal is called done before the lock goes")                              \
  X(commit_done_sync, "durably: a later change must not meet it again")                               \
  X(commit_done_anew, "when the mark cannot be synced the journal goes")                              \
  X(commit_closing, "nobody trusts the mark of a finished commit before it is durable")               \
  X(commit_locks_held, "the locks are held until the journal is called done")                         \
  X(commit_undo, "what cannot be done whole is taken back before it is refused")                      \
  X(commit_undo_sources, "what is put back is durable before that is decided")                        \
  X(commit_undo_hash, "and is what was there before")                                                 \
  X(commit_undo_check, "what somebody else changed meanwhile is not put back")                        \
  X(commit_undo_mark, "the decision is durable before the first step back")                           \
  X(commit_undo_names, "what was put back is durable before the journal is called done")              \
  X(commit_undo_done_sync, "and that is durable too")                                                 \
  X(commit_recovery, "the next open finishes the work")                                               \
  /* recovery */                                                                                      \
  X(recovery_done_sync, "what was finished is called done after a power loss too")                    \
  X(recovery_closing_sync, "so is what its own writer called done")                                   \
  X(recovery_staged_hash, "only the version that was prepared takes the name")                        \
  X(recovery_other_root, "a journal reaches into a root only when that one says so too")              \
  X(recovery_own_changes, "changes that no commit makes are not made")                                \
  X(recovery_obstacle, "a change that can never be made locks nothing for ever")                      \
  X(recovery_begun, "what was visible in part is finished, not dropped")                              \
  X(recovery_pointer_check, "a pointer counts for its own transaction only")                          \
  X(recovery_pointer_sync, "a pointer that was dropped stays so after a power loss")                  \
  X(recovery_discard_sync, "so does a journal that was set aside")                                    \
  /* counter: numbers, each once */                                                                   \
  X(counter_sync, "a number is durable before it is handed out")                                      \
  X(counter_skip, "a damaged line may have been a number")                                            \
  /* root: the directory and its side folder */                                                       \
  X(root_name_sync, "new directories")                                                                \
  X(root_name_anew, "a directory whose sync failed is made anew")                                     \
  X(root_directory_look, "is a directory that we made still there")                                   \
  X(root_inode_check, "is the locked file still the one at the path after waiting")                   \
  X(quarantine_sync, "the copy before the cut")                                                       \
  X(quarantine_name_sync, "and its name")                                                             \
  /* checksums beside a log */                                                                        \
  X(checksum_bytes, "bytes that were not written here are reported")                                  \
  X(checksum_end, "so is a log that ends too early")                                                  \
  X(checksum_chain, "and a line of the checksums itself")                                             \
  X(checksum_drop, "they go before another file takes the log's name")                                \
  X(checksum_drop_sync, "durably")                                                                    \
  X(checksum_look, "somebody else may have added checksums")                                          \
  /* lease: one living process */                                                                     \
  X(lease_lock, "the lock that says that its owner lives")                                            \
  X(lease_take_over_lock, "who takes it over holds it before it has the name")                        \
  X(lease_release_check, "nobody removes the lease of another")                                       \
  X(lease_inode_check, "is the locked file still the one at the path after waiting")                  \
  X(lease_writer_check, "a writer that lost its lease writes nothing more")                           \
  X(lease_keeps_session, "nobody removes the session of a living owner")                              \
  /* trash: removed sessions */                                                                       \
  X(trash_file_sync, "what was appended is not younger than its removal")                             \
  X(trash_kept_names, "the second names before the first ones go")                                    \
  X(trash_old_names, "that the first ones went, before the acknowledgement")                          \
  X(trash_restored_names, "the restored names before the trash forgets")                              \
  X(trash_taken_look, "nothing comes back while something else has taken a place")                    \
  X(trash_taken, "nor is it called back when something took the place meanwhile")                     \
  X(trash_let_go, "what came back has one name again before the trash forgets it")                    \
  X(trash_let_go_sync, "durably")                                                                     \
  X(trash_forget_sync, "the manifest goes before what it names")                                      \
  X(trash_pending_check, "nothing comes back that an open commit may yet take away")                  \
  X(trash_move_noted, "what goes there or comes back is noted before the first file moves")           \
  X(trash_settle, "and brought back whole by whoever changes sessions next")                          \
  X(commit_journal_renewed, "no commit that was ended comes back when a document is as it was before") \
  X(trash_poison_mark, "a failed sync of a log is remembered: who appends writes it anew") \
  X(trash_names_anew, "what came back when a sync failed gets its names anew before the trash lets go") \
  X(move_lock, "who writes to a log has written before it is moved")                                  \
  X(move_inode_check, "is the locked file still the one at the path after waiting")                   \
  /* blob */                                                                                          \
  X(blob_sync, "what a line refers to is durable before the line is")                                 \
  X(blob_hash, "what a blob holds is what its name promises")                                         \
  X(blob_aside_names, "a blob that is set aside has its name there")                                  \
  X(blob_lock, "nobody is between a blob and the line that names it while one is set aside")          \
  X(blob_look_again, "is it named by now, under that lock")                                           \
  X(blob_put_back_sync, "a blob that is put back is there before the old name is gone for good")      \
  X(blob_grace, "nothing is deleted at once")                                                         \
  X(blob_out_of_reach, "nor while something cannot be looked at that may name it")                    \
  /* message: what it is called and what it follows */                                                \
  X(message_id_check, "an id that is taken is refused")                                               \
  X(message_parent_check, "so is a parent or a leaf that is not there")                               \
  /* store: its sessions and records */                                                               \
  X(sessions_lock, "nobody takes a session away while another makes files of it")                     \
  X(records_lock, "one at a time looks at records and changes them")                                  \
  X(side_lock_inode_check, "is the locked file still the one at the path after waiting")              \
  X(session_still_there, "looked at under that lock, before a file of the session is made")           \
  X(queue_look, "what is settled in the queue is what was sent")                                      \
  X(side_taken_back, "what a refused change made in the side folder is gone after a power loss too")  \
  X(clear_sync, "what goes aside is durable")                                                         \
  X(clear_kept, "its name aside before the empty log takes its place")                                \
  X(clear_name_sync, "and that before the acknowledgement")                                           \
  X(clear_poison_mark, "a failed sync is remembered: nobody appends to a log whose name may be lost")   \
  X(clear_name_mark, "nor to one whose name was about to be synced when its process died")             \
  X(clear_undone, "a log whose empty successor has no durable name is in its place again")            \
  X(clear_settled, "a log whose clearing was cut short has one name again")                           \
  X(aside_name, "what cannot be read has its new name before the old one is gone for good")           \
  X(paused_sync, "a session that waits for a person does so after a power loss too")                  \
  X(ready_proof, "a store is called ready once the medium took something")                            \
  X(metrics_lock, "one at a time adds to the metrics")                                                \
  X(metrics_inode_check, "is the locked file still the one at the path")                              \
  X(backup_forgotten, "what a backup is not to show is gone after a power loss too")                  \
  /* a new file in the store of another agent */                                                      \
  X(new_file_sync, "it is durable before it has its name")                                            \
  X(new_file_name_sync, "and so is the name before the acknowledgement")                              \
  X(new_file_folder_sync, "and every folder that was made for it") \
  /* archive: captures in packs and a log */                                                          \
  X(archive_lock, "one at a time writes to the archive")                                              \
  X(archive_lock_inode_check, "is the locked file still the one at the path")                         \
  X(archive_own_name, "the archive's own name is durable before anything is captured")                \
  X(archive_format_again, "so is what makes it one, whoever wrote it")                                 \
  X(archive_pack_sync, "chunks are durable before the line that names them")                          \
  X(archive_pack_name, "so is the name of their pack")                                                \
  X(archive_pack_name_anew, "a pack that nobody wrote to gets another name: its sync may have failed") \
  X(archive_tail_sync, "what an earlier writer left unsynced is durable before it counts")            \
  X(archive_tail_check, "and whole, where no line names it")                                          \
  X(archive_tail_aside, "a torn end is copied before it is cut")                                      \
  X(archive_cut, "what a failed sync covered goes")                                                   \
  X(archive_abandon, "and nobody adds to that pack again")                                            \
  X(archive_pack_limit, "nor believes what no line names there")                                      \
  X(archive_copies_sync, "what is needed of a pack is durable in another before it goes")             \
  X(archive_rewrite_noted, "which packs go is noted before the log is replaced")                      \
  X(archive_rewrite_look, "and they go only when it is")                                              \
  X(archive_rewrite_ended, "also when the one who began died")                                        \
  X(archive_packs_gone, "durably, before the note goes")                                              \
  X(archive_removed_anew, "also when a sync of it has failed")                                        \
  X(archive_unreadable_stays, "a pack with something in it that cannot be read stays")                \
  X(archive_forget_noted, "what is forgotten is noted before it goes")                                \
  X(archive_forget_pending, "and that it has not gone yet")                                           \
  X(restore_check, "all of a session can be read before any of it is written")                        \
  X(restore_main_last, "the file that makes it a session comes last")                                 \
  X(restore_sync, "a file is durable before it has its name")                                         \
  X(restore_new_only, "it replaces nothing")                                                          \
  X(restore_name_sync, "its name is durable before the acknowledgement")                              \
  X(restore_folder_sync, "so are those of its directories")                                           \
  X(restore_undone, "what could not be given a durable name goes again")                              \
  X(restore_again_sync, "a file that an earlier attempt left there is durable before it counts")      \
  /* sync: streams of segments at a remote that nobody trusts */                                      \
  X(sync_policy, "only projects that are shared leave the machine")                                   \
  X(sync_device_check, "a segment counts only in the stream of its own device")                       \
  X(sync_signature_check, "and with the signature of that device")                                    \
  X(sync_hash_check, "with the hash by which the next one names it")                                  \
  X(sync_ops_durable, "what was pulled is durable before the cursor passes it")                       \
  X(sync_drops_heeded, "what is withdrawn goes here too")                                             \
  X(sync_pending_noted, "a segment is noted before it is sent")                                       \
  X(sync_settled, "what became of a segment without an answer is looked up")                          \
  X(sync_chunks_first, "chunks are at the remote before the segment that names them")                 \
  X(sync_clone_noticed, "somebody else who writes as this device gets an epoch of their own")         \
  X(sync_published_durable, "what was published is known for good before its note goes")              \
  X(sync_erasures_noted, "what is to be erased is noted before anything is said")                     \
  X(sync_bodies_erased, "bodies with something withdrawn in them are erased")                         \
  X(sync_chunks_erased, "so are its chunks")                                                          \
  X(sync_lost_numbers, "the number of a lost segment is not used again")                              \
  X(sync_blocked_arriving, "nothing is erased behind a segment that may be on its way")               \
  X(sync_blocked_others, "a body that another home needs stays where nothing can be published")       \
  X(sync_blocked_used, "so do its chunks")                                                            \
  X(sync_blocked_known, "what is to be erased there is known until it is erased")

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
