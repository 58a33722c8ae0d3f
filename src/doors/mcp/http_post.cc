#include "doors/mcp/http_post.h"

#include <optional>

#include "text/base64.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kStateless = "2026-07-28";  // the first version with headers
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr int kHeaderMismatch = -32020;
constexpr int kUnsupportedVersion = -32022;

McpPostAnswer fault(std::string_view id, int number, std::string message) {
  return {400, mcp_fault(id, number, std::move(message))};
}

// Text that cannot be in a header is encoded as =?base64?...?=.
std::string header_text(std::string_view text) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (!text.starts_with(kBegin) || !text.ends_with(kEnd) || text.size() < kBegin.size() + kEnd.size())
    return std::string(text);
  return from_base64(text.substr(kBegin.size(), text.size() - kBegin.size() - kEnd.size())).value_or(std::string(text));
}

// Refuses a request of the newer version that lacks required metadata or does not match its headers.
std::optional<McpPostAnswer> refused(const McpPost& post, const RpcRequest& asked) {
  const JsonView params(asked.params), meta = params.find("_meta");
  const auto version = meta.find(kVersionKey).as_string();
  if (!version) return fault(asked.id, kInvalidParams, "_meta must contain " + std::string(kVersionKey));
  if (!post.protocol.empty() && post.protocol != *version)
    return fault(asked.id, kHeaderMismatch, "MCP-Protocol-Version does not match the version in the body");
  if (*version != kStateless) return std::nullopt;  // answered as an unsupported version
  if (meta.find(kCapabilitiesKey).kind() != JsonKind::object)
    return fault(asked.id, kInvalidParams, "_meta must contain " + std::string(kCapabilitiesKey));
  if (post.method != asked.method)
    return fault(asked.id, kHeaderMismatch, "Mcp-Method does not match the method in the body");
  const std::string_view named = asked.method == "tools/call"       ? "name"
                                 : asked.method == "resources/read" ? "uri"
                                                                    : std::string_view();
  if (!named.empty() && params.find(named).as_string().value_or("") != header_text(post.name))
    return fault(asked.id, kHeaderMismatch, "Mcp-Name does not match the name in the body");
  return std::nullopt;
}

int http_status_of(std::string_view answer) {
  switch (JsonView(answer).find("error").find("code").as_int64().value_or(0)) {
    case kMethodNotFound: return 404;
    case kUnsupportedVersion: return 400;
    default: return 200;
  }
}

McpPostAnswer answer_batch(McpAnswers& answers, const McpPost& post, const Context& context) {
  std::string all;
  bool empty = true;
  for (const JsonItem& item : JsonView(post.body).elements()) {
    empty = false;
    const auto asked = read_mcp(item.value.raw());
    if (asked && (asked->method.empty() || asked->id.empty())) continue;
    (all += all.empty() ? "" : ",") += asked ? answers.answer(*asked, true, context) : asked.error();
  }
  if (empty) return fault({}, kInvalidRequest, "the batch is empty");
  if (all.empty()) return {202};
  return {200, "[" + all + "]"};
}

}  // namespace

McpPostAnswer answer_post(McpAnswers& answers, const McpPost& post, const Context& context) {
  // Clients of the version without the header send none.
  if ((post.protocol.empty() || has_batches(post.protocol)) && JsonView(post.body).kind() == JsonKind::array &&
      check_json(post.body).ok())
    return answer_batch(answers, post, context);
  const auto asked = read_mcp(post.body);
  if (!asked) return {400, asked.error()};
  if (!post.protocol.empty() && !is_served_version(post.protocol))
    return {400, unserved_version(asked->id, post.protocol)};
  if (asked->method.empty() || asked->id.empty()) return {202};
  const bool stateless =
      post.protocol >= kStateless || JsonView(asked->params).find("_meta").find(kVersionKey).as_string().has_value();
  if (stateless)
    if (auto wrong = refused(post, *asked)) return std::move(*wrong);
  McpPostAnswer answer{200, answers.answer(*asked, true, context)};
  if (stateless) answer.status = http_status_of(answer.body);
  return answer;
}

}  // namespace holdfast::inline v1
