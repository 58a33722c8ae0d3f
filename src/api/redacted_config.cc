#include "api/redacted_config.h"

#include "text/redact_json.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {

std::string without_secrets(std::string_view json) { return redacted_json(json).value_or(std::string(json)); }

bool holds_placeholder(JsonView value) {
  if (const auto text = value.as_string()) return is_secret_placeholder(*text);
  for (const JsonItem& item : value.elements())
    if (holds_placeholder(item.value)) return true;
  for (const JsonItem& item : value.fields())
    if (holds_placeholder(item.value)) return true;
  return false;
}

}  // namespace holdfast::inline v1
