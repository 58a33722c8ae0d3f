#include "doors/http/mask.h"

#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/redact_json.h"

namespace holdfast::inline v1 {

bool reveals(const HttpRequest& request) {
  return request.reveal == "1" || query_value(request.query, "reveal") == "1";
}

std::string masked(std::string json) {
  auto hidden = redacted_json(json);
  return hidden ? *std::move(hidden) : std::move(json);
}

std::string masking(std::string_view method, std::string params) {
  if (method != "session.search" && method != "session.export") return params;
  const JsonView view(params);
  if (view.kind() != JsonKind::object) return R"({"redact":true})";
  auto set = json_set(params, {"redact"}, "true");
  return set ? *std::move(set) : std::move(params);
}

}  // namespace holdfast::inline v1
