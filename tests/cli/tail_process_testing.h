// `holdfast tail`, and other commands that run until they are stopped, as a separate process.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/paths_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Standard error goes to `home`/tail.err.
class TailProcess {
 public:
  TailProcess(const std::string& home, const std::string& id, int last)
      : TailProcess(home, {"-f", "--json", "-n", std::to_string(last), id}) {}
  TailProcess(const std::string& home, std::vector<std::string> arguments, const std::string& command = "tail") {
    int out[2];
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    arguments.insert(arguments.begin(), {paths::binary(), command});
    std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + home, "LC_ALL=C.UTF-8",
                                       "HOLDFAST_LOCK_ORDER=abort"};
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, (home + "/tail.err").c_str(), O_WRONLY | O_CREAT, 0600);
    EXPECT_EQ(::posix_spawn(&pid_, paths::binary().c_str(), &files, nullptr, words(arguments).data(),
                            words(variables).data()),
              0);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(out[1]);
    out_ = out[0];
  }
  TailProcess(const TailProcess&) = delete;
  TailProcess& operator=(const TailProcess&) = delete;
  ~TailProcess() {
    if (pid_ > 0) end(SIGKILL);
    ::close(out_);
  }
  // Sends the signal; returns the exit code, or -1 if the signal ended the process.
  int end(int signal) {
    if (pid_ <= 0) return -1;  // it never started; kill(0) would signal ourselves
    int status = 0;
    ::kill(pid_, signal);
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // Returns the text of the next message.
  std::string next() {
    const std::string line = next_line();
    const auto blocks = JsonView(line).find("blocks").elements();
    return blocks.begin() == blocks.end() ? line : blocks.begin()->value.find("text").as_string().value_or(line);
  }
  // Returns the next line; empty at the end, or if there is none within `limit`.
  std::string next_line(std::chrono::milliseconds limit = std::chrono::hours(1)) {
    const auto end_of_wait = std::chrono::steady_clock::now() + limit;
    for (;;) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(end_of_wait - std::chrono::steady_clock::now()).count();
      pollfd ready{out_, POLLIN, 0};
      if (left <= 0 || ::poll(&ready, 1, static_cast<int>(left)) <= 0) return {};
      char bytes[4096];
      const auto count = ::read(out_, bytes, sizeof bytes);
      if (count <= 0) return {};
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
  }
  // How many files and directories the kernel tells it about (inotify).
  int watches() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/fdinfo")) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) count += line.starts_with("inotify wd:") ? 1 : 0;
    }
    return count;
  }
  std::uint64_t bytes_read() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/io");
    std::string word;
    std::uint64_t bytes = 0;
    while (file >> word >> bytes) {
      if (word == "rchar:") break;
    }
    return bytes;
  }

 private:
  static std::vector<char*> words(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }
  pid_t pid_ = 0;
  int out_ = -1;
  std::string buffer_;
};

}  // namespace holdfast::inline v1
