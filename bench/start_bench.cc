// How long the binary takes from start to end: the minimum that hooks and people wait,
// whatever they ask. Variants take turns; wall clock and processor time of the child.
//
//   start_bench [--seconds 10] [--sessions 500] [--json FILE]
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/places.h"
#include "bench/table.h"

namespace {

using namespace holdfast::bench;

struct StartedCommand {
  std::string name;
  std::vector<std::string> words;
  std::vector<double> wall = {}, processor = {};
};

void run_once(StartedCommand& variant, const std::string& home, bool counts) {
  std::vector<char*> arguments;
  for (std::string& word : variant.words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string variables[] = {"HOME=" + home, "PATH=/usr/bin:/bin"};
  char* environment[] = {variables[0].data(), variables[1].data(), nullptr};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t pid = 0;
  if (::posix_spawn(&pid, arguments[0], &files, nullptr, arguments.data(), environment) != 0)
    stop("cannot start " + variant.words[0]);
  int status = 0;
  rusage used{};
  if (::wait4(pid, &status, 0, &used) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    stop(variant.name + " failed");
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  ::posix_spawn_file_actions_destroy(&files);
  if (!counts) return;
  variant.wall.push_back(took.count());
  const auto micros = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  variant.processor.push_back(micros(used.ru_utime) + micros(used.ru_stime));
}

// Small sessions of Claude Code, in a hundred projects.
void make_sessions(const std::string& home, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string project = home + "/.claude/projects/-srv-project-" + std::to_string(i % 100);
    std::filesystem::create_directories(project);
    char id[64];
    std::snprintf(id, sizeof id, "%08x-0000-4000-8000-000000000001", static_cast<unsigned>(i) * 2654435761U);
    std::ofstream file(project + "/" + id + ".jsonl");
    for (int line = 0; line < 20; ++line)
      file
          << R"({"type":"user","uuid":"u)" << line << R"(","parentUuid":null,"sessionId":")" << id
          << R"(","cwd":"/srv/project","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"message )"
          << line << "\"}}\n";
  }
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 10;
  int sessions = 500;
  std::string json;
  for (int at = 1; at + 1 < count; at += 2) {
    const std::string name = arguments[at];
    if (name == "--seconds")
      seconds = std::atof(arguments[at + 1]);
    else if (name == "--sessions")
      sessions = std::atoi(arguments[at + 1]);
    else if (name == "--json")
      json = arguments[at + 1];
    else
      stop("unknown option " + name);
  }
  const Places places(std::filesystem::current_path().string());
  make_sessions(places.disk(), sessions);
  const std::string holdfast = HOLDFAST_BINARY;
  std::vector<StartedCommand> variants{{"/bin/true", {"/bin/true"}},
                                       {"holdfast --version", {holdfast, "--version"}},
                                       {"holdfast help", {holdfast, "help"}},
                                       {"holdfast call hello", {holdfast, "call", "hello"}},
                                       {"holdfast ls --limit 50", {holdfast, "ls", "--limit", "50"}}};
  for (StartedCommand& variant : variants) run_once(variant, places.disk(), false);  // fill page cache and index
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    for (StartedCommand& variant : variants) run_once(variant, places.disk(), true);
  } while (std::chrono::steady_clock::now() < until);

  Group wall{"start to end, wall clock, " + std::to_string(sessions) + " sessions on the machine", {}};
  Group processor{"processor time of the same", {}};
  for (StartedCommand& variant : variants) {
    wall.rows.push_back(timing(variant.name, variant.wall));
    processor.rows.push_back(timing(variant.name, variant.processor));
  }
  const auto goal = [](Row& row, double most, const std::string& words) {
    row.goal = words;
    row.met = row.p50 <= most;
  };
  goal(wall.rows[3], 15'000, "<= 15 ms");
  goal(wall.rows[4], 25'000, "<= 25 ms");
  std::vector<Group> groups{std::move(wall), std::move(processor)};
  for (const Group& group : groups) print_group(group);
  print_sum(groups);
  if (!json.empty()) write_json(json, groups, "start to end of a process");
  return 0;
}
