// `holdfast rpc`: the table of operations as JSON-RPC 2.0, one message per line.
#pragma once

#include <holdfast/error.h>

#include <stop_token>

#include "api/dispatch.h"
#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct RpcOptions {
  int input = 0;   // not owned
  int output = 1;  // not owned
  StoreSettings settings;
  std::stop_token stop;  // ends it like the end of the input, but cancels running calls
  std::size_t threads = 4;
  std::size_t max_request = kMaxRequest + 4096;  // bytes of a line
};

// Serves until the input ends, the other side stops reading, or `stop`; then answers what
// is still running and closes stores and writers. Fails with cancelled after `stop`, and
// with another error if the input cannot be read, the output cannot be written (a reader
// that is gone is not an error), or something could not be closed.
Result<void> serve_rpc(RpcOptions options);

}  // namespace holdfast::inline v1
