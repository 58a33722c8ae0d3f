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

#include <array>
#include <chrono>
#include <csignal>
#endif

namespace holdfast::lab {
#ifdef HOLDFAST_LAB
namespace {

struct Killer {
  const char* name;
  Outcome (*run)(const Options&);
};

// The quickest first. The parts that start this program anew are not here: the
// switches are of one process and those it forks.
constexpr std::array<Killer, 5> kKillers{
    {{"t6", &run_t6}, {"t2", &run_t2}, {"race", &run_race}, {"t7", &run_t7}, {"t1", &run_t1}}};

constexpr std::chrono::seconds kPatience{300};  // for all killers together: they take 20

void say(int pipe, const std::string& line) {
  if (::write(pipe, line.data(), line.size()) < 0) ::_exit(3);
}

// In the child: runs killers until one fails, and tells the parent what it does.
[[noreturn]] void run_mutant(const Options& options, Step omitted, int pipe) {
  ::setpgid(0, 0);
  leave_out(omitted);
  Options small = options;
  small.size = Size::small;
  small.replay.clear();
  for (const auto& killer : kKillers) {
    say(pipe, std::string("in ") + killer.name + "\n");
    const Outcome outcome = killer.run(small);
    if (outcome.ok()) continue;
    say(pipe, std::string("killed by ") + killer.name + ": " +
                  (outcome.failures.empty() ? std::string("?") : outcome.failures.front().substr(0, 300)) + "\n");
    ::_exit(1);
  }
  ::_exit(0);
}

struct Fate {
  bool killed = false;
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
  if (::pipe2(pipe, O_CLOEXEC) != 0) return {false, "no pipe"};
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return {false, "no process"};
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
  if (!in_time) return {true, "hangs " + last};
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) return {true, "crashes " + last};
  if (last.starts_with("killed by ")) return {true, last};
  return {false, "survives"};
}

}  // namespace

Outcome run_t13(const Options& options) {
  Outcome outcome;
  outcome.unit = "mutants";
  // The control: with every step in its place nobody complains.
  if (const Fate fate = raise_mutant(options, Step::count); fate.killed || fate.how != "survives")
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
    std::printf("t13   without %-20s %s\n", name.c_str(), fate.how.substr(0, 160).c_str());
    std::fflush(stdout);
    if (!fate.killed) outcome.fail(&Outcome::wrong, "--replay " + name + ": nobody notices that this step is left out");
  }
  outcome.note =
      "each step left out at run time; noticed by t6, t2, t7, t1 in their small sizes, or by processes that race";
  return outcome;
}
#else

Outcome run_t13(const Options&) { return cannot_run("built without the run-time switches: use the lab preset"); }

#endif
}  // namespace holdfast::lab
