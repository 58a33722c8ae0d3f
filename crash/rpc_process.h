// A process that serves the table of operations as JSON-RPC over pipes: the
// `holdfast` binary, or this program with steps left out.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::lab {

class RpcProcess {
 public:
  using Clock = std::chrono::steady_clock;
  struct Answer {
    std::string error;    // the code's name; empty on success
    std::string message;  // of the error
    std::string result;   // JSON
    std::chrono::duration<double> took{0};
  };
  using Take = std::function<void(const Answer&)>;

  // `environment`: NAME=VALUE, in addition to that of this process. `pipe_bytes`: size of its output pipe; 0:
  // the default.
  RpcProcess(const std::vector<std::string>& words, const std::vector<std::string>& environment, int pipe_bytes);
  RpcProcess(const RpcProcess&) = delete;
  RpcProcess& operator=(const RpcProcess&) = delete;
  ~RpcProcess();  // kills and reaps

  void send(std::string_view method, std::string_view params, Take take);
  std::size_t in_flight() const { return waiting_.size(); }
  Clock::time_point oldest() const;  // when the oldest request in flight was sent

  // Writes as much as the process accepts and reads what is there; false once its output has ended.
  bool pump(bool read);
  int output() const { return output_; }
  int input() const { return input_; }
  bool wants_to_write() const { return !unsent_.empty(); }

  void kill();
  void close_input();
  bool killed() const { return killed_; }
  int reap();  // the status of waitpid

 private:
  void take_line(std::string_view line);

  struct Waiting {
    Clock::time_point since;
    Take take;
  };
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  bool killed_ = false;
  std::string unsent_, unread_;
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, Waiting> waiting_;
};

// In the child: `holdfast_lab --rpc LAYOUT TOP OMITTED`.
int rpc_child(int argc, char** argv);

}  // namespace holdfast::lab
