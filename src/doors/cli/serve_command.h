// holdfast serve: listens, prints the address, opens the browser.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <string>

#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct ServeHttp {
  std::string store;
  std::string bind;  // empty: 127.0.0.1
  std::uint16_t port = 0;
  std::string socket;  // absolute path; empty: use a port
  bool open = true;    // open the browser
  bool write = false;
  std::string remote;  // begin with the sessions of this remote; empty: with those of this machine
};

// Runs until Ctrl-C. `idle` is called each time when there were calls and then none for a moment.
Result<int> run_serve(const ServeHttp& request, StoreSettings settings, bool json, std::function<void()> idle);

}  // namespace holdfast::inline v1
