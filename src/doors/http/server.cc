// The one file that uses Boost.Asio and Boost.Beast: sockets, HTTP syntax, and time. All of it runs on one
// thread; operations run on others and hand their answers back.
#include "doors/http/server.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <list>
#include <memory>
#include <optional>
#include <sstream>

#include "api/guarded.h"
#include "doors/http/gate.h"
#include "doors/http/routes.h"
#include "doors/http/streams.h"
#include "doors/rpc/scheduler.h"

namespace holdfast::inline v1 {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Socket = asio::generic::stream_protocol::socket;
using ErrorCode = boost::system::error_code;
using std::chrono::seconds;

constexpr std::size_t kMaxConnections = 512;
constexpr std::size_t kMostStreams = 256;
constexpr std::size_t kMaxWaiting = 64;  // running or waiting calls
constexpr std::size_t kMaxHeader = std::size_t{16} << 10;
constexpr std::size_t kMaxBody = std::size_t{1} << 20;
constexpr std::size_t kMaxFrames = std::size_t{128} << 10;  // bytes of a stream in one write
constexpr seconds kToRead{20};                              // to read a request, from the end of the previous one
constexpr seconds kToWrite{60};                             // to write a part of an answer
constexpr seconds kToCall{300};                             // to run an operation
constexpr seconds kToLeave{2};                              // for a client to read why it was refused
constexpr seconds kBeat{15};                                // a stream sends a keep-alive this often
constexpr std::chrono::milliseconds kToRest{200};           // without a call, before the server is idle

// ecosystem.md 6.3: headers of every answer.
constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
     "'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

class Connection;

// State that connections share. Used by the one thread only, except for the stores and the scheduler.
struct Server {
  explicit Server(HttpOptions given, HttpGate made)
      : options(std::move(given)),
        gate(std::move(made)),
        stores(options.settings),
        routes(stores, gate, options.write),
        streams(stores, kMostStreams),
        scheduler(4, kMaxConnections + kMaxWaiting) {}

  // Called after each call: the server is idle once there are no others for a moment.
  void rest_soon() {
    if (!options.idle) return;
    rest.expires_after(kToRest);
    rest.async_wait([this](ErrorCode error) {
      if (!error) options.idle();
    });
  }

  HttpOptions options;
  asio::io_context loop{1};
  asio::steady_timer rest{loop};
  HttpGate gate;
  Stores stores;
  Routes routes;
  std::list<std::weak_ptr<Connection>> connections;  // oldest first
  std::size_t working = 0;                           // running or waiting calls
  bool over = false;
  Streams streams;
  Scheduler scheduler;  // last, so its threads end before what they use
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server& server, Socket socket) : server_(server), stream_(std::move(socket)), beat_(server.loop) {}
  ~Connection() {
    stop_.request_stop();
    if (joined_.stream) joined_.stream->leave(joined_.reader);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Whether it is idle and may be closed to make room.
  bool idle() const { return reading_; }
  void close() {
    stop_.request_stop();
    beat_.cancel();
    ErrorCode ignored;
    (void)stream_.socket().close(ignored);
  }

  void read() {
    reading_ = true;
    parser_.emplace();
    parser_->header_limit(kMaxHeader);
    parser_->body_limit(kMaxBody);
    stream_.expires_after(kToRead);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](ErrorCode error, std::size_t) { self->take(error); });
  }

  // Answers without reading the request.
  void refuse(HttpAnswer answer) {
    last_ = true;
    write(std::move(answer));
  }

 private:
  using Response = http::response<http::string_body>;

  void take(ErrorCode error) {
    reading_ = false;
    head_ = false;
    if (error == http::error::header_limit)
      return refuse(refusal(431, "too_large", "the header of a request must be at most 16 KiB"));
    if (error == http::error::body_limit)
      return refuse(refusal(413, "too_large", "the body of a request must be at most 1 MiB"));
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
      return refuse(refusal(400, "invalid_argument", "this is not an HTTP request"));
    if (error) return;
    const auto& message = parser_->get();
    last_ = !message.keep_alive();
    head_ = message.method() == http::verb::head;
    HttpRequest request = request_of();
    if (message.count(http::field::host) != 1 || !take_address(request))
      return refuse(refusal(403, "permission_denied", "the Host of the request is not this server"));
    HttpPlan plan = server_.routes.plan(std::move(request));
    parser_.reset();
    if (auto* const answer = std::get_if<HttpAnswer>(&plan)) return write(std::move(*answer));
    if (auto* const work = std::get_if<HttpWork>(&plan)) return call(std::move(*work));
    follow(std::get<HttpStream>(plan));
  }

  HttpRequest request_of() {
    auto& message = parser_->get();
    const auto header = [&](std::string_view name) {
      const auto found = message.find(beast::string_view(name.data(), name.size()));
      return found == message.end() ? std::string() : std::string(found->value().data(), found->value().size());
    };
    const std::string_view target(message.target().data(), message.target().size());
    const std::size_t mark = target.find('?');
    HttpRequest request;
    request.method = std::string(message.method_string());
    request.path = target.substr(0, mark);
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    request.body = std::move(message.body());
    request.host = header("Host");
    request.origin = header("Origin");
    request.fetch_site = header("Sec-Fetch-Site");
    request.fetch_mode = header("Sec-Fetch-Mode");
    request.fetch_dest = header("Sec-Fetch-Dest");
    request.content_type = header("Content-Type");
    request.cookie = header("Cookie");
    request.authorization = header("Authorization");
    request.csrf = header("X-Holdfast");
    request.reveal = header("X-Holdfast-Reveal");
    request.protocol = header("MCP-Protocol-Version");
    request.mcp_method = header("Mcp-Method");
    request.mcp_name = header("Mcp-Name");
    return request;
  }

  // Clients of proxies send the whole address (RFC 9112, 3.2.2). Returns false if it does not match the Host.
  static bool take_address(HttpRequest& request) {
    constexpr std::string_view kScheme = "http://";
    if (!request.path.starts_with(kScheme)) return true;
    const std::size_t slash = std::min(request.path.find('/', kScheme.size()), request.path.size());
    if (request.path.substr(kScheme.size(), slash - kScheme.size()) != request.host) return false;
    request.path = slash == request.path.size() ? "/" : request.path.substr(slash);
    return true;
  }

  void call(HttpWork work) {
    if (server_.working >= kMaxWaiting)
      return write(refusal(503, "busy", "too many calls are being answered; try again"));
    ++server_.working;
    stop_ = std::stop_source();
    if (server_.over) stop_.request_stop();
    stream_.expires_never();
    watch();
    server_.scheduler.submit({}, [self = shared_from_this(), work = std::move(work), stop = stop_.get_token()] {
      Context context;
      context.stop = stop;
      auto answer = std::make_shared<HttpAnswer>(work(context.within(kToCall)));
      asio::post(self->server_.loop, [self, answer] {
        --self->server_.working;
        self->watching_ = false;
        self->write(std::move(*answer));
        self->server_.rest_soon();
      });
    });
  }

  // While a call runs: watches whether the other side is still there.
  void watch() {
    watching_ = true;
    stream_.socket().async_wait(Socket::wait_read, [self = shared_from_this()](ErrorCode error) {
      if (error || !self->watching_) return;
      char byte = 0;
      const auto count = ::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) self->close();
    });
  }

  void write(HttpAnswer answer) {
    if (!stream_.socket().is_open()) return;
    auto response = std::make_shared<Response>();
    response->result(static_cast<unsigned>(answer.status));
    for (const auto& [name, value] : kHeaders) set(*response, name, value);
    for (const auto& [name, value] : answer.headers) set(*response, name, value);
    if (!answer.type.empty()) set(*response, "Content-Type", answer.type);
    response->keep_alive(!last_);
    response->body() = std::move(answer.body);
    response->prepare_payload();
    if (head_) response->body().clear();  // the length stays that of GET
    if (response->result() == http::status::no_content) response->erase(http::field::content_length);
    stream_.expires_after(kToWrite);
    http::async_write(stream_, *response, [self = shared_from_this(), response](ErrorCode error, std::size_t) {
      if (error) return self->close();
      if (self->last_) return self->leave();
      self->read();
    });
  }

  static void set(Response& response, std::string_view name, std::string_view value) {
    response.set(beast::string_view(name.data(), name.size()), beast::string_view(value.data(), value.size()));
  }

  // Reads and drops further input for a while: if closed at once, the other side might not see the answer.
  void leave() {
    ErrorCode ignored;
    (void)stream_.socket().shutdown(Socket::shutdown_send, ignored);
    stream_.expires_after(kToLeave);
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(unread_), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      self->drain();
    });
  }

  // Until the operation ends or the other side is gone.
  void follow(const HttpStream& wanted) {
    const std::weak_ptr<Connection> self = weak_from_this();
    auto joined = server_.streams.join(wanted.method, wanted.params, wanted.secrets, [&loop = server_.loop, self] {
      asio::post(loop, [self] {
        if (const auto here = self.lock()) here->tell();
      });
    });
    if (!joined) return write(refusal(503, "busy", joined.error().message));
    joined_ = std::move(*joined);
    http::response<http::empty_body> head;
    head.result(200);
    for (const auto& [name, value] : kHeaders)
      head.set(beast::string_view(name.data(), name.size()), beast::string_view(value.data(), value.size()));
    head.set(http::field::content_type, "text/event-stream");
    head.keep_alive(false);
    std::ostringstream text;
    text << head.base();
    last_ = true;
    listen();
    send(text.str(), false);
  }

  // Until the other side is gone. Ignores what it sends in the meantime.
  void listen() {
    stream_.socket().async_wait(Socket::wait_read, [self = shared_from_this()](ErrorCode error) {
      if (error) return;
      auto& unread = self->unread_;
      const auto count = ::recv(self->stream_.socket().native_handle(), unread.data(), unread.size(), MSG_DONTWAIT);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) return self->end_stream();
      self->listen();
    });
  }
  void end_stream() {
    if (joined_.stream) joined_.stream->leave(joined_.reader);
    joined_ = {};
    close();
  }

  void tell() {
    if (sending_ || !joined_.stream) return;
    SharedStream::Taken taken = joined_.stream->take(joined_.reader, kMaxFrames);
    if (!taken.frames.empty() || taken.over) return send(std::move(taken.frames), taken.over);
    beat_.expires_after(kBeat);
    beat_.async_wait([self = shared_from_this()](ErrorCode error) {
      if (!error && !self->sending_) self->send(":\n\n", false);
    });
  }

  void send(std::string frames, bool over) {
    sending_ = true;
    beat_.cancel();
    const auto text = std::make_shared<const std::string>(std::move(frames));
    stream_.expires_after(kToWrite);
    asio::async_write(stream_, asio::buffer(*text),
                      [self = shared_from_this(), text, over](ErrorCode error, std::size_t) {
                        self->sending_ = false;
                        self->stream_.expires_never();
                        if (error || over) return self->end_stream();
                        self->tell();
                      });
  }

  Server& server_;
  beast::basic_stream<asio::generic::stream_protocol> stream_;
  asio::steady_timer beat_;
  beast::flat_buffer buffer_{kMaxHeader + kMaxBody};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::array<char, 1024> unread_{};  // input to be dropped
  std::stop_source stop_;            // of the running call
  Streams::Joined joined_;
  bool reading_ = false, watching_ = false, sending_ = false;
  bool last_ = false;  // close after the answer
  bool head_ = false;  // send the answer without its body
};

// Makes room for one more by closing the oldest idle connection. Returns false if none is idle.
bool make_room(Server& server) {
  std::erase_if(server.connections, [](const auto& one) { return one.expired(); });
  if (server.connections.size() < kMaxConnections) return true;
  for (auto at = server.connections.begin(); at != server.connections.end(); ++at) {
    const auto one = at->lock();
    if (!one || !one->idle()) continue;
    one->close();
    server.connections.erase(at);
    return true;
  }
  return false;
}

template <typename Acceptor>
void accept(Server& server, Acceptor& acceptor, asio::steady_timer& pause) {
  acceptor.async_accept([&](ErrorCode error, typename Acceptor::protocol_type::socket socket) {
    if (error == asio::error::operation_aborted || server.over) return;
    if (error) {  // usually no descriptor is left
      pause.expires_after(std::chrono::milliseconds(100));
      pause.async_wait([&](ErrorCode) {
        if (!server.over) accept(server, acceptor, pause);
      });
      return;
    }
    const bool room = make_room(server);
    const auto connection = std::make_shared<Connection>(server, Socket(std::move(socket)));
    server.connections.push_back(connection);
    if (room)
      connection->read();
    else
      connection->refuse(refusal(503, "busy", "too many connections are open; try again"));
    accept(server, acceptor, pause);
  });
}

Error listen_error(const ErrorCode& error, const std::string& where) {
  Error made = os_error(error.value(), "cannot listen", where);
  if (error.value() == EADDRINUSE) made.code = Code::busy;  // as for a socket that is in use
  return made;
}

void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

template <typename Acceptor>
Result<void> serve(Server& server, Acceptor& acceptor, const std::string& url) {
  asio::steady_timer pause(server.loop);
  accept(server, acceptor, pause);
  if (server.options.ready) HOLDFAST_TRY(server.options.ready({url, server.gate.code(), server.gate.token()}));
  const std::stop_callback on_stop(server.options.stop, [&] {
    asio::post(server.loop, [&] {
      server.over = true;
      ErrorCode ignored;
      acceptor.close(ignored);
      for (const auto& one : server.connections)
        if (const auto connection = one.lock()) connection->close();
      server.loop.stop();
    });
  });
  server.loop.run();
  server.streams.end();
  server.scheduler.wait_for_all();
  return server.stores.close({});
}

Result<void> serve_port(HttpOptions options) {
  const std::string host = options.bind == "localhost" ? "127.0.0.1" : options.bind;
  if (host != "127.0.0.1" && host != "::1")
    return fail(
        Code::invalid_argument,
        "holdfast serve listens on this machine only, 127.0.0.1 or ::1, because it does not support TLS; from another "
        "machine use --socket PATH and ssh -L");
  asio::io_context loop;
  ErrorCode error;
  asio::ip::tcp::acceptor bound(loop);
  const asio::ip::tcp::endpoint place(asio::ip::make_address(host), options.port);
  (void)bound.open(place.protocol(), error);
  if (!error) (void)bound.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) (void)bound.bind(place, error);
  if (!error) (void)bound.listen(asio::socket_base::max_listen_connections, error);
  const std::string where = (host == "::1" ? "[::1]" : host) + ":";
  if (error) return fail(listen_error(error, where + std::to_string(options.port)));
  const std::uint16_t port = bound.local_endpoint().port();
  HOLDFAST_LET(gate, HttpGate::make(port));
  Server server(std::move(options), std::move(gate));
  asio::ip::tcp::acceptor acceptor(server.loop, place.protocol(), bound.release());
  return serve(server, acceptor, "http://" + where + std::to_string(port) + "/");
}

// Whether somebody answers at the socket; one that a killed server left behind may be replaced.
bool is_alive(const sockaddr_un& place) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool answered = fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
  if (fd >= 0) ::close(fd);
  return answered;
}

Result<void> serve_socket(HttpOptions options) {
  const std::string path = options.socket;
  sockaddr_un place{};
  if (path.size() >= sizeof place.sun_path)
    return fail(Code::invalid_argument, "the path of a socket must be at most 107 bytes", path);
  place.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), place.sun_path);
  struct stat there{};
  if (::lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode)) return fail(Code::already_exists, "something other than a socket is there", path);
    if (is_alive(place)) return fail(Code::busy, "another server is already listening there", path);
    ::unlink(path.c_str());
  }
  HOLDFAST_LET(gate, HttpGate::make(0));
  Server server(std::move(options), std::move(gate));
  asio::local::stream_protocol::acceptor acceptor(server.loop);
  ErrorCode error;
  (void)acceptor.open(asio::local::stream_protocol(), error);
  const mode_t before = ::umask(0177);  // restrict it to its owner from the start
  if (!error) (void)acceptor.bind(asio::local::stream_protocol::endpoint(path), error);
  ::umask(before);
  if (!error) (void)acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return fail(listen_error(error, path));
  auto served = serve(server, acceptor, path);
  ::unlink(path.c_str());
  return served;
}

}  // namespace

Result<void> serve_http(HttpOptions options) {
  return guarded([&]() -> Result<void> {
    allow_many_files();
    options.settings.keep = true;
    return options.socket.empty() ? serve_port(std::move(options)) : serve_socket(std::move(options));
  });
}

}  // namespace holdfast::inline v1
