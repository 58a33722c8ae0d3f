// What the Model Context Protocol answers, whatever carries it: lines of a pipe, or POSTs to `holdfast serve`.
// Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>

#include <expected>
#include <string>
#include <string_view>

#include "api/stores.h"
#include "doors/mcp/tools.h"
#include "doors/rpc/json_rpc.h"

namespace holdfast::inline v1 {

// The request in a message. One without a method is an answer to us, one without an id a notification: neither is
// answered. Else the line that says what is wrong with it.
std::expected<RpcRequest, std::string> read_mcp(std::string_view text);

// Whether that version of the protocol, as `initialize` agreed on it or a header names it, has batches; and whether it
// is one of those that are served.
bool has_batches(std::string_view version);
bool is_served_version(std::string_view version);

// What is said of one that is not.
std::string unserved_version(std::string_view id, std::string_view version);

std::string mcp_fault(std::string_view id, int number, std::string message);

class McpAnswers {
 public:
  // `write`: with the tools that change what is noted about sessions.
  McpAnswers(Stores& stores, bool write) : stores_(stores), write_(write) {}

  // Before the first answer: this session, an ID, a prefix of one, or LAYOUT/ID, is never shown. With an error, because
  // there is none yet or several, that is whatever begins so.
  Result<void> leave_out(std::string_view session);

  // The line that answers it. `greeted`: `initialize` came before. No exception leaves.
  std::string answer(const RpcRequest& request, bool greeted, const Context& context);

 private:
  Stores& stores_;
  const bool write_;
  OwnSession own_;
};

}  // namespace holdfast::inline v1
