// T13: mutants. Each step that durability depends on (src/disk/steps.h) is left
// out at run time, one at a time, in a separate process that runs the quick
// parts of the laboratory until one of them fails. If nobody notices that a
// step is missing, the step is not tested, or not needed.
#include "mutants.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "omitted.h"
#include "parts.h"
#include "sim_parts.h"

#ifdef HOLDFAST_LAB
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <vector>
#endif

namespace holdfast::lab {
#ifdef HOLDFAST_LAB
namespace {

struct Killer {
  std::string_view name;
  Outcome (*run)(const Options&);
};

template <void (*moments)(Outcome&)>
Outcome only(const Options&) {
  Outcome outcome;
  moments(outcome);
  return outcome;
}

Outcome run_all_entries(const Options&) {
  Outcome outcome;
  run_entries(outcome, 1);
  return outcome;
}

// Rare encounters: needs many histories.
Outcome run_many_sync(const Options& options) {
  Options many = options;
  many.size = Size::check;
  return run_sync(many);
}

// The quickest first: a mutant without a known killer meets them in this order.
constexpr auto kKillers = std::to_array<Killer>({{"leases", &only<&run_leases>},
                                                 {"heads", &only<&run_heads>},
                                                 {"planted", &only<&run_planted>},
                                                 {"logs", &only<&run_planted_logs>},
                                                 {"documents", &only<&run_planted_documents>},
                                                 {"refused", &only<&run_refused>},
                                                 {"journals", &only<&run_journals>},
                                                 {"scenes", &only<&run_scenes>},
                                                 {"locks", &only<&run_locks>},
                                                 {"corners", &only<&run_corners>},
                                                 {"blobs", &only<&run_blobs>},
                                                 {"trash", &only<&run_trash>},
                                                 {"entries", &run_all_entries},
                                                 {"archive", &only<&run_archive_scenes>},
                                                 {"meetings", &only<&run_interleavings>},
                                                 {"t6", &run_t6},
                                                 {"t2", &run_t2},
                                                 {"race", &run_race},
                                                 {"handoff", &run_handoff},
                                                 {"t7", &run_t7},
                                                 {"t16", &run_t16},
                                                 {"t17", &run_t17},
                                                 {"t1", &run_t1},
                                                 {"t18", &run_t18},
                                                 {"sync", &run_many_sync}});

// The killer that is known to notice the absence of a step; empty: try all in order.
std::string_view known_killer(Step step) {
  switch (step) {
    case Step::head_sync:
    case Step::head_name_sync:
    case Step::head_name_mark:
    case Step::head_kept:
    case Step::head_intent:
    case Step::head_look:
    case Step::head_done:
    case Step::head_late_sync: return "heads";
    case Step::head_expected:
    case Step::head_poison_check:
    case Step::log_tail_whole:
    case Step::log_tail_salvage:
    case Step::document_poison_mark:
    case Step::checksum_look: return "logs";
    case Step::log_own_bytes:
    case Step::document_same_sync:
    case Step::document_removed_anew:
    case Step::counter_sync:
    case Step::document_kind_check:
    case Step::document_link_check: return "documents";
    case Step::commit_journal_anew:
    case Step::recovery_done_sync:
    case Step::commit_closing:
    case Step::commit_from_sync: return "journals";
    case Step::document_backup:
    case Step::commit_staged_names:
    case Step::commit_journal_name:
    case Step::commit_undo:
    case Step::commit_undo_sources:
    case Step::commit_undo_mark:
    case Step::commit_undo_names: return "refused";
    case Step::log_roll_back_look:
    case Step::log_mend_compare:
    case Step::recovery_staged_hash:
    case Step::commit_before_check:
    case Step::recovery_other_root:
    case Step::recovery_own_changes:
    case Step::recovery_obstacle:
    case Step::recovery_begun:
    case Step::recovery_pointer_check:
    case Step::recovery_pointer_sync:
    case Step::root_directory_look:
    case Step::root_inode_check: return "planted";
    case Step::lease_writer_check:
    case Step::lease_keeps_session:
    case Step::blob_hash:
    case Step::message_id_check:
    case Step::message_parent_check:
    case Step::trash_file_sync:
    case Step::backup_forgotten: return "scenes";
    case Step::trash_kept_names:
    case Step::trash_restored_names:
    case Step::blob_sync: return "t16";
    case Step::log_name_anew:
    case Step::log_side_folder:
    case Step::commit_take_back:
    case Step::commit_renew_name:
    case Step::commit_mend:
    case Step::commit_poison_mark:
    case Step::root_name_anew: return "t6";
    case Step::log_newline_prefix:
    case Step::log_roll_back: return "t2";
    case Step::commit_journal_hash:
    case Step::counter_skip:
    case Step::checksum_bytes:
    case Step::checksum_end:
    case Step::checksum_chain: return "t7";
    case Step::move_lock:
    case Step::move_inode_check:
    case Step::sessions_lock:
    case Step::records_lock:
    case Step::side_lock_inode_check:
    case Step::metrics_lock:
    case Step::metrics_inode_check: return "locks";
    case Step::trash_old_names:
    case Step::trash_taken_look:
    case Step::trash_taken:
    case Step::trash_let_go:
    case Step::trash_let_go_sync:
    case Step::trash_forget_sync:
    case Step::trash_pending_check:
    case Step::trash_move_noted:
    case Step::trash_settle:
    case Step::trash_names_anew:
    case Step::trash_poison_mark:
    case Step::commit_journal_renewed:
    case Step::clear_poison_mark:
    case Step::clear_name_mark:
    case Step::log_mend_name:
    case Step::clear_undone:
    case Step::clear_settled:
    case Step::session_still_there:
    case Step::checksum_drop:
    case Step::checksum_drop_sync:
    case Step::clear_sync:
    case Step::clear_kept:
    case Step::clear_name_sync: return "trash";
    case Step::blob_aside_names:
    case Step::blob_lock:
    case Step::blob_look_again:
    case Step::blob_put_back_sync:
    case Step::blob_grace:
    case Step::blob_out_of_reach: return "blobs";
    case Step::log_cover:
    case Step::entry_operation_check:
    case Step::entry_digest_check:
    case Step::entry_uuid_check:
    case Step::entry_suffix_check:
    case Step::entry_version_check:
    case Step::entry_catch_up:
    case Step::entry_other_log:
    case Step::entry_deleted_anew: return "entries";
    case Step::side_taken_back:
    case Step::aside_name:
    case Step::paused_sync:
    case Step::ready_proof:
    case Step::queue_look:
    case Step::head_wipe_sync: return "corners";
    case Step::head_not_replaced: return "heads";
    case Step::new_file_sync:
    case Step::new_file_name_sync:
    case Step::new_file_folder_sync: return "handoff";
    case Step::recovery_discard_sync:
    case Step::commit_undo_hash:
    case Step::commit_undo_check: return "planted";
    case Step::commit_done_sync:
    case Step::commit_take_back_sync:
    case Step::recovery_closing_sync:
    case Step::commit_done_anew:
    case Step::commit_from_check: return "journals";
    case Step::commit_undo_done_sync: return "refused";
    case Step::log_forget_replaced: return "logs";
    case Step::lease_take_over_lock:
    case Step::lease_lock:
    case Step::lease_release_check:
    case Step::lease_inode_check: return "leases";
    default: break;
  }
  const std::string_view name = step_name(step);
  if (name.starts_with("sync_")) return "sync";
  return name.starts_with("archive_") || name.starts_with("restore_") ? "archive" : "meetings";
}

constexpr std::chrono::seconds kPatience{900};  // per killer: the slowest takes a minute

// Used in the child only.
int told = -1;          // pipe to the parent
std::string_view part;  // the running part

void say(const std::string& line) {
  if (::write(told, line.data(), line.size()) < 0) ::_exit(3);
}

[[noreturn]] void die(const std::string& what) {
  std::string line = what.substr(0, 300);
  std::ranges::replace(line, '\n', ' ');
  say("killed by " + std::string(part) + ": " + line + "\n");
  ::_exit(1);
}

// Runs killers until one finds something broken, and reports progress to the parent;
// with --small only the known killer of this mutant.
[[noreturn]] void run_mutant(const Options& options, Step omitted, int pipe) {
  ::setpgid(0, 0);
  leave_out(omitted);
  told = pipe;
  at_failure = [](const std::string& what) { die(what); };
  Options small = options;
  small.size = Size::small;
  small.replay.clear();
  std::vector<Killer> killers(kKillers.begin(), kKillers.end());
  const auto known = std::ranges::find(killers, known_killer(omitted), &Killer::name);
  std::rotate(killers.begin(), known, known + 1);
  if (options.size == Size::small) killers.resize(1);
  for (const auto& killer : killers) {
    part = killer.name;
    say("in " + std::string(part) + "\n");
    const Outcome outcome = killer.run(small);
    if (!outcome.skipped.empty()) {
      say("stopped in " + std::string(part) + ", which cannot run here: " + outcome.skipped + "\n");
      ::_exit(3);
    }
    if (!outcome.ok()) die("?");
  }
  ::_exit(0);
}

// Only a broken promise kills a mutant: one that hangs or crashes only shows that the laboratory cannot judge it.
enum class End { killed, survived, hung, crashed };

struct MutantFate {
  End end = End::crashed;
  std::string how;
};

// What the child reported until it ended or the time ran out.
std::string listen(int pipe, bool& in_time) {
  std::string said;
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{pipe, POLLIN, 0};
    in_time = left.count() > 0 && ::poll(&wait, 1, static_cast<int>(left.count())) > 0;
    if (!in_time) return said;
    std::array<char, 1024> buffer;
    const auto count = ::read(pipe, buffer.data(), buffer.size());
    if (count <= 0) return said;
    said.append(buffer.data(), static_cast<std::size_t>(count));
    end = std::chrono::steady_clock::now() + kPatience;  // for the next killer
  }
}

MutantFate test_mutant(const Options& options, Step omitted) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return {End::crashed, "no pipe"};
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return {End::crashed, "no process"};
  if (child == 0) {
    ::close(pipe[0]);
    run_mutant(options, omitted, pipe[1]);
  }
  ::close(pipe[1]);
  bool in_time = true;
  std::string said = listen(pipe[0], in_time);
  ::close(pipe[0]);
  ::kill(-child, SIGKILL);  // its leftovers, or itself if it hangs
  int status = 0;
  ::waitpid(child, &status, 0);
  while (said.ends_with('\n')) said.pop_back();
  const std::string last = said.substr(said.rfind('\n') + 1);  // npos + 1 == 0
  if (!in_time) return {End::hung, "hangs " + last};
  if (WIFSIGNALED(status)) return {End::crashed, "crashes " + last + ", signal " + std::to_string(WTERMSIG(status))};
  if (last.starts_with("killed by ")) return {End::killed, last};
  if (WEXITSTATUS(status) == 0) return {End::survived, "survives"};
  return {End::crashed, "ends " + last + ", exit code " + std::to_string(WEXITSTATUS(status))};
}

// --replay NAME,NAME: only these steps; a name that ends in * matches all with that prefix.
bool chosen(std::string_view replay, std::string_view name) {
  if (replay.empty()) return true;
  while (!replay.empty()) {
    const auto comma = std::min(replay.find(','), replay.size());
    const std::string_view word = replay.substr(0, comma);
    replay.remove_prefix(std::min(comma + 1, replay.size()));
    if (word == name || (word.ends_with('*') && name.starts_with(word.substr(0, word.size() - 1)))) return true;
  }
  return false;
}

}  // namespace

Outcome run_t13(const Options& options) {
  Outcome outcome;
  outcome.unit = "mutants";
  // The control: with all steps in place nothing may fail.
  if (options.replay.empty())
    if (const MutantFate fate = test_mutant(options, Step::count); fate.end != End::survived)
      outcome.fail(&Outcome::wrong, "with nothing left out: " + fate.how);
  for (int i = 0; i < kStepCount; ++i) {
    const auto step = static_cast<Step>(i);
    const std::string name(step_name(step));
    if (!chosen(options.replay, name)) continue;
    const auto start = std::chrono::steady_clock::now();
    const MutantFate fate = test_mutant(options, step);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++outcome.cases;
    std::printf("t13 %6.1f s  without %-27s %s\n", seconds, name.c_str(), fate.how.substr(0, 160).c_str());
    std::fflush(stdout);
    if (fate.end == End::survived)
      outcome.fail(&Outcome::wrong, "--replay " + name + ": nobody notices that this step is left out");
    else if (fate.end != End::killed)
      outcome.fail(&Outcome::wrong, "--replay " + name + ": " + fate.how + ", which shows nothing");
  }
  if (outcome.cases == 0) outcome.fail(&Outcome::wrong, "--replay " + options.replay + ": no such step");
  outcome.note =
      "each step left out at run time; a mutant is killed by a part that finds something broken, in its small size";
  return outcome;
}
#else

Outcome run_t13(const Options&) { return cannot_run("built without the run-time switches: use the lab preset"); }

#endif
}  // namespace holdfast::lab
