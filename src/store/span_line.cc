#include "store/span_line.h"

#include "base/hash.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

void attribute(JsonWriter& json, std::string_view key, std::string_view value) {
  json.begin_object().key("key").string(key).key("value");
  json.begin_object().key("stringValue").string(value).end_object().end_object();
}

// 64-bit numbers are strings in the JSON mapping of protocol buffers.
std::string nanos(std::chrono::system_clock::time_point time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

std::string digest(std::string_view store, std::string_view session) {
  return sha256_hex(std::string(store) + '\0' + std::string(session));
}

constexpr int kInternal = 1;  // a SpanKind
constexpr int kError = 2;     // a StatusCode

}  // namespace

std::string trace_id(std::string_view store, std::string_view session) { return digest(store, session).substr(0, 32); }
std::string session_span(std::string_view store, std::string_view session) {
  return digest(store, session).substr(32, 16);
}

std::string span_line(std::string_view store, const SpanNote& span, std::string_view span_id) {
  const bool whole = span.name == "session";
  const std::string root = session_span(store, span.session);
  JsonWriter json;
  json.begin_object().key("resourceSpans").begin_array().begin_object();
  json.key("resource").begin_object().key("attributes").begin_array();
  attribute(json, "service.name", "holdfast");
  json.end_array().end_object();
  json.key("scopeSpans").begin_array().begin_object();
  json.key("scope").begin_object().key("name").string("holdfast.store").end_object();
  json.key("spans").begin_array().begin_object();
  json.key("traceId").string(trace_id(store, span.session)).key("spanId").string(whole ? root : span_id);
  if (!whole) json.key("parentSpanId").string(root);
  json.key("name").string(span.name).key("kind").int64(kInternal);
  json.key("startTimeUnixNano").string(nanos(span.begin)).key("endTimeUnixNano").string(nanos(span.end));
  json.key("attributes").begin_array();
  attribute(json, "holdfast.store", store);
  attribute(json, "session.id", span.session);
  json.end_array().key("status").begin_object();
  if (!span.error.empty()) json.key("code").int64(kError).key("message").string(span.error);
  json.end_object().end_object().end_array().end_object().end_array().end_object().end_array();
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
