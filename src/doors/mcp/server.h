// `holdfast mcp`: lets agents read earlier sessions over the Model Context Protocol on standard input
// and output. Supports both forms of the protocol: after `initialize` as in 2025-11-25, and stateless
// requests with their version in `_meta` as in 2026-07-28.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <stop_token>
#include <string>

#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct McpOptions {
  int input = 0;   // not owned
  int output = 1;  // not owned
  StoreSettings settings;
  bool write = false;                                 // offer the tools that star, tag and rename
  std::string own_session;                            // never shown; empty: none
  std::function<void(const std::string& text)> warn;  // for people; called before anything is served
  std::stop_token stop;
};

// Serves until the input ends, nobody reads any more, or `stop`. Changes nothing in any agent's store.
Result<void> serve_mcp(McpOptions options);

}  // namespace holdfast::inline v1
