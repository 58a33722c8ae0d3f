#include "rules/workflow/workflow.h"

#include <algorithm>

#include "layout/change.h"
#include "layout/record_shape.h"
#include "model/time_formats.h"
#include "rules/workflow/plan_boxes.h"
#include "rules/workflow/retention.h"
#include "rules/workflow/session_documents.h"
#include "rules/workflow/workflow_drift.h"
#include "rules/workflow/workflow_failure.h"
#include "store/engine.h"
#include "store/record_lookup.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

std::string one_field(std::string_view key, std::string_view json) {
  return JsonWriter().begin_object().key(key).raw(json).end_object().take();
}

std::string text_or_null(std::string_view text) { return text.empty() ? "null" : json_quoted(text); }

// Only names and references are accepted (L23).
Result<void> check_line(std::string_view what, std::string_view text) {
  if (text.size() <= 4096 && text.find_first_of("\r\n") == std::string_view::npos) return {};
  return fail(Code::invalid_argument, std::string(what) + " must be one line of at most 4096 bytes");
}

// Adds a text to a list in the state unless it is there already.
Result<void> add_to_list(SessionDocuments& documents, std::string_view key, std::string_view list,
                         std::string_view text) {
  HOLDFAST_TRY(check_line(key, text));
  std::string now(list.empty() ? "[]" : list);
  std::size_t count = 0;
  for (const JsonItem& item : JsonView(now).elements()) {
    if (item.value.is_string(text)) return {};
    ++count;
  }
  HOLDFAST_LET(edited, json_set(now, {JsonStep(count)}, json_quoted(text)));
  return documents.set_state(one_field(key, edited));
}

Result<void> add_resources(SessionDocuments& documents, JsonView request) {
  for (const JsonItem& kind : request.fields()) {
    const std::string name = kind.key();
    if ((name != "specs" && name != "research" && name != "plans") || kind.value.kind() != JsonKind::array)
      return fail(Code::invalid_argument, "resources are lists of specs, research and plans, not " + name);
    for (const JsonItem& item : kind.value.elements()) {
      const auto text = item.value.as_string();
      if (!text) return fail(Code::invalid_argument, "a resource must be a string, a reference");
      HOLDFAST_TRY(check_line("a resource", *text));
      const JsonView resources = documents.state("resources");
      const std::string all(resources ? resources.raw() : std::string_view("{}"));
      std::size_t count = 0;
      bool known = false;
      for (const JsonItem& old : JsonView(all).find(name).elements())
        known = known || old.value.is_string(*text), ++count;
      if (known) continue;
      HOLDFAST_LET(edited, json_set(all, {JsonStep(name), JsonStep(count)}, json_quoted(*text)));
      HOLDFAST_TRY(documents.set_state(one_field("resources", edited)));
    }
  }
  return {};
}

Result<TaskTree> change_tasks(SessionDocuments& documents, const WorkflowEvent& event) {
  TaskTree tree(documents.state("task_hierarchy").raw());
  const std::string before = tree.text();
  for (const NewTask& task : event.new_tasks) HOLDFAST_TRY(tree.add(task));
  for (const TaskRequest& request : event.tasks) HOLDFAST_TRY(tree.set_state(request.task, request.state));
  if (tree.text() != before) HOLDFAST_TRY(documents.set_state(one_field("task_hierarchy", tree.text())));
  return tree;
}

std::int64_t number_in(JsonView json, std::string_view key) { return json.find(key).as_int64().value_or(0); }

// Adds to the stored totals instead of recounting the list: files of older programs
// have totals whose iterations are no longer listed.
Result<void> count_iteration(SessionDocuments& documents, const Iteration& iteration, std::string_view now) {
  if (std::min({iteration.input_tokens, iteration.output_tokens, iteration.context_window_size}) < 0)
    return fail(Code::invalid_argument, "a number of tokens must not be negative");
  const auto before = [&](std::string_view key) { return documents.metrics(key).as_int64().value_or(0); };
  std::int64_t input = 0, output = 0, total = 0;
  if (__builtin_add_overflow(before("cumulative_input_tokens"), iteration.input_tokens, &input) ||
      __builtin_add_overflow(before("cumulative_output_tokens"), iteration.output_tokens, &output) ||
      __builtin_add_overflow(iteration.input_tokens, iteration.output_tokens, &total))
    return fail(Code::invalid_argument, "the number of tokens is too large");
  JsonWriter entry;
  entry.begin_object().key("input_tokens").int64(iteration.input_tokens);
  entry.key("output_tokens").int64(iteration.output_tokens).key("total_tokens").int64(total);
  entry.key("context_window_size").int64(iteration.context_window_size);
  entry.key("is_premium_request").boolean(iteration.premium).end_object();
  std::string list(documents.metrics("iterations").raw());
  if (list.empty() || list == "null") list = "[]";
  const auto count = static_cast<std::size_t>(std::ranges::distance(JsonView(list).elements()));
  HOLDFAST_LET(edited, json_set(list, {JsonStep(count)}, entry.text()));
  JsonWriter fields;
  fields.begin_object().key("session_id").string(documents.ref().id);
  fields.key("cumulative_input_tokens").int64(input).key("cumulative_output_tokens").int64(output);
  fields.key("premium_request_count").int64(before("premium_request_count") + (iteration.premium ? 1 : 0));
  fields.key("iteration_count").int64(before("iteration_count") + 1);
  fields.key("iterations").raw(edited).key("updated_at").string(now).end_object();
  return documents.set_metrics(fields.text());
}

// Returns where the plan of the session's module is; nullopt if there can be none.
Result<std::optional<Place>> plan_place(FileStore& files, Feed& feed, const SessionDocuments& documents) {
  const RecordShape* shape = files.layout().shape("plan");
  const std::string module = documents.module();
  if (shape == nullptr || module.empty()) return std::nullopt;
  const RecordKey key{"plan", documents.state_text("project"), module};
  if (shape->per_project() && key.project.empty()) return std::nullopt;
  if (!is_record_id(files.layout(), *shape, module)) return std::nullopt;  // not a folder name
  HOLDFAST_LET(place, place_of_record(files.layout(), feed, *shape, key));
  return place;
}

Result<std::size_t> tick(FileStore& files, Feed& feed, const SessionDocuments& documents, const TaskTree& tree,
                         Changes& changes) {
  if (tree.changed().empty()) return 0;
  HOLDFAST_LET(place, plan_place(files, feed, documents));
  if (!place) return 0;
  HOLDFAST_LET(plan, feed.document(*place));
  if (!plan) return 0;
  HOLDFAST_LET(ticked, tick_plan(*plan, tree));
  if (ticked.boxes != 0) changes.put(*place, std::move(ticked.text));
  return ticked.boxes;
}

// Uses the number of the iteration, or the next free one.
Result<void> keep_snapshot(Feed& feed, const SessionDocuments& documents, Changes& changes) {
  auto number = static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, documents.metrics("iteration_count").as_int64().value_or(0)));
  while (true) {
    HOLDFAST_LET(taken, feed.stat(documents.history_place(number)));
    if (!taken) break;
    ++number;
  }
  changes.create(documents.history_place(number), documents.snapshot());
  return {};
}

WorkflowView view_of(const SessionDocuments& documents) {
  WorkflowView view;
  view.id = documents.ref().id;
  view.module = documents.module();
  view.step = documents.step();
  view.phase_written = documents.state_text("phase");
  view.step_written = documents.state_text("step");
  view.component = documents.state_text("component");
  view.complete = documents.complete();
  view.created_at = to_iso_time(documents.state_text("created_at"));
  view.updated_at = to_iso_time(documents.state_text("updated_at"));
  view.state = documents.state().raw();
  view.metrics = documents.metrics().raw();
  return view;
}

Result<Changes> changes_of(FileStore& files, DirectoryFeed& feed, SessionDocuments& documents,
                           const WorkflowEvent& event, const std::string& now, std::size_t& boxes) {
  if (documents.complete())
    return fail(Code::invalid_argument, "Session " + documents.ref().id + " is already complete.");
  Changes changes;
  if (event.component) {
    HOLDFAST_TRY(check_line("component", *event.component));
    HOLDFAST_TRY(documents.set_state(one_field("component", text_or_null(*event.component))));
  }
  if (!event.model.empty())
    HOLDFAST_TRY(add_to_list(documents, "models_used", documents.state("models_used").raw(), event.model));
  if (!event.resources.empty()) HOLDFAST_TRY(add_resources(documents, JsonView(event.resources)));
  if (event.commit_sha) {
    HOLDFAST_TRY(check_line("commit", *event.commit_sha));
    HOLDFAST_TRY(documents.set_state(one_field("last_task_completion_commit_sha", text_or_null(*event.commit_sha))));
  }
  HOLDFAST_LET(tree, change_tasks(documents, event));
  if (!event.trigger.empty()) {
    HOLDFAST_LET(move, workflow_move(documents.step(), event.trigger));
    HOLDFAST_TRY(documents.set_step(move.to));
    if (move.module_complete) HOLDFAST_TRY(documents.set_complete(true));
  }
  if (event.complete) HOLDFAST_TRY(documents.set_complete(true));
  if (event.iteration) HOLDFAST_TRY(count_iteration(documents, *event.iteration, now));
  // A repeated step (TaskIterationComplete) changes nothing but is still a save.
  if (documents.changed() || event.pause || !event.trigger.empty())
    HOLDFAST_TRY(documents.set_state(one_field("updated_at", json_quoted(now))));
  documents.put_into(changes);
  HOLDFAST_LET(ticked, tick(files, feed, documents, tree, changes));
  boxes = ticked;
  if (event.iteration && event.history) HOLDFAST_TRY(keep_snapshot(feed, documents, changes));
  return changes;
}

}  // namespace

Result<WorkflowView> get_workflow(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed = files->looking(context);
  HOLDFAST_LET(ref, files->resolve(context, feed, id, Naming::prefix));
  HOLDFAST_LET(documents, SessionDocuments::load(files->layout(), feed, ref));
  WorkflowView view = view_of(documents);
  view.paused = files->paused().why(*files->roots().first(), ref.id).value_or("");
  return view;
}

Result<WorkflowView> save_workflow(const Context& context, Store& store, std::string_view id,
                                   const WorkflowEvent& event) {
  HOLDFAST_LET(files, engine_of(store));
  SessionRef ref;
  {
    DirectoryFeed feed(context, files->roots().directories());
    HOLDFAST_LET(found, files->resolve(context, feed, id));
    ref = std::move(found);
  }
  HOLDFAST_TRY(files->own_leases().check(ref.id));
  WorkflowView view;
  const auto plan = [&](DirectoryFeed& feed) -> Result<Changes> {
    HOLDFAST_LET(documents, SessionDocuments::load(files->layout(), feed, ref));
    documents.hide(files->redactor().request());
    std::size_t boxes = 0;
    HOLDFAST_LET(changes, changes_of(*files, feed, documents, event, format_dotnet_time(context.clock->now()), boxes));
    view = view_of(documents);
    view.boxes = boxes;
    return changes;
  };
  auto saved = save_or_pause(*files, ref.id, [&] { return files->change(context, plan); });
  if (!saved) return fail(std::move(saved).error());
  files->touched(ref);
  record_drift_base(context, *files, view);
  if (view.complete && event.retention != 0) {
    // The session is complete even if old ones could not be pruned.
    if (auto pruned = prune_sessions(context, store, event.retention)) view.pruned = std::move(*pruned);
  }
  return view;
}

std::string workflow_json(const WorkflowView& view) {
  JsonWriter json;
  json.begin_object().key("session").string(view.id).key("module").string(view.module);
  json.key("phase").string(workflow_phase_name(view.step)).key("step").string(workflow_step_name(view.step));
  json.key("step_number").int64(workflow_step_number(view.step)).key("progress");
  json.int64(view.complete ? 100 : workflow_percent(view.step));
  json.key("written").begin_object().key("phase").string(view.phase_written);
  json.key("step").string(view.step_written).end_object().key("component");
  view.component.empty() ? json.null() : json.string(view.component);
  json.key("complete").boolean(view.complete).key("paused");
  view.paused.empty() ? json.null() : json.string(view.paused);
  json.key("created_at").string(view.created_at).key("updated_at").string(view.updated_at);
  const JsonView state(view.state);
  for (const std::string_view key : {"models_used", "task_hierarchy", "resources"}) {
    json.key(key == "task_hierarchy" ? std::string_view("tasks") : key);
    const JsonView value = state.find(key);
    value && !value.is_null() ? json.raw(value.raw()) : json.raw(key == "resources" ? "{}" : "[]");
  }
  json.key("last_commit");
  const auto commit = state.find("last_task_completion_commit_sha").as_string();
  commit ? json.string(*commit) : json.null();
  return json.end_object().take();
}

std::string metrics_json(const WorkflowView& view) {
  const JsonView metrics(view.metrics);
  JsonWriter json;
  json.begin_object().key("session").string(view.id);
  for (const std::string_view key :
       {"cumulative_input_tokens", "cumulative_output_tokens", "premium_request_count", "iteration_count"})
    json.key(key).int64(number_in(metrics, key));
  json.key("iterations");
  const JsonView iterations = metrics.find("iterations");
  iterations.kind() == JsonKind::array ? json.raw(iterations.raw()) : json.raw("[]");
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
