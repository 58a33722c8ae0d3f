// workflow.phase and workflow.state: the state of an APEX, DEBUG, … workflow;
// interview.*, delegation.*: what its skills record.
#include "api/layers.h"
#include "api/records.h"
#include "api/tables.h"
#include "rules/initiative/delegation.h"
#include "rules/initiative/interview.h"
#include "rules/initiative/phases.h"
#include "text/json_integer.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> phase(Call& call) {
  HOLDFAST_LET(store, call.store_of("workflow_state"));
  const PhaseStep step{call.project(),       call.text("workflow"), call.text("completed"), call.text("next"),
                       call.text("context"), call.text("outcome"),  call.text("learning")};
  HOLDFAST_LET(taken, advance_phase(call.context, *store, step));
  JsonWriter json = begin_answer();
  json.key("line").string(taken.line).key("state").raw(JsonView(taken.state).raw());
  write_outcome(json, taken.outcome);
  return json.end_object().take();
}

Result<std::string> state(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(now, read_phases(call.context, *store, call.project()));
  return answer_record("workflow", now);
}

Result<std::string> record(Call& call) {
  HOLDFAST_LET(store, call.store_of("interview"));
  InterviewEntry entry;
  entry.project = call.project();
  entry.skill = call.text("skill");
  const std::string confidence = call.json("confidence"), weights = call.json("weights");
  const JsonView scores(confidence), shares(weights);
  for (const JsonItem& item : scores.fields()) {
    const auto score = json_integer(item.value);
    if (!score) return fail(Code::invalid_argument, "the confidence " + item.key() + " must be a whole number");
    entry.confidence[item.key()] = *score;
  }
  for (const JsonItem& item : shares.fields()) {
    const auto share = item.value.as_double();
    if (!share) return fail(Code::invalid_argument, "the weight of " + item.key() + " must be a number");
    entry.weights[item.key()] = *share;
  }
  entry.questions_asked = call.integer("questions_asked", 0);
  entry.bypassed = call.flag("bypassed");
  entry.skipped = call.flag("skipped");
  entry.skip_reason = call.text("skip_reason");
  entry.learning = call.text("learning");
  HOLDFAST_LET(taken, record_interview(call.context, *store, entry));
  JsonWriter json = begin_answer();
  json.key("interview").raw(taken.entry);
  write_outcome(json, taken.outcome);
  return json.end_object().take();
}

Result<std::string> interviews(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(found, read_interviews(call.context, *store, call.project(), call.text("skill")));
  return answer_record("interview", found);
}

Result<std::string> clear(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(cleared, clear_interviews(call.context, *store, call.project()));
  return begin_answer().key("cleared").boolean(cleared).end_object().take();
}

Result<std::string> delegate(Call& call) {
  HOLDFAST_LET(store, call.store_of("memory"));
  const Delegation request{call.project(), call.text("agent"), call.text("task"), call.text("outcome")};
  HOLDFAST_LET(kept, record_delegation(call.context, *store, request));
  HOLDFAST_TRY(check_remembered(kept.outcome));
  JsonWriter json = begin_answer();
  json.key("line").string(kept.line);
  write_outcome(json, kept.outcome);
  return json.end_object().take();
}

Result<std::string> delegations(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(lines, list_delegations(call.context, *store, call.project()));
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, lines.size());
  const std::size_t count = std::min(page.limit, lines.size() - from);
  JsonWriter json = begin_answer();
  json.key("delegations").begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.string(lines[i]);
  json.end_array();
  write_page(json, page, count, lines.size());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> phase_operations() {
  static const Parameter project = layer_project_parameter();
  static const std::vector<Operation> all{
      {.method = "workflow.phase",
       .help = "end a phase of a workflow and start the next; git-commit and x-archive end the workflow",
       .use = Use::create,
       .parameters = {{.name = "next", .help = "the phase that begins", .required = true, .positional = true},
                      {.name = "completed", .help = "the phase that ended (default: the active one)"},
                      {.name = "workflow", .help = "APEX, ONESHOT, DEBUG, BRAINSTORM, ... (default: the active one)"},
                      {.name = "context",
                       .help = "what the workflow is about, in a few words (default: as in the active one)"},
                      {.name = "outcome", .help = "outcome, for a phase that ends the workflow"},
                      learning_parameter(),
                      project},
       .result = "line:string state:object persisted:boolean warnings:string[]",
       .handler = phase,
       .example = "workflow phase implement --completed plan --context \"login form\""},
      {.method = "workflow.state",
       .help = "show the state of a workflow; it expires after 24 hours",
       .parameters = {project},
       .result = "workflow:object",
       .handler = state,
       .example = "workflow state"},
      {.method = "interview.record",
       .help = "record how confident a skill is that it understood the request",
       .use = Use::create,
       .parameters =
           {{.name = "skill", .help = "name of the skill", .required = true, .positional = true},
            {.name = "confidence",
             .help = "{\"problem_understanding\": 0-100, \"context_completeness\", \"technical_clarity\", "
                     "\"scope_definition\", \"risk_awareness\"}",
             .type = ParamType::object},
            {.name = "weights", .help = "weights of the dimensions (default: all the same)", .type = ParamType::object},
            {.name = "questions_asked", .help = "number of questions asked", .type = ParamType::integer, .least = 0},
            {.name = "bypassed", .help = "the user declined the interview", .type = ParamType::boolean},
            {.name = "skipped", .help = "the interview was skipped", .type = ParamType::boolean},
            {.name = "skip_reason", .help = "why it was skipped"},
            learning_parameter(),
            project},
       .result = "interview:record persisted:boolean warnings:string[]",
       .handler = record,
       .example = "interview record x-plan --confidence '{\"problem_understanding\":80}' --questions-asked 2"},
      {.method = "interview.get",
       .help = "show current interviews, the baseline of the next one, and how many questions it may ask",
       .parameters = {{.name = "skill", .help = "only interviews of this skill", .positional = true}, project},
       .result = "interview:object",
       .handler = interviews,
       .example = "interview get x-plan"},
      {.method = "interview.clear",
       .help = "clear the interviews once they have served their purpose",
       .use = Use::write,
       .parameters = {project},
       .result = "cleared:boolean",
       .handler = clear,
       .example = "interview clear"},
      {.method = "delegation.record",
       .help = "record in MEMORY.md that work was delegated to another agent",
       .use = Use::create,
       .parameters = {{.name = "agent", .help = "the agent that got the task", .required = true},
                      {.name = "task", .help = "what was delegated", .required = true},
                      {.name = "outcome", .help = "outcome of the task"},
                      project},
       .result = "line:string persisted:boolean warnings:string[]",
       .handler = delegate,
       .example = "delegation record --agent tester --task \"unit tests\" --outcome \"found two bugs\""},
      {.method = "delegation.list",
       .help = "list delegated work",
       .parameters = {project, limit_parameter(), skip_parameter()},
       .result = "delegations:string[] total:integer next:integer?",
       .handler = delegations,
       .example = "delegation list"},
  };
  return all;
}

}  // namespace holdfast::inline v1
