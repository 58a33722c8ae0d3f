// `holdfast mcp`: what agents may know of earlier sessions, over the Model Context Protocol on
// standard input and output. Both eras of it: after `initialize` as 2025-11-25 has it, and requests that
// carry their version in `_meta` as 2026-07-28 has it, without any state.
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

// Serves until the input ends, nobody reads any more, or `stop`. Changes nothing in any store of an agent.
Result<void> serve_mcp(McpOptions options);

}  // namespace holdfast::inline v1
