#include "rpc_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "doors/rpc/server.h"
#include "omitted.h"
#include "store_door.h"
#include "text/json_value.h"

extern char** environ;  // NOLINT: the name is the system's

namespace holdfast::lab {

RpcProcess::RpcProcess(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                       int pipe_bytes) {
  std::array<int, 2> to{}, from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  if (pipe_bytes > 0) ::fcntl(from[1], F_SETPIPE_SZ, pipe_bytes);
  std::vector<char*> argv, env;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: exec's signature
  argv.push_back(nullptr);
  for (const auto& each : environment) env.push_back(const_cast<char*>(each.c_str()));  // NOLINT
  for (char** each = environ; *each != nullptr; ++each) env.push_back(*each);
  env.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, from[1], 1);
  const int error = ::posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), env.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(to[0]);
  ::close(from[1]);
  input_ = to[1];
  output_ = from[0];
  if (error != 0) throw std::runtime_error("cannot start " + words[0]);
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  send("hello", "{}", [](const Answer&) {});
}

RpcProcess::~RpcProcess() {
  kill();
  reap();
  close_input();
  ::close(output_);
}

void RpcProcess::send(std::string_view method, std::string_view params, Take take) {
  const std::uint64_t id = next_++;
  waiting_.emplace(id, Waiting{Clock::now(), std::move(take)});
  unsent_ += R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
             R"(","params":)" + std::string(params) + "}\n";
}

RpcProcess::Clock::time_point RpcProcess::oldest() const {
  return waiting_.empty() ? Clock::now() : waiting_.begin()->second.since;
}

bool RpcProcess::pump(bool read) {
  while (!unsent_.empty() && input_ >= 0) {
    const auto count = ::write(input_, unsent_.data(), unsent_.size());
    if (count <= 0) break;
    unsent_.erase(0, static_cast<std::size_t>(count));
  }
  if (!read) return true;
  std::array<char, std::size_t{1} << 16> buffer;  // NOLINT: filled by read
  while (true) {
    const auto count = ::read(output_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return true;
    if (count == 0) return false;
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t from = 0;
    for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n', from)) {
      take_line(std::string_view(unread_).substr(from, end - from));
      from = end + 1;
    }
    unread_.erase(0, from);
  }
}

void RpcProcess::take_line(std::string_view line) {
  const JsonView json(line);
  const auto id = json.find("id").as_int64();
  if (!id) return;  // an event
  const auto found = waiting_.find(static_cast<std::uint64_t>(*id));
  if (found == waiting_.end()) return;
  Answer answer;
  answer.took = Clock::now() - found->second.since;
  if (const JsonView error = json.find("error")) {
    answer.error = error.find("data").find("code").as_string().value_or("?");
    answer.message = error.find("message").as_string().value_or("");
  }
  answer.result = json.find("result").raw();
  const Take take = std::move(found->second.take);
  waiting_.erase(found);
  take(answer);
}

void RpcProcess::kill() {
  if (pid_ > 0 && !std::exchange(killed_, true)) ::kill(pid_, SIGKILL);
}

void RpcProcess::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

int RpcProcess::reap() {
  int status = 0;
  while (pid_ > 0 && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

int rpc_child(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_IGN);
  if (argc != 3) return 2;
  leave_out(static_cast<Step>(std::atoi(argv[2])));
  RpcOptions options;
  options.settings = settings_for(real_file_system(), argv[0], argv[1], true);
  return serve_rpc(std::move(options)) ? 0 : 1;
}

}  // namespace holdfast::lab
