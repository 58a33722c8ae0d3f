// `holdfast serve` as a separate process, and clients that talk to it over plain sockets.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {

struct HttpReply {
  int status = 0;  // 0 if the connection was closed without an answer
  std::string head, body;

  bool has(std::string_view line) const { return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos; }
  std::string code() const { return JsonView(body).find("error").find("code").as_string().value_or(""); }
};

// One connection.
class HttpClient {
 public:
  explicit HttpClient(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  }
  ~HttpClient() {
    if (fd_ >= 0) ::close(fd_);
  }
  HttpClient(HttpClient&& other) noexcept : fd_(std::exchange(other.fd_, -1)), left_(std::move(other.left_)) {}
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // refused before everything was sent
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // Waits for more bytes; returns false if the other side has closed the connection or sends nothing.
  bool more() {
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, 60'000) <= 0) return false;
    char bytes[16384];
    const auto count = ::recv(fd_, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    left_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  const std::string& received() const { return left_; }
  bool closed() { return !more() && left_.empty(); }
  // An answer to HEAD has the length of a body, but no body.
  HttpReply receive(bool has_body = true) {
    HttpReply reply;
    std::size_t end = 0;
    while ((end = left_.find("\r\n\r\n")) == std::string::npos)
      if (!more()) return reply;
    reply.head = left_.substr(0, end + 2);
    left_.erase(0, end + 4);
    reply.status = std::stoi(reply.head.substr(9, 3));
    const std::string name = "Content-Length: ";
    const auto at = reply.head.find(name);
    const std::size_t size = at == std::string::npos || !has_body ? 0 : std::stoul(reply.head.substr(at + name.size()));
    while (left_.size() < size)
      if (!more()) break;
    reply.body = left_.substr(0, size);
    left_.erase(0, std::min(size, left_.size()));
    return reply;
  }
  // Returns the next event of a stream, without the blank line; skips comments. Empty at the end.
  std::string event() {
    for (;;) {
      const auto end = left_.find("\n\n");
      if (end == std::string::npos) {
        if (!more()) return {};
        continue;
      }
      std::string found = left_.substr(0, end);
      left_.erase(0, end + 2);
      if (!found.starts_with(":")) return found;
    }
  }

 private:
  int fd_;
  std::string left_;
};

// The server; $HOME is `home`.
class ServeProcess {
 public:
  ServeProcess(const std::string& home, std::vector<std::string> more = {}) {
    std::vector<std::string> words{paths::binary(), "serve", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + home, "HOLDFAST_LOCK_ORDER=abort"};
    int out[2];
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, (home + "/serve.err").c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawnattr_t attributes;
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    EXPECT_EQ(
        ::posix_spawn(&pid_, words[0].c_str(), &files, &attributes, pointers(words).data(), pointers(variables).data()),
        0);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(out[1]);
    std::string line;
    for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(out[0]);
    const JsonView said(line);
    url = said.find("url").as_string().value_or("");
    socket = said.find("socket").as_string().value_or("");
    code = said.find("code").as_string().value_or("");
    token = said.find("token").as_string().value_or("");
    if (url.starts_with("http://")) port = std::stoi(url.substr(url.rfind(':') + 1));
    host = "127.0.0.1:" + std::to_string(port);
  }
  ~ServeProcess() {
    if (pid_ > 0) interrupt();
  }
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  // Sends Ctrl-C; returns the exit code, or 1000 plus the signal that ended the process.
  int interrupt() {
    if (pid_ <= 0) return -1;  // it never started; kill(0) would signal ourselves
    ::kill(pid_, SIGINT);
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }
  HttpClient connect() const { return HttpClient(port); }

  // A request, one header per line.
  std::string request(const std::string& line, const std::vector<std::string>& headers,
                      const std::string& body = "") const {
    std::string text = line + " HTTP/1.1\r\n";
    for (const std::string& header : headers) text += header + "\r\n";
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return text + "\r\n" + body;
  }
  HttpReply ask(const std::string& line, const std::vector<std::string>& headers, const std::string& body = "") const {
    HttpClient client = connect();
    client.send(request(line, headers, body));
    return client.receive(!line.starts_with("HEAD "));
  }
  std::vector<std::string> as_page() const { return {"Host: " + host, "Cookie: " + cookie}; }
  std::vector<std::string> as_program() const { return {"Host: " + host, "Authorization: Bearer " + token}; }
  static std::vector<std::string> posting(std::vector<std::string> headers) {
    headers.insert(headers.end(), {"Content-Type: application/json", "X-Holdfast: 1"});
    return headers;
  }
  HttpReply get(const std::string& target) const { return ask("GET " + target, as_program()); }
  HttpReply call(const std::string& method, const std::string& params = "{}") const {
    return ask("POST /api/" + method, posting(as_program()), params);
  }
  HttpReply log_in(const std::string& with) const {
    return ask("POST /login", {"Host: " + host, "Content-Type: application/json"}, R"({"code":")" + with + "\"}");
  }
  // Logs in as the page does, once.
  void let_in() {
    const HttpReply reply = log_in(code);
    ASSERT_EQ(reply.status, 204) << reply.body;
    const auto at = reply.head.find("Set-Cookie: ") + 12;
    cookie = reply.head.substr(at, reply.head.find(';', at) - at);
  }

  std::string url, socket, code, token, host, cookie;
  int port = 0;

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }
  pid_t pid_ = 0;
};

inline std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    (out += '%') += "0123456789ABCDEF"[byte >> 4];
    out += "0123456789ABCDEF"[byte & 15];
  }
  return out;
}

}  // namespace holdfast::inline v1
