#include "api/guarded.h"

#include <algorithm>
#include <vector>

#include "api/dispatch.h"
#include "api/shape.h"
#include "api/validate.h"
#include "text/json_integer.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

// The parameters with every integer that the table knows in its plain form.
std::string with_plain_integers(const Operation& operation, JsonView params) {
  const auto known = parameters_of(operation);
  std::vector<JsonView> integers;  // in the order of the text
  for (const JsonItem& item : params.fields()) {
    const auto parameter = std::ranges::find(known, item.key(), &Parameter::name);
    if (parameter != known.end()) integers_in(checked_type(*parameter), item.value, integers);
  }
  std::string text;
  std::string_view rest = params.raw();
  for (const JsonView value : integers) {
    const auto integer = json_integer(value);
    if (!integer || value.as_int64()) continue;
    const auto before = static_cast<std::size_t>(value.raw().data() - rest.data());
    text.append(rest.substr(0, before)).append(std::to_string(*integer));
    rest.remove_prefix(before + value.raw().size());
  }
  return text.append(rest);
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
  std::string text = with_plain_integers(operation, view);
  if (text == view.raw()) return fail(std::move(valid).error());
  respelled = std::move(text);
  HOLDFAST_TRY(validate(operation, JsonView(respelled)));
  return JsonView(respelled);
}

}  // namespace holdfast::inline v1
