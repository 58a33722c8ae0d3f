// Who may ask at all. Pages of other sites reach a server on this machine through the person's browser, and other
// people of this machine reach it directly: a request must name us as its host (DNS rebinding), come from our own page
// or from none (CSRF), and carry the secret of this run. Thread-safety: one thread.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

#include "doors/http/exchange.h"

namespace holdfast::inline v1 {

class HttpGate {
 public:
  // `port` 0: a Unix socket, which is reached under whatever port was forwarded to it.
  static Result<HttpGate> make(std::uint16_t port);

  const std::string& code() const { return code_; }    // exchanged once, by POST /login
  const std::string& token() const { return token_; }  // of programs: Authorization: Bearer

  // The refusal of what no page and no program of this run sends; nullopt: go on.
  std::optional<HttpAnswer> check_source(const HttpRequest& request) const;
  // The same for what is not open to everybody, /login and what belongs to the page.
  std::optional<HttpAnswer> check_right(const HttpRequest& request) const;
  // Of what only programs ask for.
  std::optional<HttpAnswer> check_token(const HttpRequest& request) const;
  HttpAnswer log_in(const HttpRequest& request);

 private:
  HttpGate(std::uint16_t port, std::string code, std::string token, std::string cookie)
      : port_(port), code_(std::move(code)), token_(std::move(token)), cookie_(std::move(cookie)) {}
  bool is_our_name(std::string_view host) const;

  std::string cookie_name() const;

  std::uint16_t port_;
  std::string code_, token_, cookie_;
  bool used_ = false;  // the code
};

// Whether the body says that it is JSON.
bool is_json(const HttpRequest& request);

}  // namespace holdfast::inline v1
