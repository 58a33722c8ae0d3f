// initiative.*: work over several milestones, kept in two layers.
#include "api/dry_run.h"
#include "api/layers.h"
#include "api/shape.h"
#include "api/tables.h"
#include "rules/initiative/two_layer.h"
#include "rules/initiative/workflow_archive.h"
#include "rules/initiative/workflow_view.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kEvent = "initiative:record revision:string persisted:boolean warnings:string[]";
constexpr std::string_view kView =
    "source:string initiative:record enriched:object sources:layer_source[] stale:string[] active:string[] "
    "warnings:string[] revision:string";

Result<std::string> answer_event(Result<InitiativeState> state) {
  if (!state) return fail(std::move(state).error());
  JsonWriter json = begin_answer();
  json.key("initiative").raw(json_of(state->initiative)).key("revision").string(state->revision);
  write_outcome(json, state->outcome);
  return json.end_object().take();
}

void write_view(JsonWriter& json, const LayerView& view) {
  json.key("source").string(view.source).key("initiative").raw(view.initiative).key("enriched").raw(view.enriched);
  json.key("sources").begin_array();
  for (const LayerSource& source : view.sources) {
    json.begin_object().key("name").string(source.name).key("there").boolean(source.fields != "{}");
    json.key("fields").raw(source.fields);
    if (!source.fault.empty()) json.key("fault").string(source.fault);
    json.end_object();
  }
  json.end_array();
  json.key("stale").strings(view.stale);
  json.key("active").strings(view.active);
  json.key("revision").string(view.revision);
}

Result<std::string> create(Call& call) {
  HOLDFAST_LET(store, call.store_of("initiative"));
  InitiativeStart start{call.text("name"), {}, call.flag("force")};
  const std::string given = call.json("milestones");
  const JsonView milestones(given);
  if (std::string fault = given.empty() ? "" : fault_in("milestones", "string[]", milestones); !fault.empty())
    return fail(Code::invalid_argument, "initiative.create: " + fault);
  for (const JsonItem& item : milestones.elements()) start.milestones.push_back(item.value.as_string().value_or(""));
  return answer_event(create_initiative(call.context, *store, start, event_of(call)));
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(view, read_initiative(call.context, *store, call.project(), call.json("context")));
  JsonWriter json = begin_answer();
  write_view(json, view);
  json.key("warnings").strings(view.warnings);
  return json.end_object().take();
}

Result<std::string> resume(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(resumed,
               resume_initiative(call.context, *store, call.project(), call.json("context"), call.flag("checkpoint")));
  JsonWriter json = begin_answer();
  write_view(json, resumed.view);
  std::vector<std::string> warnings = resumed.view.warnings;
  warnings.insert(warnings.end(), resumed.outcome.warnings.begin(), resumed.outcome.warnings.end());
  json.key("warnings").strings(warnings);
  json.key("corrections").strings(resumed.corrections);
  json.key("persisted").boolean(resumed.outcome.persisted);
  return json.end_object().take();
}

Result<std::string> start(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_event(start_milestone(call.context, *store, call.text("milestone"), event_of(call)));
}

Result<std::string> task(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_event(complete_task(call.context, *store, call.text("task"), event_of(call)));
}

Result<std::string> milestone(Call& call) {
  HOLDFAST_LET(store, call.store());
  const MilestoneCompletion done{call.text("milestone"), call.text("next"), call.text("notes")};
  return answer_event(complete_milestone(call.context, *store, done, event_of(call)));
}

Result<std::string> status(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_event(set_initiative_status(call.context, *store, call.text("status"), event_of(call)));
}

Result<std::string> update(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_event(update_initiative(call.context, *store, call.json("fields"), event_of(call)));
}

Result<std::string> archive(Call& call) {
  HOLDFAST_LET(store, call.store());
  ArchiveRequest request;
  request.outcome = call.text("outcome");
  request.summary = call.text("summary");
  if (call.has("workflow")) request.workflow = call.text("workflow");
  HOLDFAST_LET(archived, archive_initiative(call.context, *store, request, event_of(call)));
  JsonWriter json = begin_answer();
  json.key("name").string(archived.name).key("path").string(archived.path);
  json.key("summary").string(archived.summary).key("line").string(archived.line);
  write_outcome(json, archived.outcome);
  return json.end_object().take();
}

Result<std::string> would_archive(Call& call) {
  HOLDFAST_TRY(rehearse(call));  // nobody is asked about an initiative that does not exist or is not completed
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(view, read_initiative(call.context, *store, call.project()));
  const std::string name = JsonView(view.initiative).find("name").as_string().value_or("");
  return "write a summary of the initiative " + name + " and remove its folder and its state";
}

Result<std::string> context(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(view, view_workflow(call.context, *store, call.project()));
  JsonWriter json = begin_answer();
  const JsonView fields(view);
  for (const JsonItem& field : fields.fields()) json.key(field.key()).raw(field.value.raw());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> initiative_operations() {
  static const Parameter known{.name = "context",
                               .help =
                                   "what the conversation knows: {\"name\", \"status\", \"current_milestone\", "
                                   "\"last_updated\", ...}",
                               .type = ParamType::object};
  static const std::vector<Operation> all{
      {.method = "initiative.create",
       .help = "start an initiative: state file and WORKFLOW-STATUS.yaml",
       .use = Use::create,
       .parameters = with_event_parameters(
           {{.name = "name", .help = "name of the initiative and of its folder", .required = true, .positional = true},
            {.name = "milestones",
             .help = "keys of the milestones, in order: [\"M1\", \"M2\"]",
             .type = ParamType::array,
             .shape = "string"},
            {.name = "force",
             .help = "replace an initiative that is in progress, or completed and not archived",
             .type = ParamType::boolean}}),
       .result = kEvent,
       .errors = {Code::already_exists},
       .handler = create,
       .example = "initiative create login --milestones '[\"M1\",\"M2\"]'"},
      {.method = "initiative.get",
       .help = "show the initiative, which source it was read from and what the others add",
       .parameters = {layer_project_parameter(), known},
       .result = kView,
       .handler = get,
       .example = "initiative get"},
      {.method = "initiative.resume",
       .help = "show the initiative at the start of a session, and correct files that disagree",
       .use = Use::write,
       .parameters = {layer_project_parameter(),
                      known,
                      {.name = "checkpoint",
                       .help = "rewrite the state file if it is missing or unreadable",
                       .type = ParamType::boolean}},
       .result = "source:string initiative:record enriched:object sources:layer_source[] stale:string[] "
                 "active:string[] warnings:string[] revision:string corrections:string[] persisted:boolean",
       .handler = resume,
       .example = "initiative resume"},
      {.method = "initiative.start",
       .help = "start a milestone",
       .use = Use::write,
       .parameters = with_event_parameters(
           {{.name = "milestone", .help = "key of the milestone", .required = true, .positional = true}}),
       .result = kEvent,
       .handler = start,
       .example = "initiative start M1"},
      {.method = "initiative.task",
       .help = "record a finished task of the current milestone",
       .use = Use::write,
       .parameters =
           with_event_parameters({{.name = "task", .help = "what was done", .required = true, .positional = true}}),
       .result = kEvent,
       .handler = task,
       .example = "initiative task \"tests for login\" --next-action \"review\""},
      {.method = "initiative.milestone",
       .help = "finish a milestone; the next one becomes current",
       .use = Use::write,
       .parameters = with_event_parameters(
           {{.name = "milestone", .help = "key of the milestone (default: the current one)", .positional = true},
            {.name = "next", .help = "key of the next milestone (default: the next one that is not done)"},
            {.name = "notes", .help = "notes for the checkpoint"}}),
       .result = kEvent,
       .handler = milestone,
       .example = "initiative milestone --notes \"as planned\""},
      {.method = "initiative.status",
       .help = "change the status; only valid transitions are allowed",
       .use = Use::write,
       .parameters = with_event_parameters({{.name = "status",
                                             .help = "new status",
                                             .required = true,
                                             .positional = true,
                                             .words = {"created", "in_progress", "blocked", "completed", "archived"}}}),
       .result = kEvent,
       .handler = status,
       .example = "initiative status blocked"},
      {.method = "initiative.update",
       .help = "set fields of the initiative; all others stay",
       .use = Use::write,
       .parameters = with_event_parameters({{.name = "fields",
                                             .help = "fields to set; null removes one",
                                             .type = ParamType::object,
                                             .required = true,
                                             .shape = "given_initiative"}}),
       .result = kEvent,
       .handler = update,
       .example = "initiative update --fields '{\"owner\":\"me\"}'"},
      {.method = "initiative.archive",
       .help = "keep a summary of a completed initiative, remove its folder and state",
       .use = Use::write,
       .parameters = with_event_parameters(
           {{.name = "outcome", .help = "outcome, for MEMORY.md"},
            {.name = "workflow", .help = "the workflow's type in MEMORY.md (default INITIATIVE)"},
            {.name = "summary", .help = "Markdown of at most 79 lines, instead of the generated one"}}),
       .result = "name:string path:string summary:string line:string persisted:boolean warnings:string[]",
       .errors = {Code::already_exists},
       .handler = archive,
       .preview = would_archive,
       .example = "initiative archive --outcome \"all milestones shipped\" --yes"},
      {.method = "initiative.context",
       .help = "show everything known about the workflow",
       .parameters = {layer_project_parameter()},
       .result = "initiative:record source:string warnings:string[] active:string[] workflow:object? "
                 "interview:object? delegations:string[] learnings:string[] text:string",
       .handler = context,
       .example = "initiative context"},
  };
  return all;
}

}  // namespace holdfast::inline v1
