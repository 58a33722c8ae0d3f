#include "api/privacy.h"

#include <algorithm>
#include <array>

#include "api/suggest.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 3> kSwitches = {"localOnly", "redactInputs", "redactOutputs"};

Failure unknown(const std::string& name) {
  std::string message = "privacy has no member " + name.substr(0, 60);
  if (const auto meant = nearest(name, kSwitches))
    message += "; did you mean " + std::string(*meant) + "?";
  else
    message += "; it takes localOnly, redactInputs and redactOutputs";
  return fail(Code::invalid_argument, std::move(message));
}

}  // namespace

Result<std::string> checked_privacy(JsonView given, JsonView stored) {
  if (!given || given.is_null()) return std::string();
  if (given.kind() != JsonKind::object) return fail(Code::invalid_argument, "privacy must be an object");
  JsonWriter json;
  json.begin_object();
  bool any = false;
  for (const JsonItem& item : given.fields()) {
    const std::string name = item.key();
    const bool known = std::ranges::find(kSwitches, name) != kSwitches.end();
    if (!known && !stored.find(name)) return unknown(name);
    if (item.value.is_null()) continue;
    if (known && item.value.kind() != JsonKind::boolean)
      return fail(Code::invalid_argument, "privacy." + name + " must be true or false");
    json.key(name).raw(item.value.raw());
    any = true;
  }
  return any ? json.end_object().take() : std::string();
}

Result<std::string> with_checked_privacy(JsonView thread, JsonView stored) {
  JsonWriter json;
  json.begin_object();
  for (const JsonItem& item : thread.fields()) {
    const std::string name = item.key();
    if (name != "privacy") {
      json.key(name).raw(item.value.raw());
      continue;
    }
    HOLDFAST_LET(privacy, checked_privacy(item.value, stored));
    if (!privacy.empty()) json.key(name).raw(privacy);
  }
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
