#include "api/error_json.h"

namespace holdfast::inline v1 {

void write_error(JsonWriter& json, const Error& error) {
  json.begin_object().key("code").string(code_name(error.code)).key("message").string(error.message).key("path");
  error.path.empty() ? json.null() : json.string(error.path);
  json.key("os_error");
  error.os_error == 0 ? json.null() : json.int64(error.os_error);
  json.end_object();
}

std::string error_json(const Error& error) {
  JsonWriter json;
  json.begin_object().key("error");
  write_error(json, error);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
