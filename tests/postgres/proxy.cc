#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/postgres/proxy_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kSlice = 20;  // milliseconds until an end is noticed

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

FaultyProxy::FaultyProxy(int server_port, Chooser chooser) : server_port_(server_port), chooser_(std::move(chooser)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::listen(listener_, 64), 0);
  EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

FaultyProxy::~FaultyProxy() {
  ending_ = true;
  acceptor_.join();
  for (std::thread& one : carriers_) one.join();
  ::close(listener_);
}

void FaultyProxy::accept_all() {
  while (!ending_) {
    pollfd ready{listener_, POLLIN, 0};
    if (::poll(&ready, 1, kSlice) <= 0) continue;
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    carriers_.emplace_back([this, client, fault = chooser_(connections_++)] { carry(client, fault); });
  }
}

void FaultyProxy::hold(std::chrono::milliseconds time) const {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end && !ending_)
    std::this_thread::sleep_for(std::chrono::milliseconds(kSlice));
}

void FaultyProxy::carry(int client, const ProxyFault& fault) {
  using Kind = ProxyFault::Kind;
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(server_port_);
  bool open = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  bool seen = false, stalled = false, late = false;  // `seen`: the marker
  std::size_t passed[2] = {};
  std::string asked;
  while (open && !ending_) {
    pollfd both[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (::poll(both, 2, kSlice) <= 0) continue;
    for (int from = 0; from < 2 && open; ++from) {
      if (both[from].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = ::recv(from == 0 ? client : server, buffer, sizeof buffer, 0);
      if (got <= 0) {
        open = false;
        break;
      }
      std::string_view bytes(buffer, static_cast<std::size_t>(got));
      if (from == 0 && !seen) seen = asked.append(bytes).contains(fault.marker);
      if (from == 0 && seen && fault.kind == Kind::swallow_request) open = false;
      if (from == 1 && seen && (fault.kind == Kind::swallow_answer || fault.kind == Kind::keep_answer)) {
        answered_ = true;
        open = fault.kind == Kind::keep_answer;
        continue;
      }
      const bool affected = from == (fault.direction == ProxyFault::Direction::to_server ? 0 : 1);
      const bool limited = affected && (fault.kind == Kind::cut || fault.kind == Kind::stall);
      if (affected && fault.kind == Kind::delay && !late && passed[from] + bytes.size() > fault.bytes) {
        const std::size_t first = fault.bytes - std::min(fault.bytes, passed[from]);
        open = send_all(from == 0 ? server : client, bytes.substr(0, first));
        passed[from] += first;
        bytes.remove_prefix(first);
        hold(fault.held);
        late = true;
      }
      if (limited && passed[from] + bytes.size() >= fault.bytes) {
        bytes = bytes.substr(0, fault.bytes - std::min(fault.bytes, passed[from]));
        open = open && fault.kind == Kind::stall;
        stalled = true;
      }
      passed[from] += bytes.size();
      if (fault.kind == Kind::swallow_request && seen) continue;
      if (!send_all(from == 0 ? server : client, bytes)) open = false;
    }
    // Nothing is read any more; both ends stay open until the test is over.
    while (stalled && open && !ending_) {
      pollfd gone{client, POLLIN | POLLRDHUP, 0};
      ::poll(&gone, 1, kSlice);
      if ((gone.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) open = false;
    }
  }
  ::close(server);
  ::close(client);
}

}  // namespace holdfast::inline v1
