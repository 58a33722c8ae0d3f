#include "bench/measured_child.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "bench/table.h"

namespace holdfast::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ChildRun run_child(const std::vector<std::string>& words, std::size_t keep) {
  int ends[2];
  if (::pipe(ends) != 0) stop("no pipe");
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  ChildRun run;
  if (failed != 0) {
    ::close(ends[0]);
    return run;
  }
  std::vector<char> buffer(std::size_t{1} << 16);
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    if (run.first_byte == 0) run.first_byte = passed();
    const std::size_t room = keep - std::min(keep, run.output.size());
    run.output.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
  }
  ::close(ends[0]);
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  run.wall = passed();
  run.processor = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  run.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  run.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return run;
}

}  // namespace holdfast::bench
