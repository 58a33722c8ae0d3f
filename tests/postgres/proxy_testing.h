// A TCP proxy that misbehaves: one fault per connection, chosen when it is accepted.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace holdfast::inline v1 {

struct ProxyFault {
  enum class Kind {
    none,
    cut,              // cuts both ends after `bytes` in `direction`
    stall,            // stops passing bytes, without notice
    delay,            // holds the bytes in `direction` after the first `bytes`, then passes them, and goes on
    swallow_request,  // drops the request with `marker`; both ends are cut
    swallow_answer,   // passes the request; both ends are cut when the server has answered
    keep_answer,      // passes the request, but never its answer, without notice
  };
  enum class Direction { to_server, to_client };
  Kind kind = Kind::none;
  Direction direction = Direction::to_server;
  std::size_t bytes = 0;
  std::chrono::milliseconds held = {};  // by delay
  std::string marker = "INSERT INTO";
};

class FaultyProxy {
 public:
  using Chooser = std::function<ProxyFault(int connection)>;
  FaultyProxy(int server_port, Chooser chooser);
  FaultyProxy(const FaultyProxy&) = delete;
  FaultyProxy& operator=(const FaultyProxy&) = delete;
  ~FaultyProxy();

  int port() const { return port_; }
  int connections() const { return connections_; }
  // Whether the server has answered the request with the marker, for swallow_answer and keep_answer.
  bool answered() const { return answered_; }

 private:
  void accept_all();
  void hold(std::chrono::milliseconds time) const;
  void carry(int client, const ProxyFault& fault);

  const int server_port_;
  Chooser chooser_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> ending_ = false, answered_ = false;
  std::atomic<int> connections_ = 0;
  std::vector<std::thread> carriers_;
  std::thread acceptor_;
};

}  // namespace holdfast::inline v1
