#include "api/guarded.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "api/dispatch.h"
#include "api/validate.h"
#include "text/json_edit.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// The plain form of an integer that is written in another way; nullopt if it is not one.
std::optional<std::string> plain_integer(JsonView value) {
  constexpr double kExact = 9007199254740992;  // 2^53: from here on, a double may stand for several integers
  const auto number = value.as_int64() ? std::nullopt : value.as_double();
  if (!number || std::abs(*number) >= kExact || std::trunc(*number) != *number) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(*number));
}

Result<std::string> with_plain_integers(const Operation& operation, JsonView params) {
  std::string text(params.raw());
  const auto known = parameters_of(operation);
  for (const JsonItem& item : params.fields()) {
    const std::string name = item.key();
    const auto parameter = std::ranges::find(known, name, &Parameter::name);
    if (parameter == known.end() || parameter->type != ParamType::integer) continue;
    const auto plain = plain_integer(item.value);
    if (!plain) continue;
    HOLDFAST_LET(set, json_set(text, {name}, *plain));
    text = std::move(set);
  }
  return text;
}

}  // namespace

Result<JsonView> checked_params(const Operation& operation, std::string_view params, std::string& respelled) {
  if (params.size() > kMaxRequest)
    return fail(Code::too_large, "a request must have at most " + std::to_string(kMaxRequest) + " bytes");
  if (params.empty()) params = "{}";
  if (const JsonCheck check = check_json(params); !check.ok())
    return fail(Code::invalid_argument, std::string(operation.method) +
                                            ": parameters are not JSON: " + std::string(json_fault_name(check.fault)) +
                                            " at byte " + std::to_string(check.at));
  const JsonView view(params);
  auto valid = validate(operation, view);
  if (valid) return view;
  HOLDFAST_LET(text, with_plain_integers(operation, view));
  if (text == view.raw()) return fail(std::move(valid).error());
  respelled = std::move(text);
  HOLDFAST_TRY(validate(operation, JsonView(respelled)));
  return JsonView(respelled);
}

}  // namespace holdfast::inline v1
