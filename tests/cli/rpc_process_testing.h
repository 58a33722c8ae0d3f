// `holdfast rpc` as a separate process, driven over pipes as by an agent.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/paths_testing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

class RpcProcess {
 public:
  // The environment has only HOME and PATH, and the order of locks is checked; standard error goes to `home`/rpc.err.
  RpcProcess(const std::string& home, std::vector<std::string> arguments) {
    int in[2], out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    arguments.insert(arguments.begin(), {paths::binary(), "rpc"});
    std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + home, "HOLDFAST_LOCK_ORDER=abort"};
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, (home + "/rpc.err").c_str(), O_WRONLY | O_CREAT, 0600);
    // The parent process may ignore one of them (nohup).
    posix_spawnattr_t attributes;
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    EXPECT_EQ(::posix_spawn(&pid_, paths::binary().c_str(), &files, &attributes, words(arguments).data(),
                            words(variables).data()),
              0);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
    EXPECT_TRUE(JsonView(ask("hello")).find("result"));
  }
  RpcProcess(const RpcProcess&) = delete;
  RpcProcess& operator=(const RpcProcess&) = delete;
  ~RpcProcess() {
    ::close(in_);
    ::close(out_);
    if (pid_ > 0) wait();
  }

  pid_t pid() const { return pid_; }
  std::string request(const std::string& method, const std::string& params = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(++last_) + R"(,"method":")" + method + R"(","params":)" +
           params + "}\n";
  }
  void send(const std::string& lines) const {
    ASSERT_EQ(::write(in_, lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  }
  // Returns the next line, empty at the end.
  std::string receive() {
    for (;;) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      char bytes[4096];
      const auto count = ::read(out_, bytes, sizeof bytes);
      if (count <= 0) return {};
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
  }
  // Returns the answer; notifications before it are added to `events`.
  std::string ask(const std::string& method, const std::string& params = "{}") {
    send(request(method, params));
    for (std::string line = receive();; line = receive()) {
      if (!JsonView(line).find("method").is_string("event")) return line;
      events.push_back(std::string(JsonView(line).find("params").raw()));
    }
  }
  std::vector<std::string> events;

  // Returns the exit code, or 1000 plus the signal that ended the process.
  int wait() {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  static std::vector<char*> words(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }

  pid_t pid_ = 0;
  int in_ = -1;
  int out_ = -1;
  int last_ = 0;
  std::string buffer_;
};

}  // namespace holdfast::inline v1
