#include "api/error_json.h"

#include <algorithm>

#include "api/call.h"

namespace holdfast::inline v1 {

namespace {

bool has_part(std::string_view path, std::string_view name) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (path.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

// Whether a word of the message is a component of `path`.
bool names_part(std::string_view message, std::string_view path) {
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find(' ', at), message.size());
    if (end > at && has_part(path, message.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

Error with_reason(Error error, const std::vector<Finding>& findings) {
  if (error.code != Code::not_found) return error;
  for (const Finding& one : findings) {
    if (one.kind != code_name(Code::corrupt) || !names_part(error.message, one.file)) continue;
    error.message += "; " + one.file + " cannot be read and was moved aside";
    return error;
  }
  return error;
}

void write_error(JsonWriter& json, const Error& error, const std::vector<Finding>& findings) {
  json.begin_object().key("code").string(code_name(error.code)).key("message").string(error.message).key("path");
  error.path.empty() ? json.null() : json.string(error.path);
  json.key("os_error");
  error.os_error == 0 ? json.null() : json.int64(error.os_error);
  if (!findings.empty()) write_findings(json, "findings", findings);
  json.end_object();
}

std::string error_json(const Error& error, const std::vector<Finding>& findings) {
  JsonWriter json;
  json.begin_object().key("error");
  write_error(json, error, findings);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
