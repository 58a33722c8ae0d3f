#include "text/json_settings.h"

#include <string>

#include "text/json_scan.h"

namespace holdfast::inline v1 {

Result<JsonView> parse_json_settings(std::string_view bytes) {
  const std::string_view body = without_bom(bytes);
  const JsonCheck check = check_json(body);
  if (!check.ok() && check.fault != JsonFault::bad_utf8)
    return fail(Code::corrupt, "not a JSON object, or one with comments or damage (at byte " +
                                   std::to_string(check.at + bytes.size() - body.size()) + "), so it is left as it is");
  if (JsonView(body).kind() != JsonKind::object)
    return fail(Code::corrupt, "not a JSON object, so it is left as it is");
  return JsonView(body);
}

Result<void> check_setting(JsonView value, JsonKind kind, std::string_view name) {
  if (!value || value.kind() == kind) return {};
  return fail(Code::schema_mismatch, std::string(name) + " is not " +
                                         (kind == JsonKind::array ? "a list" : "an object") +
                                         ", so the file is left as it is; correct it by hand");
}

}  // namespace holdfast::inline v1
