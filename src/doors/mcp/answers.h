// The answers of the Model Context Protocol, independent of the transport: lines of a pipe, or POSTs to
// `holdfast serve`. Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>

#include <expected>
#include <string>
#include <string_view>

#include "api/stores.h"
#include "doors/mcp/tools.h"
#include "doors/rpc/json_rpc.h"

namespace holdfast::inline v1 {

// The request in a message. A message without a method is an answer to us, one without an id a notification;
// neither gets an answer. On an error, the line that describes it.
std::expected<RpcRequest, std::string> read_mcp(std::string_view text);

// Whether that version of the protocol, from `initialize` or a header, has batches; and whether it is served.
bool has_batches(std::string_view version);
bool is_served_version(std::string_view version);

// The error for a version that is not served.
std::string unserved_version(std::string_view id, std::string_view version);

std::string mcp_fault(std::string_view id, int number, std::string message);

class McpAnswers {
 public:
  // `write`: offer the tools that change notes about sessions.
  McpAnswers(Stores& stores, bool write) : stores_(stores), write_(write) {}

  // Must be called before the first answer. Never shows this session, named as in OwnSession::named. On an error,
  // because no session or several match, leaves out whatever begins with that text.
  Result<void> leave_out(std::string_view session);

  // The line that answers the request. `initialized`: `initialize` came before. Throws no exception.
  std::string answer(const RpcRequest& request, bool initialized, const Context& context);

 private:
  Stores& stores_;
  const bool write_;
  OwnSession own_;
};

}  // namespace holdfast::inline v1
