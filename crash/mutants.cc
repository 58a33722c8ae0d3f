// T13: mutants. Each step that durability rests on (src/disk/steps.h) is left
// out at run time, one at a time, in a process of its own that runs the quick
// parts of the laboratory until one of them fails. A step whose absence nobody
// notices is not tested, or not needed.
#include "mutants.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "omitted.h"
#include "parts.h"

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

// The quickest first. The parts that start this program anew are not here: the
// switch is of one process and those it forks.
constexpr std::array<Killer, 6> kKillers{
    {{"t5", &run_t5}, {"t6", &run_t6}, {"t2", &run_t2}, {"race", &run_race}, {"t7", &run_t7}, {"t1", &run_t1}}};

// Which of them is known to notice the absence of a step, where it is not the first.
std::string_view known_killer(Step step) {
  switch (step) {
    case Step::log_name_anew:
    case Step::log_side_folder:
    case Step::log_own_bytes:
    case Step::document_poison_mark:
    case Step::document_removed_anew:
    case Step::commit_journal_anew:
    case Step::commit_take_back:
    case Step::commit_renew_name:
    case Step::commit_mend:
    case Step::commit_poison_mark:
    case Step::commit_done_anew:
    case Step::root_name_anew: return "t6";
    case Step::log_newline_prefix:
    case Step::log_roll_back: return "t2";
    case Step::log_tail_whole:
    case Step::log_tail_salvage:
    case Step::commit_journal_hash:
    case Step::counter_skip:
    case Step::checksum_bytes:
    case Step::checksum_end:
    case Step::checksum_chain:
    case Step::checksum_look: return "t7";
    default: return kKillers.front().name;
  }
}

constexpr std::chrono::seconds kPatience{600};  // for all killers together: they take 60

// In the child.
int told = -1;          // the pipe to the parent
std::string_view part;  // that is running

void say(const std::string& line) {
  if (::write(told, line.data(), line.size()) < 0) ::_exit(3);
}

[[noreturn]] void die(const std::string& what) {
  say("killed by " + std::string(part) + ": " + what.substr(0, 300) + "\n");
  ::_exit(1);
}

// Runs killers until one finds something broken, and tells the parent what it does.
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
  for (const auto& killer : killers) {
    part = killer.name;
    say("in " + std::string(part) + "\n");
    if (const Outcome outcome = killer.run(small); !outcome.ok()) die("?");
  }
  ::_exit(0);
}

// Only what a part found broken kills a mutant: one that hangs or crashes shows
// nothing but that the laboratory cannot judge it.
enum class End { killed, survived, hung, crashed };

struct Fate {
  End end = End::crashed;
  std::string how;
};

// What the child said, until it ended or time ran out.
std::string listen(int pipe, bool& in_time) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::string said;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd wait{pipe, POLLIN, 0};
    in_time = left.count() > 0 && ::poll(&wait, 1, static_cast<int>(left.count())) > 0;
    if (!in_time) return said;
    std::array<char, 1024> buffer;
    const auto count = ::read(pipe, buffer.data(), buffer.size());
    if (count <= 0) return said;
    said.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Fate raise_mutant(const Options& options, Step omitted) {
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
  ::kill(-child, SIGKILL);  // what it left behind, or itself when it hangs
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

}  // namespace

Outcome run_t13(const Options& options) {
  Outcome outcome;
  outcome.unit = "mutants";
  // The control: with every step in its place nobody complains.
  if (const Fate fate = raise_mutant(options, Step::count); fate.end != End::survived)
    outcome.fail(&Outcome::wrong, "with nothing left out: " + fate.how);
  int first = 0;
  int last = kStepCount;
  for (int i = 0; i < kStepCount; ++i)
    if (step_name(static_cast<Step>(i)) == options.replay) last = (first = i) + 1;
  for (int i = first; i < last; ++i) {
    const auto step = static_cast<Step>(i);
    const std::string name(step_name(step));
    const Fate fate = raise_mutant(options, step);
    ++outcome.cases;
    std::printf("t13   without %-28s %s\n", name.c_str(), fate.how.substr(0, 160).c_str());
    std::fflush(stdout);
    if (fate.end == End::survived)
      outcome.fail(&Outcome::wrong, "--replay " + name + ": nobody notices that this step is left out");
    else if (fate.end != End::killed)
      outcome.fail(&Outcome::wrong, "--replay " + name + ": " + fate.how + ", which shows nothing");
  }
  outcome.note =
      "each step left out at run time; a mutant is killed by a part that finds something broken, in its small size";
  return outcome;
}
#else

Outcome run_t13(const Options&) { return cannot_run("built without the run-time switches: use the lab preset"); }

#endif
}  // namespace holdfast::lab
