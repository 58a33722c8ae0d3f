#include "api/dispatch.h"

#include "api/call.h"
#include "api/guarded.h"

namespace holdfast::inline v1 {
namespace {

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

}  // namespace

Result<std::string> dispatch(const Context& context, Stores& stores, std::string_view method, std::string_view params,
                             const TakeItem& items) {
  return guarded([&]() -> Result<std::string> {
    const Operation* const operation = find_operation(method);
    if (operation == nullptr) return fail(unknown_method(method));
    HOLDFAST_LET(view, checked_params(*operation, params));
    HOLDFAST_TRY(context.check());
    Call call{context, *operation, view, stores};
    if (operation->writes() && call.flag("dry_run")) return dry_run(context, stores, *operation, view);
    if (operation->kind() == OperationKind::stream && !items)
      return fail(Code::unsupported, std::string(method) + " is a stream, and nobody takes its items here");
    if (operation->kind() == OperationKind::list && !operation->own_cursor) HOLDFAST_TRY(check_cursor(call));
    call.items = &items;
    return operation->handler(call);
  });
}

Result<std::string> preview(const Context& context, Stores& stores, const Operation& operation,
                            std::string_view params) {
  return guarded([&]() -> Result<std::string> {
    HOLDFAST_LET(view, checked_params(operation, params));
    Call call{context, operation, view, stores, true};
    return operation.preview == nullptr ? Result<std::string>(std::string(operation.help)) : operation.preview(call);
  });
}

}  // namespace holdfast::inline v1
