// permission.*: tools that agents may use in a workspace without asking.
#include <algorithm>

#include "api/records.h"
#include "api/tables.h"
#include "rules/runs/permissions.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> allow(Call& call) {
  HOLDFAST_LET(store, call.store_of("permission"));
  HOLDFAST_TRY(allow_tool(call.context, *store, call.project(), call.text("tool")));
  return begin_answer().key("tool").string(call.text("tool")).key("allowed").boolean(true).end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store_of("permission"));
  HOLDFAST_LET(tools, allowed_tools(call.context, *store, call.project()));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, tools.size());
  const std::size_t count = std::min(page.limit, tools.size() - from);
  JsonWriter json = begin_answer();
  json.key("tools").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.string(tools[i]);
  json.end_array();
  write_page(json, page, count, tools.size());
  return json.end_object().take();
}

Result<std::string> revoke(Call& call) {
  HOLDFAST_LET(store, call.store_of("permission"));
  HOLDFAST_LET(was, revoke_tool(call.context, *store, call.project(), call.text("tool")));
  JsonWriter json = begin_answer();
  json.key("tool").string(call.text("tool")).key("allowed").boolean(false).key("was_allowed").boolean(was);
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> permission_operations() {
  static const Parameter tool{.name = "tool", .help = "name of the tool", .required = true, .positional = true};
  static const std::vector<Operation> all{
      {.method = "permission.allow",
       .help = "allow a tool to run without asking",
       .use = Use::create,
       .parameters = {tool, project_parameter(false)},
       .result = "tool:string allowed:boolean",
       .handler = allow,
       .example = "permission allow Bash --project ."},
      {.method = "permission.list",
       .help = "list the tools that are allowed",
       .parameters = {project_parameter(false), limit_parameter(), skip_parameter()},
       .result = "tools:string[] total:integer next:integer?",
       .handler = list,
       .example = "permission list --project ."},
      {.method = "permission.revoke",
       .help = "revoke the permission of a tool",
       .use = Use::write,
       .parameters = {tool, project_parameter(false)},
       .result = "tool:string allowed:boolean was_allowed:boolean",
       .handler = revoke,
       .example = "permission revoke Bash --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
