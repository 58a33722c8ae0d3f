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
  std::uint16_t port = 0;          // 0: a free one
  std::string socket;              // a path: a Unix socket for its owner, instead of a port
  bool write = false;              // serve notes about sessions, too
  std::stop_token stop;

  struct Address {
    std::string url;    // "http://127.0.0.1:4711/"; of a socket, its path
    std::string code;   // let in once, by POST /login
    std::string token;  // of programs
  };
  // Told once, when it listens. An error ends it.
  std::function<Result<void>(const Address& address)> ready;
};

// Serves until `stop`. Errors: it cannot listen there.
Result<void> serve_http(HttpOptions options);

}  // namespace holdfast::inline v1
