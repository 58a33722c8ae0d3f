// agent.*, skill.*: specifications of agents, their skills, and what a project
// overrides for one of them.
#include "api/records.h"
#include "api/tables.h"
#include "rules/runs/agents.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(agents, list_agents(call.context, *store));
  return answer_records(call, "agents", agents);
}

Result<std::string> skills(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, list_skills(call.context, *store));
  return answer_records(call, "skills", found);
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(record, get_agent_override(call.context, *store, call.project(), call.text("id")));
  return answer_record("override", record);
}

Result<std::string> set(Call& call) {
  HOLDFAST_LET(store, call.store());
  AgentOverride request;
  request.idle_prompt = call.maybe_text("idle_prompt");
  if (call.has("idle_interval_secs")) request.idle_interval_secs = call.integer("idle_interval_secs", 0);
  HOLDFAST_LET(record, set_agent_override(call.context, *store, call.project(), call.text("id"), request));
  return answer_record("override", record);
}

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(remove_agent_override(call.context, *store, call.project(), call.text("id")));
  return answer_deleted(call.text("id"));
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(get_agent_override(call.context, *store, call.project(), call.text("id")));
  return "delete the overrides of the project " + call.project() + " for the agent " + call.text("id");
}

}  // namespace

std::span<const Operation> agent_operations() {
  static const Parameter id = record_id_parameter("id of the agent");
  static const std::vector<Operation> all{
      {.method = "agent.list",
       .help = "list the agents of a store",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "agents:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "agent list"},
      {.method = "agent.get",
       .help = "show what a project overrides for an agent",
       .parameters = {id, project_parameter(true)},
       .result = "override:record",
       .handler = get,
       .example = "agent get coder --project ."},
      {.method = "agent.set",
       .help = "override settings of an agent in a project; the rest stays",
       .use = Use::create,
       .parameters = {id,
                      project_parameter(true),
                      {.name = "idle_prompt", .help = "prompt to send when it is idle"},
                      {.name = "idle_interval_secs",
                       .help = "seconds between two prompts",
                       .type = ParamType::integer,
                       .least = 1}},
       .result = "override:record",
       .handler = set,
       .example = "agent set coder --project . --idle-prompt \"Keep going\""},
      {.method = "agent.remove",
       .help = "delete a project's overrides for an agent",
       .use = Use::write,
       .parameters = {id, project_parameter(true)},
       .result = "id:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .example = "agent remove coder --project . --yes"},
      {.method = "skill.list",
       .help = "list the skills of a store",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "skills:record[] total:integer next:integer? findings:finding[]",
       .handler = skills,
       .example = "skill list"},
  };
  return all;
}

}  // namespace holdfast::inline v1
