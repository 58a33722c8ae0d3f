#include "rules/runs/agents.h"

#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

RecordKey override_of(std::string_view project, std::string_view agent) {
  return {"agent_override", std::string(project), std::string(agent)};
}

}  // namespace

Result<RecordList> list_agents(const Context& context, Store& store) {
  return store.list_records(context, {"agent", {}, {}});
}

Result<RecordList> list_skills(const Context& context, Store& store) {
  return store.list_records(context, {"skill", {}, {}});
}

Result<std::string> set_agent_override(const Context& context, Store& store, std::string_view project,
                                       std::string_view agent, const AgentOverride& request) {
  if (request.idle_interval_secs && *request.idle_interval_secs <= 0)
    return fail(Code::invalid_argument, "idle_interval_secs must be above 0");
  JsonWriter json;
  json.begin_object();
  if (request.idle_prompt) json.key("idle_prompt").string(*request.idle_prompt);
  if (request.idle_interval_secs) json.key("idle_interval_secs").int64(*request.idle_interval_secs);
  const std::string fields = json.end_object().take();
  const RecordKey key = override_of(project, agent);
  const auto plan = [&](const Store::Look& look) -> Result<Edits> {
    Edits edits;
    HOLDFAST_TRY(ensure_project(context, look, project, edits));
    edits.push_back({RecordEdit::Kind::put, key, fields});
    return edits;
  };
  HOLDFAST_TRY(store.edit_records(context, plan));
  return store.get_record(context, key);
}

Result<std::string> get_agent_override(const Context& context, Store& store, std::string_view project,
                                       std::string_view agent) {
  return store.get_record(context, override_of(project, agent));
}

Result<void> remove_agent_override(const Context& context, Store& store, std::string_view project,
                                   std::string_view agent) {
  return store.edit_records(context, [&](const Store::Look&) -> Result<Edits> {
    return Edits{{RecordEdit::Kind::remove, override_of(project, agent), {}}};
  });
}

}  // namespace holdfast::inline v1
