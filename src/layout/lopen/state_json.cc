#include "layout/lopen/state_json.h"

#include <algorithm>
#include <array>

#include "layout/json_pick.h"
#include "model/time_formats.h"
#include "text/json_scan.h"
#include "text/json_write.h"
#include "text/utf8.h"

namespace holdfast::inline v1::lopen {
namespace {

std::string text_of(const JsonObject& json, std::string_view key) { return json.find(key).as_string().value_or(""); }

Failure wrong(std::string_view what) { return fail(Code::corrupt, std::string(what)); }

Result<JsonObject> read_object(std::string_view bytes) {
  if (auto object = JsonObject::read(std::string(bytes)); object && utf8_fault(bytes) == std::string_view::npos)
    return std::move(*object);
  if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos) return wrong("the file is empty");
  const JsonCheck check = check_json(without_bom(bytes));
  if (!check.ok())
    return wrong("not JSON: " + std::string(json_fault_name(check.fault)) + " at byte " + std::to_string(check.at));
  return wrong("not a JSON object");
}

Result<void> is_text(JsonView value, std::string_view key) {
  if (!value) return wrong("the key " + std::string(key) + " is missing");
  if (value.kind() != JsonKind::string) return wrong(std::string(key) + " is not a string");
  return {};
}

Result<void> need_text(const JsonObject& json, std::string_view key) { return is_text(json.find(key), key); }

Result<void> need_time(const JsonObject& json, std::string_view key) {
  HOLDFAST_TRY(need_text(json, key));
  if (to_iso_time(text_of(json, key)).empty()) return wrong(std::string(key) + " is not a time");
  return {};
}

Result<void> may_be(JsonView value, std::string_view key, JsonKind kind, std::string_view what) {
  if (!value || value.is_null() || value.kind() == kind) return {};
  return wrong(std::string(key) + " is not a " + std::string(what));
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, JsonView value) {
  return std::ranges::any_of(words, [&](std::string_view word) { return value.is_string(word); });
}

Result<void> check_nodes(JsonView nodes, int depth) {
  constexpr std::array<std::string_view, 4> kStates = {"Pending", "InProgress", "Complete", "Failed"};
  constexpr std::array<std::string_view, 4> kTypes = {"module", "component", "task", "subtask"};
  constexpr std::array<std::string_view, 5> kKeys = {"id", "name", "state", "node_type", "children"};
  if (depth > 64) return wrong("task_hierarchy is nested too deeply");
  for (const JsonItem& item : nodes.elements()) {
    if (item.value.kind() != JsonKind::object) return wrong("a node of task_hierarchy is not an object");
    const auto values = pick(item.value, kKeys);
    for (std::size_t at = 0; at < 4; ++at) HOLDFAST_TRY(is_text(values[at], kKeys[at]));
    if (!is_one_of(kStates, values[2])) return wrong("not a task state: " + text_of(values[2]));
    if (!is_one_of(kTypes, values[3])) return wrong("not a node_type: " + text_of(values[3]));
    HOLDFAST_TRY(may_be(values[4], kKeys[4], JsonKind::array, "list"));
    HOLDFAST_TRY(check_nodes(values[4], depth + 1));
  }
  return {};
}

// Sessions hold references and names, never content: one line each (L23).
Result<void> check_plain(std::string_view key, JsonView value) {
  if (value.kind() == JsonKind::string) {
    const std::string text = *value.as_string();
    if (text.size() > 4096 || text.find_first_of("\r\n") != std::string::npos)
      return fail(Code::invalid_argument,
                  std::string(key) + " must be a name or a reference: one line of at most 4096 bytes");
    return {};
  }
  for (const JsonItem& item : value.elements()) HOLDFAST_TRY(check_plain(key, item.value));
  for (const JsonItem& item : value.fields()) HOLDFAST_TRY(check_plain(key, item.value));
  return {};
}

Result<void> check_request(JsonView request) {
  constexpr std::array<std::string_view, 8> kKnown = {"module",      "component", "phase",     "step",
                                                      "models_used", "project",   "resources", "task_hierarchy"};
  constexpr std::array<std::string_view, 3> kLists = {"specs", "research", "plans"};
  for (const JsonItem& item : request.fields()) {
    const std::string key = item.key();
    if (std::ranges::find(kKnown, key) == kKnown.end())
      return fail(Code::invalid_argument, "a session of layout lopen cannot hold " + key);
    HOLDFAST_TRY(check_plain(key, item.value));
  }
  for (const JsonItem& item : request.find("resources").fields()) {
    if (std::ranges::find(kLists, item.key()) == kLists.end() || item.value.kind() != JsonKind::array)
      return fail(Code::invalid_argument, "resources are lists of specs, research and plans, not " + item.key());
  }
  return {};
}

}  // namespace

bool is_null_document(std::string_view bytes) { return bytes.size() < 64 && JsonView(bytes).is_null(); }

Result<JsonObject> check_state(std::string_view bytes) {
  HOLDFAST_LET(state, read_object(bytes));
  for (const std::string_view key : {"session_id", "phase", "step", "module"}) HOLDFAST_TRY(need_text(state, key));
  HOLDFAST_TRY(need_time(state, "created_at"));
  HOLDFAST_TRY(need_time(state, "updated_at"));
  const auto optional = [&](std::string_view key, JsonKind kind, std::string_view what) {
    return may_be(state.find(key), key, kind, what);
  };
  HOLDFAST_TRY(optional("component", JsonKind::string, "string"));
  if (const JsonView done = state.find("is_complete"); done && done.kind() != JsonKind::boolean)
    return wrong("is_complete is neither true nor false");
  HOLDFAST_TRY(optional("models_used", JsonKind::array, "list"));
  HOLDFAST_TRY(optional("last_task_completion_commit_sha", JsonKind::string, "string"));
  HOLDFAST_TRY(optional("task_hierarchy", JsonKind::array, "list"));
  HOLDFAST_TRY(check_nodes(state.find("task_hierarchy"), 0));
  return state;
}

Result<void> check_metrics(std::string_view bytes) {
  HOLDFAST_LET(metrics, read_object(bytes));
  HOLDFAST_TRY(need_text(metrics, "session_id"));
  HOLDFAST_TRY(need_time(metrics, "updated_at"));
  for (const std::string_view key :
       {"cumulative_input_tokens", "cumulative_output_tokens", "premium_request_count", "iteration_count"}) {
    if (const JsonView value = metrics.find(key); value && !value.as_int64())
      return wrong(std::string(key) + " is not an integer");
  }
  const JsonView iterations = metrics.find("iterations");
  HOLDFAST_TRY(may_be(iterations, "iterations", JsonKind::array, "list"));
  for (const JsonItem& item : iterations.elements()) {
    if (item.value.kind() != JsonKind::object) return wrong("an iteration is not an object");
  }
  return {};
}

SessionFacts facts_of_state(const JsonObject& state) {
  SessionFacts facts;
  facts.title = text_of(state, "module");
  if (const std::string component = text_of(state, "component"); !component.empty()) facts.title += "/" + component;
  facts.project = text_of(state, "project");
  facts.created_at = text_of(state, "created_at");
  facts.updated_at = text_of(state, "updated_at");
  facts.status = state.find("is_complete").as_bool().value_or(false) ? Status::complete : Status::active;
  for (const JsonItem& model : state.find("models_used").elements()) facts.model = model.value.as_string().value_or("");
  JsonWriter json;
  json.begin_object();
  for (const std::string_view key : {"phase", "step", "module", "component"}) {
    if (const JsonView value = state.find(key)) json.key(key).raw(value.raw());
  }
  facts.metadata = json.end_object().take();
  return facts;
}

Result<std::string> new_state(const SessionName& name, const SessionDraft& draft,
                              std::chrono::system_clock::time_point now) {
  const JsonView request(draft.metadata);
  HOLDFAST_TRY(check_request(request));
  const auto text = [&](std::string_view key, std::string_view fallback) {
    return request.find(key).as_string().value_or(std::string(fallback));
  };
  const std::string time = format_dotnet_time(now);
  JsonWriter json;
  json.begin_object().key("session_id").string(name.id());
  json.key("phase").string(text("phase", kFirstPhase)).key("step").string(text("step", kFirstStep));
  json.key("module").string(text("module", name.module)).key("component");
  if (const auto component = request.find("component").as_string())
    json.string(*component);
  else
    json.null();
  json.key("created_at").string(time).key("updated_at").string(time).key("is_complete").boolean(false);
  if (const JsonView models = request.find("models_used"); models.kind() == JsonKind::array)
    json.key("models_used").raw(models.raw());
  else if (!draft.model.empty())
    json.key("models_used").begin_array().string(draft.model).end_array();
  if (const JsonView tasks = request.find("task_hierarchy"); tasks && !tasks.is_null())
    json.key("task_hierarchy").raw(tasks.raw());
  if (const std::string project = text("project", draft.project); !project.empty()) json.key("project").string(project);
  if (const JsonView resources = request.find("resources"); resources.kind() == JsonKind::object)
    json.key("resources").raw(resources.raw());
  std::string bytes = json.end_object().take();
  if (auto whole = check_state(bytes); !whole) return fail(Code::invalid_argument, whole.error().message);
  return bytes;
}

}  // namespace holdfast::inline v1::lopen
