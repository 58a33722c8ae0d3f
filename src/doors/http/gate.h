// Decides who may ask at all. Pages of other sites reach a server on this machine through the user's browser,
// and other users of this machine reach it directly. So a request must name us as its host (DNS rebinding),
// come from our own page or from none (CSRF), and carry the secret of this run. From anywhere one can only go to the
// page. Thread-safety: one thread.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

#include "doors/http/exchange.h"

namespace holdfast::inline v1 {

class HttpGate {
 public:
  // `port` 0: a Unix socket, which may be reached through any forwarded port.
  static Result<HttpGate> make(std::uint16_t port);

  const std::string& code() const { return code_; }    // accepted once, by POST /login
  const std::string& token() const { return token_; }  // for programs: Authorization: Bearer

  // Refuses requests that no page or program of this run sends; nullopt to continue.
  std::optional<HttpAnswer> check_source(const HttpRequest& request) const;
  // The same for everything that is not public; public are /login and the files of the page.
  std::optional<HttpAnswer> check_authorized(const HttpRequest& request) const;
  // The same for what only programs may request.
  std::optional<HttpAnswer> check_token(const HttpRequest& request) const;
  HttpAnswer log_in(const HttpRequest& request);

 private:
  HttpGate(std::uint16_t port, std::string code, std::string token, std::string cookie)
      : port_(port), code_(std::move(code)), token_(std::move(token)), cookie_(std::move(cookie)) {}
  bool is_our_name(std::string_view host) const;

  std::string cookie_name() const;

  std::uint16_t port_;
  std::string code_, token_, cookie_;
  bool used_ = false;  // the code was used
};

// Whether the content type is JSON.
bool is_json(const HttpRequest& request);

}  // namespace holdfast::inline v1
