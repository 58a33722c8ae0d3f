#include "api/dispatch.h"

#include <exception>
#include <new>

#include "api/call.h"
#include "api/validate.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

Result<JsonView> checked(const Operation& operation, std::string_view params) {
  if (params.size() > kMaxRequest)
    return fail(Code::too_large, "a request has at most " + std::to_string(kMaxRequest) + " bytes");
  if (params.empty()) params = "{}";
  if (const JsonCheck check = check_json(params); !check.ok())
    return fail(Code::invalid_argument, std::string(operation.method) +
                                            ": parameters are not JSON: " + std::string(json_fault_name(check.fault)) +
                                            " at byte " + std::to_string(check.at));
  const JsonView view(params);
  HOLDFAST_TRY(validate(operation, view));
  return view;
}

Result<std::string> dry_run(const Context& context, Stores& stores, const Operation& operation, JsonView params) {
  std::string would(operation.help);
  if (operation.preview != nullptr) {
    Call call{context, operation, params, stores, true};
    HOLDFAST_LET(sentence, operation.preview(call));
    would = std::move(sentence);
  }
  JsonWriter json = begin_answer();
  json.key("dry_run").boolean(true).key("method").string(operation.method).key("would").string(would);
  return json.end_object().take();
}

template <typename Work>
Result<std::string> guarded(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "there is not enough memory for this call");
  } catch (const std::exception& error) {
    return fail(Code::internal, std::string("an exception went astray: ") + error.what());
  }
}

}  // namespace

Result<std::string> dispatch(const Context& context, Stores& stores, std::string_view method, std::string_view params) {
  return guarded([&]() -> Result<std::string> {
    const Operation* const operation = find_operation(method);
    if (operation == nullptr) return fail(unknown_method(method));
    HOLDFAST_LET(view, checked(*operation, params));
    HOLDFAST_TRY(context.check());
    Call call{context, *operation, view, stores};
    if (operation->writes() && call.flag("dry_run")) return dry_run(context, stores, *operation, view);
    return operation->handler(call);
  });
}

Result<std::string> preview(const Context& context, Stores& stores, const Operation& operation,
                            std::string_view params) {
  return guarded([&]() -> Result<std::string> {
    HOLDFAST_LET(view, checked(operation, params));
    Call call{context, operation, view, stores, true};
    return operation.preview == nullptr ? Result<std::string>(std::string(operation.help)) : operation.preview(call);
  });
}

}  // namespace holdfast::inline v1
