#include "api/guarded.h"

#include "api/dispatch.h"
#include "api/validate.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

Result<JsonView> checked_params(const Operation& operation, std::string_view params) {
  if (params.size() > kMaxRequest)
    return fail(Code::too_large, "a request must have at most " + std::to_string(kMaxRequest) + " bytes");
  if (params.empty()) params = "{}";
  if (const JsonCheck check = check_json(params); !check.ok())
    return fail(Code::invalid_argument, std::string(operation.method) +
                                            ": parameters are not JSON: " + std::string(json_fault_name(check.fault)) +
                                            " at byte " + std::to_string(check.at));
  const JsonView view(params);
  HOLDFAST_TRY(validate(operation, view));
  return view;
}

}  // namespace holdfast::inline v1
