// JSON-RPC 2.0 on the wire: requests in, answers out. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/error_json.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kServerError = -32000;    // error.data.code has the code
inline constexpr int kHelloRequired = -32002;  // a request came before hello
inline constexpr int kRequestCancelled = -32800;

struct RpcRequest {
  std::string id;  // as written; empty for a notification, which gets no answer
  std::string method;
  std::string params;  // JSON text; empty when absent
};

// The error for a line that check_json refuses. The id is known if only the depth or the encoding of the line is wrong.
struct RejectedRequest {
  std::string id;
  std::string why;
};
RejectedRequest explain_rejection(std::string_view line, const JsonCheck& check);

// Fails with invalid_argument and what is wrong.
Result<RpcRequest> read_request(JsonView message);

// `id` is JSON text; empty means null. The result is one line without a newline.
std::string rpc_answer(std::string_view id, std::string_view result);
// `findings`: what was moved aside or repaired before the failure.
std::string rpc_error(std::string_view id, int number, const Error& error, const std::vector<Finding>& findings = {});
std::string rpc_notification(std::string_view method, std::string_view params);

// The JSON-RPC error number for a code of ours.
int rpc_number(Code code);

}  // namespace holdfast::inline v1
