// `holdfast serve`: the table of operations over HTTP for the viewer in a browser, on this machine only.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct HttpOptions {
  StoreSettings settings;
  std::string bind = "127.0.0.1";  // or ::1, or localhost; anything else is refused
  std::uint16_t port = 0;          // 0: any free one
  std::string socket;              // a path: a Unix socket for its owner, instead of a port
  bool write = false;              // also serve notes about sessions
  std::stop_token stop;

  struct Address {
    std::string url;    // "http://127.0.0.1:4711/"; the path of a socket
    std::string code;   // accepted once, by POST /login
    std::string token;  // for programs
  };
  // Called once, when the server listens. An error ends it.
  std::function<Result<void>(const Address& address)> ready;
  // Called each time when there were calls and then none for a moment. Must be quick.
  std::function<void()> idle;
};

// Serves until `stop`. Fails if it cannot listen there.
Result<void> serve_http(HttpOptions options);

}  // namespace holdfast::inline v1
