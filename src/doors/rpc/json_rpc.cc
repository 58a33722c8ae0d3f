#include "doors/rpc/json_rpc.h"

#include "doors/rpc/request_id.h"

namespace holdfast::inline v1 {
namespace {

Failure invalid(std::string message) { return fail(Code::invalid_argument, std::move(message)); }

}  // namespace

RejectedRequest explain_rejection(std::string_view line, const JsonCheck& check) {
  const std::string where = " at byte " + std::to_string(check.at);
  if (check.fault != JsonFault::too_deep && check.fault != JsonFault::bad_utf8)
    return {{}, "the line is not JSON: " + std::string(json_fault_name(check.fault)) + where};
  RequestId id;
  id.feed(line);
  return {id.found(), check.fault == JsonFault::bad_utf8 ? "the line is not UTF-8" + where
                                                         : "a request may be at most " + std::to_string(kJsonMaxDepth) +
                                                               " levels deep, not deeper" + where};
}

Result<RpcRequest> read_request(JsonView message) {
  if (message.kind() != JsonKind::object) return invalid("a request must be a JSON object");
  if (!message.find("jsonrpc").is_string("2.0")) return invalid("a request must have \"jsonrpc\":\"2.0\"");
  RpcRequest request;
  const auto method = message.find("method").as_string();
  if (!method || method->empty()) return invalid("a request must name its method");
  request.method = *method;
  const JsonView id = message.find("id");
  const bool plain = id.kind() == JsonKind::string || id.kind() == JsonKind::number || id.is_null();
  if (id && !plain) return invalid("the id of a request must be a string or a number");
  request.id = id.raw();
  const JsonView params = message.find("params");
  if (params && params.kind() != JsonKind::object) return invalid("params must be a JSON object, by name");
  request.params = params.raw();
  return request;
}

std::string rpc_answer(std::string_view id, std::string_view result) {
  JsonWriter json;
  json.begin_object().key("jsonrpc").string("2.0").key("id").raw(id.empty() ? "null" : id);
  return json.key("result").raw(result).end_object().take();
}

std::string rpc_error(std::string_view id, int number, const Error& error, const std::vector<Finding>& findings) {
  JsonWriter json;
  json.begin_object().key("jsonrpc").string("2.0").key("id").raw(id.empty() ? "null" : id);
  json.key("error").begin_object().key("code").int64(number).key("message").string(error.message).key("data");
  write_error(json, error, findings);
  return json.end_object().end_object().take();
}

std::string rpc_notification(std::string_view method, std::string_view params) {
  JsonWriter json;
  json.begin_object().key("jsonrpc").string("2.0").key("method").string(method);
  return json.key("params").raw(params).end_object().take();
}

int rpc_number(Code code) {
  switch (code) {
    case Code::invalid_argument: return kInvalidParams;
    case Code::cancelled: return kRequestCancelled;
    case Code::internal: return kInternalError;
    default: return kServerError;
  }
}

}  // namespace holdfast::inline v1
