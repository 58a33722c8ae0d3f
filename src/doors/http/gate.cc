#include "doors/http/gate.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/ascii.h"
#include "base/hash.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> secret() {
  std::array<char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(os_error(errno, "cannot get random bytes", {}));
  return hex_of({bytes.data(), bytes.size()});
}

// In constant time.
bool same_secret(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i]);
  return difference == 0;
}

// The value of a cookie; empty if there is none.
std::string_view cookie_of(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    std::string_view pair = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookies.size(), pair.size() + 1));
    pair.remove_prefix(std::min(pair.size(), pair.find_first_not_of(' ')));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return {};
}

// The scheme is case-insensitive (RFC 9110, 11.1).
std::string_view bearer_of(const HttpRequest& request) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.authorization;
  return in_lower_case(given.substr(0, kScheme.size())) == kScheme ? given.substr(kScheme.size()) : std::string_view();
}

// A browser that leaves another page for ours, in a window of its own. `holdfast serve` starts it so, from a file
// (api/entry_page.h). The page itself is public: only what it then requests, from here, carries authority. An address
// that tells the page what to show is not for others to choose.
bool is_entry(const HttpRequest& request) {
  return request.method == "GET" && request.path == "/" && request.query.empty() && request.fetch_mode == "navigate" &&
         request.fetch_dest == "document";
}

HttpAnswer forbidden(std::string_view message) { return refusal(403, "permission_denied", message); }

}  // namespace

bool is_json(const HttpRequest& request) {
  const std::string type = in_lower_case(request.content_type);
  return type == "application/json" || type.starts_with("application/json;");
}

Result<HttpGate> HttpGate::make(std::uint16_t port) {
  HOLDFAST_LET(code, secret());
  HOLDFAST_LET(token, secret());
  HOLDFAST_LET(cookie, secret());
  return HttpGate(port, code.substr(0, 32), std::move(token), std::move(cookie));
}

bool HttpGate::is_our_name(std::string_view host) const {
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && !host.ends_with(']');
  const std::string_view port = has_port ? host.substr(colon + 1) : std::string_view("80");
  if (has_port) host = host.substr(0, colon);
  const std::string name = in_lower_case(host);
  if (name != "127.0.0.1" && name != "localhost" && name != "[::1]") return false;
  if (port_ != 0) return port == std::to_string(port_);
  return !port.empty() && std::ranges::all_of(port, is_ascii_digit);
}

std::optional<HttpAnswer> HttpGate::check_source(const HttpRequest& request) const {
  if (!is_our_name(request.host)) return forbidden("the Host of the request is not this server");
  if (!request.origin.empty() && in_lower_case(request.origin) != "http://" + in_lower_case(request.host))
    return forbidden("the request comes from another site");
  if (!request.fetch_site.empty() && request.fetch_site != "same-origin" && request.fetch_site != "none" &&
      !is_entry(request))
    return forbidden("the request comes from another site");
  return std::nullopt;
}

// Browsers keep cookies by host, not by port: two servers must not use each other's.
std::string HttpGate::cookie_name() const { return "hf" + std::to_string(port_); }

std::optional<HttpAnswer> HttpGate::check_authorized(const HttpRequest& request) const {
  if (request.method == "POST") {
    if (request.csrf != "1") return forbidden("the header X-Holdfast: 1 is missing");
    if (!is_json(request)) return refusal(415, "invalid_argument", "Content-Type must be application/json");
  }
  if (same_secret(cookie_of(request.cookie, cookie_name()), cookie_)) return std::nullopt;
  return check_token(request);
}

std::optional<HttpAnswer> HttpGate::check_token(const HttpRequest& request) const {
  if (same_secret(bearer_of(request), token_)) return std::nullopt;
  const bool program = !request.authorization.empty();
  HttpAnswer answer = refusal(
      401, "permission_denied",
      program
          ? "the token is not the one that this run of holdfast serve printed"
          : "not authorized: open the address that holdfast serve printed, or send its token as Authorization: Bearer");
  answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

HttpAnswer HttpGate::log_in(const HttpRequest& request) {
  if (!is_json(request)) return refusal(415, "invalid_argument", "Content-Type must be application/json");
  const bool valid = check_json(request.body).ok() && JsonView(request.body).kind() == JsonKind::object;
  const auto given = valid ? JsonView(request.body).find("code").as_string() : std::nullopt;
  if (!given) return refusal(400, "invalid_argument", "the body must be {\"code\":\"...\"}");
  if (!same_secret(*given, code_)) return forbidden("the code is wrong; open the address that holdfast serve printed");
  if (used_)
    return forbidden(
        "the code has already been used, in another browser or by somebody else; stop holdfast serve and start it "
        "again for a new one");
  used_ = true;
  HttpAnswer answer{.status = 204};
  answer.headers.emplace_back("Set-Cookie", cookie_name() + "=" + cookie_ + "; HttpOnly; SameSite=Strict; Path=/");
  return answer;
}

}  // namespace holdfast::inline v1
