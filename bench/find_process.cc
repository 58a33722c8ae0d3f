#include "bench/find_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "bench/table.h"

namespace holdfast::bench {

ProcessRun run_process(const std::vector<std::string>& arguments, const std::string& home, bool keep_output) {
  std::vector<std::string> texts = {"HOME=" + home, "XDG_CACHE_HOME=" + home + "/cache", "LANG=C.UTF-8", "NO_COLOR=1",
                                    "PATH=" + std::string(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "")};
  std::vector<char*> environment, words;
  for (std::string& text : texts) environment.push_back(text.data());
  environment.push_back(nullptr);
  std::vector<std::string> copies = arguments;
  for (std::string& text : copies) words.push_back(text.data());
  words.push_back(nullptr);
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) stop("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (keep_output)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  ProcessRun ran;
  pid_t child = 0;
  const auto begin = std::chrono::steady_clock::now();
  const int failed = ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environment.data());
  ::close(ends[1]);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    ::close(ends[0]);
    ran.code = 127;
    return ran;
  }
  char buffer[65536];
  if (keep_output) {
    for (ssize_t count = ::read(ends[0], buffer, sizeof buffer); count > 0;
         count = ::read(ends[0], buffer, sizeof buffer))
      ran.out.append(buffer, static_cast<std::size_t>(count));
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  ran.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ran.mib = static_cast<double>(usage.ru_maxrss) / 1024;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  ::close(ends[0]);
  return ran;
}

std::string program_path(const std::string& name) {
  std::istringstream path(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string directory; std::getline(path, directory, ':');) {
    directory.append("/").append(name);
    if (::access(directory.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(directory)) return directory;
  }
  return {};
}

void run_in_turns(std::vector<Timed>& jobs, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (Timed& job : jobs) job.samples.push_back(job.once());
  }
}

}  // namespace holdfast::bench
