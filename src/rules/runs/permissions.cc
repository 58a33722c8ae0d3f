#include "rules/runs/permissions.h"

#include <algorithm>

#include "store/engine.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

Result<RecordKey> key_of(Store& store, std::string_view project) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(shape, shape_of_kind(files->layout(), "permission"));
  if (shape->per_project() && project.empty())  // without one, a look would return those of all projects
    return fail(Code::invalid_argument, "a permission needs a project");
  return RecordKey{"permission", std::string(project), {}};
}

Result<std::vector<std::string>> tools_in(const RecordList& list) {
  if (!list.findings.empty())
    return fail(Code::corrupt, "the permissions cannot be read: " + list.findings.front().consequence,
                list.findings.front().file);
  std::vector<std::string> tools;
  if (list.records.empty()) return tools;
  for (const JsonItem& item : JsonView(list.records.front()).find("tool_allows").elements()) {
    if (auto tool = item.value.as_string()) tools.push_back(std::move(*tool));
  }
  return tools;
}

std::string spell(const std::vector<std::string>& tools) {
  return JsonWriter().begin_object().key("tool_allows").strings(tools).end_object().take();
}

}  // namespace

Result<std::vector<std::string>> allowed_tools(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(key, key_of(store, project));
  HOLDFAST_LET(list, store.list_records(context, key));
  return tools_in(list);
}

Result<void> allow_tool(const Context& context, Store& store, std::string_view project, std::string_view tool) {
  if (tool.empty()) return fail(Code::invalid_argument, "no tool given");
  HOLDFAST_LET(key, key_of(store, project));
  return store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(list, look(key));
    HOLDFAST_LET(tools, tools_in(list));
    if (std::ranges::find(tools, tool) != tools.end()) return Edits();
    tools.emplace_back(tool);
    return Edits{{RecordEdit::Kind::put, key, spell(tools)}};
  });
}

Result<bool> revoke_tool(const Context& context, Store& store, std::string_view project, std::string_view tool) {
  HOLDFAST_LET(key, key_of(store, project));
  bool was = false;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(list, look(key));
    HOLDFAST_LET(tools, tools_in(list));
    was = std::erase(tools, tool) != 0;
    if (!was) return Edits();
    return Edits{{RecordEdit::Kind::put, key, spell(tools)}};
  }));
  return was;
}

}  // namespace holdfast::inline v1
