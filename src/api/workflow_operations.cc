// workflow.*, task.*, metrics.*: the steps, tasks and counts of a session.
#include "api/call.h"
#include "api/find_session.h"
#include "api/settings_of.h"
#include "api/tables.h"
#include "rules/workflow/session_start.h"

namespace holdfast::inline v1 {
namespace {

const Parameter kSession{
    .name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};

// One call may report everything that happened in a step of the work, as a single save.
const std::vector<Parameter> kEvent = {
    {.name = "component", .help = "the component worked on; empty: none"},
    {.name = "commit", .help = "the commit of the last task completed; empty: none"},
    {.name = "model", .help = "a model that was used"},
    {.name = "resources",
     .help = "{\"specs\":[],\"research\":[],\"plans\":[]}: references to add",
     .type = ParamType::object},
    {.name = "input_tokens", .help = "input tokens of a finished iteration", .type = ParamType::integer, .least = 0},
    {.name = "output_tokens", .help = "output tokens of a finished iteration", .type = ParamType::integer, .least = 0},
    {.name = "context_window",
     .help = "context window of a finished iteration",
     .type = ParamType::integer,
     .least = 0},
    {.name = "premium", .help = "the iteration was a premium request", .type = ParamType::boolean},
    {.name = "history",
     .help = "keep a snapshot of each iteration (default: the setting save_iteration_history)",
     .type = ParamType::boolean}};

std::vector<Parameter> with_event(std::vector<Parameter> own) {
  own.insert(own.end(), kEvent.begin(), kEvent.end());
  own.push_back(settings_parameter());
  return own;
}

Result<WorkflowEvent> event_of(const Call& call, Store& store) {
  WorkflowEvent event;
  HOLDFAST_LET(settings, settings_of(call, store));
  if (keeps_only_workflows(store)) event.retention = static_cast<std::size_t>(settings.integer("session_retention"));
  event.component = call.maybe_text("component");
  event.commit_sha = call.maybe_text("commit");
  event.model = call.text("model");
  event.resources = call.json("resources");
  if (call.has("input_tokens") || call.has("output_tokens")) {
    event.iteration = Iteration{call.integer("input_tokens", 0), call.integer("output_tokens", 0),
                                call.integer("context_window", 0), call.flag("premium")};
    event.history = call.flag("history", settings.flag("save_iteration_history"));
  }
  return event;
}

// The subject of the noun comes first.
std::string answer(const Call& call, const WorkflowView& view) {
  JsonWriter json = begin_answer();
  const bool counts = call.operation.noun() == "metrics";
  if (counts) json.key("metrics").raw(metrics_json(view));
  json.key("session").string(view.id).key("workflow").raw(workflow_json(view));
  if (!counts) json.key("metrics").raw(metrics_json(view));
  return json.key("ticked").uint64(view.boxes).key("pruned").strings(view.pruned).end_object().take();
}

constexpr std::string_view kResult = "session:string workflow:workflow metrics:metrics ticked:integer pruned:string[]";

Result<std::string> save(Call& call, const NamedSession& named, const WorkflowEvent& event) {
  HOLDFAST_LET(view, save_workflow(call.context, *named.store, named.id, event));
  // A completed session has no owner. It is complete even if its lease cannot be released.
  if (view.complete) (void)call.stores.release(call.context, *named.store, view.id);
  return answer(call, view);
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(view, get_workflow(call.context, *named.store, named.id));
  return answer(call, view);
}

Result<std::string> advance(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(event, event_of(call, *named.store));
  event.trigger = call.text("trigger");
  return save(call, named, event);
}

Result<std::string> pause(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(event, event_of(call, *named.store));
  event.pause = true;
  return save(call, named, event);
}

Result<std::string> complete(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(event, event_of(call, *named.store));
  event.trigger = "ModuleComplete";
  return save(call, named, event);
}

Result<std::string> record(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(event, event_of(call, *named.store));
  if (!event.iteration) return fail(Code::invalid_argument, "metrics.record needs input_tokens or output_tokens");
  return save(call, named, event);
}

Result<std::string> set_task(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(event, event_of(call, *named.store));
  event.tasks = {{call.text("task"), call.text("state")}};
  event.trigger = call.text("trigger");
  return save(call, named, event);
}

Result<std::string> new_task(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  const std::string id = call.text("id");
  const WorkflowEvent event{
      .new_tasks = {{call.text("parent"), id, call.has("name") ? call.text("name") : id, call.text("type")}}};
  return save(call, named, event);
}

Result<std::string> list_tasks(Call& call) {
  HOLDFAST_LET(named, name_session(call, call.text("session")));
  HOLDFAST_LET(view, get_workflow(call.context, *named.store, named.id));
  const std::vector<TaskNode> nodes = TaskTree(JsonView(view.state).find("task_hierarchy").raw()).nodes();
  const Page page = page_of(call);
  JsonWriter json = begin_answer();
  json.key("session").string(view.id).key("tasks").begin_array();
  std::size_t shown = 0;
  for (std::size_t at = page.skip; at < nodes.size() && shown < page.limit; ++at, ++shown) {
    const TaskNode& node = nodes[at];
    json.begin_object().key("id").string(node.id).key("name").string(node.name).key("state").string(node.state.text());
    json.key("type").string(node.type.text()).key("path").strings(node.ids);
    json.key("children").uint64(node.children).end_object();
  }
  json.end_array();
  write_page(json, page, shown, nodes.size());
  return json.end_object().take();
}

}  // namespace

std::span<const Operation> workflow_operations() {
  static const std::vector<Operation> all{
      {.method = "workflow.get",
       .help = "show the state of a workflow session: step, tasks, counts",
       .parameters = {kSession},
       .result = kResult,
       .handler = get,
       .example = "workflow get @last"},
      {.method = "workflow.advance",
       .help = "fire the trigger that ends a step; triggers of other steps are refused",
       .use = Use::write,
       .parameters = with_event({kSession,
                                 {.name = "trigger",
                                  .help = "SpecApproved, DependenciesDetermined, ComponentsIdentified, "
                                          "ComponentSelected, TasksBrokenDown, TaskIterationComplete, "
                                          "ComponentComplete, ModuleComplete or Assess",
                                  .required = true,
                                  .positional = true}}),
       .result = kResult,
       .handler = advance,
       .example = "workflow advance @last SpecApproved"},
      {.method = "workflow.pause",
       .help = "save the state because the user stops or switches to something else",
       .use = Use::write,
       .parameters = with_event({kSession}),
       .result = kResult,
       .handler = pause,
       .example = "workflow pause @last"},
      {.method = "workflow.complete",
       .help = "fire the trigger ModuleComplete: the module and its session are complete",
       .use = Use::write,
       .parameters = with_event({kSession}),
       .result = kResult,
       .handler = complete,
       .example = "workflow complete @last"},
      {.method = "task.set",
       .help = "change the state of a task; its parents and its checkbox in the plan are updated",
       .use = Use::write,
       .parameters = with_event(
           {kSession,
            {.name = "task",
             .help = "id of the task, or ids from the top joined by /",
             .required = true,
             .positional = true},
            {.name = "state",
             .help = "Pending > InProgress > Complete or Failed, Failed > InProgress",
             .required = true,
             .positional = true,
             .words = {"Pending", "InProgress", "Complete", "Failed", "pending", "in_progress", "complete", "failed"}},
            {.name = "trigger", .help = "a trigger to fire with it"}}),
       .result = kResult,
       .handler = set_task,
       .aliases = {"update_task_status"},
       .example = "task set @last add-jwt Complete"},
      {.method = "task.add",
       .help = "add a task below another; levels: module, component, task, subtask",
       .use = Use::write,
       .parameters = {kSession,
                      {.name = "id", .help = "id of the task", .required = true, .positional = true},
                      {.name = "name", .help = "name, as in the checkbox of the plan (default: its id)"},
                      {.name = "parent", .help = "id of the parent task (default: none)"},
                      {.name = "type",
                       .help = "level of the task (default: the one below its parent)",
                       .words = {"module", "component", "task", "subtask"}}},
       .result = kResult,
       .errors = {Code::already_exists},
       .handler = new_task,
       .example = "task add @last add-jwt --name \"Add JWT validation\" --parent api"},
      {.method = "task.list",
       .help = "list the tasks of a session, each followed by its subtasks",
       .parameters = {kSession, limit_parameter(), skip_parameter()},
       .result = "session:string tasks:task[] total:integer next:integer?",
       .handler = list_tasks,
       .example = "task list @last"},
      {.method = "metrics.record",
       .help = "count the tokens of an iteration",
       .use = Use::write,
       .parameters = with_event({kSession}),
       .result = kResult,
       .handler = record,
       .example = "metrics record @last --input-tokens 1200 --output-tokens 300"},
      {.method = "metrics.get",
       .help = "show what a session has used",
       .parameters = {kSession},
       .result = kResult,
       .handler = get,
       .example = "metrics get @last"},
  };
  return all;
}

}  // namespace holdfast::inline v1
