#include "bench/piped_child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/table.h"

namespace holdfast::bench {

PipedChild::PipedChild(const std::vector<std::string>& words) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) stop("no pipe");
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const int failed = ::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (failed != 0) stop("cannot start " + words[0]);
}

PipedChild::~PipedChild() {
  ::close(in_);
  ::close(out_);
  if (pid_ <= 0) return;
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

void PipedChild::say(const std::string& line) const {
  const std::string bytes = line + "\n";
  if (::write(in_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) stop("the child does not listen");
}

std::string PipedChild::hear() {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[1 << 16];
    const auto count = ::read(out_, bytes, sizeof bytes);
    if (count <= 0) stop("the child said nothing more");
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

}  // namespace holdfast::bench
