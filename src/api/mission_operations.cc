// mission.*: the goals of a project's agents; one is active at a time.
#include "api/tables.h"
#include "api/typed_records.h"
#include "rules/runs/missions.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> set(Call& call) {
  if (call.text("text").empty()) return fail(Code::invalid_argument, "mission.set: text must not be empty");
  HOLDFAST_LET(store, call.store());
  const MissionStart request{call.project(), call.text("text"), call.json("agents")};
  HOLDFAST_LET(mission, set_mission(call.context, *store, request));
  return answer_record("mission", json_of(mission));
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(mission, get_mission(call.context, *store, call.project()));
  return answer_record("mission", json_of(mission));
}

Result<std::string> clear(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(cleared, clear_mission(call.context, *store, call.project()));
  return begin_answer().key("cleared").boolean(cleared).end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(missions, list_missions(call.context, *store, call.project()));
  return answer_records(call, "missions", missions);
}

}  // namespace

std::span<const Operation> mission_operations() {
  static const std::vector<Operation> all{
      {.method = "mission.set",
       .help = "set the mission of a project; the previous one stays in the history",
       .use = Use::create,
       .parameters = {{.name = "text", .help = "what to achieve", .required = true, .positional = true},
                      project_parameter(true),
                      {.name = "agents",
                       .help = "[{\"id\", \"idle_prompt\", \"idle_interval_secs\"}]",
                       .type = ParamType::array,
                       .shape = "given_agent"}},
       .result = "mission:mission",
       .handler = set,
       .aliases = {"set_mission"},
       .example = "mission set \"All tests green\" --project ."},
      {.method = "mission.get",
       .help = "show the active mission of a project",
       .parameters = {project_parameter(true)},
       .result = "mission:mission",
       .handler = get,
       .aliases = {"get_mission"},
       .example = "mission get --project ."},
      {.method = "mission.clear",
       .help = "end the active mission of a project; it stays in the history",
       .use = Use::write,
       .parameters = {project_parameter(true)},
       .result = "cleared:boolean",
       .handler = clear,
       .aliases = {"clear_mission"},
       .example = "mission clear --project ."},
      {.method = "mission.list",
       .help = "list the missions of a project, newest first",
       .parameters = {project_parameter(true), limit_parameter(), skip_parameter()},
       .result = "missions:mission[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .aliases = {"list_missions"},
       .example = "mission list --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
