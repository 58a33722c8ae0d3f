#include "rules/initiative/phases.h"

#include <algorithm>

#include "base/time.h"
#include "model/time_formats.h"
#include "rules/initiative/memory_lines.h"
#include "store/record_text.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::hours kLife{24};

// workflow-state.json in either shape.
struct CurrentWorkflow {
  bool there = false, flat = false;
  std::string bytes = "{}\n";
  std::string type, phase, context;
  std::string touched;  // the newest time in the file
};

void note_time(CurrentWorkflow& now, JsonView value) {
  const std::string iso = to_iso_time(value.as_string().value_or(""));
  now.touched = std::max(now.touched, iso);
}

Result<CurrentWorkflow> workflow_in(LayerDraft& draft) {
  CurrentWorkflow now;
  HOLDFAST_LET(bytes, draft.bytes("workflow_state"));
  if (!bytes) return now;
  HOLDFAST_LET(place, draft.place("workflow_state"));
  const JsonView state(*bytes);
  if (!check_json(without_bom(*bytes)).ok() || state.kind() != JsonKind::object)
    return fail(Code::corrupt, "not a JSON object", place.path);
  now.bytes = *bytes;
  now.there = true;
  now.flat = static_cast<bool>(state.find("phase"));
  const JsonView active = now.flat ? state : state.find("active");
  now.type = active.find("type").as_string().value_or("");
  now.context = active.find("context").as_string().value_or("");
  now.phase = active.find("phase").as_string().value_or("");
  for (const std::string_view key : {"started", "lastUpdated"}) note_time(now, active.find(key));
  const JsonView phases = active.find("phases");
  for (const JsonItem& one : phases.fields()) {
    note_time(now, one.value.find("timestamp"));
    if (one.value.find("status").is_string("in_progress")) now.phase = one.key();
  }
  return now;
}

struct Completion {
  std::string type, context, outcome;
  std::string line() const { return type.empty() ? std::string() : completion_line(type, context, outcome); }
};

// Returns how the last workflow ended, if none is active; members that the file lacks are empty.
std::optional<Completion> last_completion(const CurrentWorkflow& now) {
  if (!now.there || !now.type.empty()) return std::nullopt;
  const JsonView state(now.bytes);
  JsonView last;
  const JsonView history = state.find("history");
  for (const JsonItem& one : history.elements()) last = one.value;
  if (!last) return state.find("lastUpdated") ? std::optional(Completion()) : std::nullopt;
  if (!last.find("end").is_string("completed")) return std::nullopt;
  const auto text = [&](std::string_view key) { return last.find(key).as_string().value_or(""); };
  return Completion{text("type"), text("context"), text("outcome")};
}

// Returns how the workflow has already ended, unless the caller names another one.
std::optional<Completion> ended_before(const PhaseStep& request, const CurrentWorkflow& now) {
  auto last = is_terminal_phase(request.next) ? last_completion(now) : std::nullopt;
  if (!last) return last;
  const bool same = (request.workflow.empty() || request.workflow == last->type) &&
                    (request.context.empty() || on_one_line(request.context) == last->context);
  return same ? last : std::nullopt;
}

bool is_over(const CurrentWorkflow& now, std::chrono::system_clock::time_point time) {
  const auto touched = parse_any_time(now.touched);
  return !now.type.empty() && touched && time - *touched > kLife;
}

class StateEdit {
 public:
  explicit StateEdit(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<void> set(std::initializer_list<JsonStep> path, std::string_view json) {
    HOLDFAST_LET(edited, json_set(bytes_, path, json));
    bytes_ = std::move(edited);
    return {};
  }
  Result<void> drop(std::string_view key) {
    HOLDFAST_LET(edited, json_remove(bytes_, {JsonStep(key)}));
    bytes_ = std::move(edited);
    return {};
  }
  // Moves the active workflow to the history, with its outcome.
  Result<void> end_active(std::string_view how, std::string_view outcome, std::string_view time) {
    const std::string before = bytes_;
    const JsonView active = JsonView(before).find("active");
    if (active.kind() != JsonKind::object) return {};
    std::size_t count = 0;
    const JsonView history = JsonView(before).find("history");
    for ([[maybe_unused]] const JsonItem& one : history.elements()) ++count;
    JsonWriter ended;
    ended.begin_object();
    for (const JsonItem& field : active.fields()) ended.key(field.key()).raw(field.value.raw());
    ended.key("ended").string(time).key("end").string(how);
    if (!outcome.empty()) ended.key("outcome").string(outcome);
    HOLDFAST_TRY(set({JsonStep("history"), JsonStep(count)}, ended.end_object().take()));
    return drop("active");
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

Result<void> set_phases(StateEdit& edit, const PhaseStep& step, std::string_view time) {
  const auto mark = [&](std::string_view phase, std::string_view status) -> Result<void> {
    if (phase.empty()) return {};
    HOLDFAST_TRY(edit.set({"active", "phases", phase, "status"}, json_quoted(status)));
    return edit.set({"active", "phases", phase, "timestamp"}, json_quoted(time));
  };
  HOLDFAST_TRY(mark(step.completed, "completed"));
  if (step.completed == "plan") HOLDFAST_TRY(edit.set({"active", "phases", "plan", "approved"}, "true"));
  return mark(step.next, is_terminal_phase(step.next) ? "completed" : "in_progress");
}

Result<std::string> next_state(const CurrentWorkflow& before, const PhaseStep& step, const std::string& time) {
  StateEdit edit(before.bytes);
  const bool terminal = is_terminal_phase(step.next);
  if (before.flat) {
    if (terminal) {
      for (const std::string_view key : {"type", "phase", "context", "ttl"}) HOLDFAST_TRY(edit.drop(key));
    } else {
      HOLDFAST_TRY(edit.set({"type"}, json_quoted(step.workflow)));
      HOLDFAST_TRY(edit.set({"phase"}, json_quoted(step.next)));
      HOLDFAST_TRY(edit.set({"context"}, json_quoted(step.context)));
    }
    HOLDFAST_TRY(edit.set({"lastUpdated"}, json_quoted(time)));
    return edit.take();
  }
  const bool another = before.type != step.workflow || (!before.context.empty() && before.context != step.context);
  if (!before.type.empty() && another) HOLDFAST_TRY(edit.end_active("replaced", {}, time));
  if (before.type.empty() || another) {
    HOLDFAST_TRY(edit.set({"active", "type"}, json_quoted(step.workflow)));
    HOLDFAST_TRY(edit.set({"active", "started"}, json_quoted(time)));
  }
  if (before.context != step.context || another)
    HOLDFAST_TRY(edit.set({"active", "context"}, json_quoted(step.context)));
  HOLDFAST_TRY(set_phases(edit, step, time));
  if (terminal) HOLDFAST_TRY(edit.end_active("completed", step.outcome, time));
  return edit.take();
}

}  // namespace

Result<void> end_expired_workflow(LayerDraft& draft) {
  if (!draft.holds("workflow_state")) return {};
  auto now = workflow_in(draft);
  if (!now) return {};  // an unreadable file is left for people to examine
  if (!is_over(*now, draft.context().clock->now())) return {};
  HOLDFAST_TRY(draft.remember([&](std::string_view memory) {
    return with_workflow_line(memory, {now->type, now->context, now->phase},
                              "Expired " + now->type + " workflow: no progress for 24 h in " +
                                  (now->phase.empty() ? "its last phase" : now->phase) +
                                  (now->context.empty() ? "" : ", " + now->context));
  }));
  return draft.put("workflow_state", {}, "{}\n");
}

Result<PhaseResult> advance_phase(const Context& context, Store& store, const PhaseStep& request) {
  if (request.next.empty()) return fail(Code::invalid_argument, "no phase to begin given");
  PhaseResult taken;
  HOLDFAST_LET(
      outcome, write_layers(context, store, request.project, [&](LayerDraft& draft) -> Result<void> {
        HOLDFAST_TRY(end_expired_workflow(draft));
        HOLDFAST_LET(before, workflow_in(draft));
        PhaseStep step = request;
        if (const auto ended = ended_before(request, before)) {
          // The same again; a different outcome is a separate completion.
          const bool unnamed = step.workflow.empty() && ended->type.empty();
          if (request.outcome.empty() || unnamed || on_one_line(request.outcome) == on_one_line(ended->outcome)) {
            taken.line = ended->line();
            taken.state = before.bytes;
            return {};
          }
          if (step.workflow.empty()) step.workflow = ended->type;
          if (step.context.empty()) step.context = ended->context;
        }
        if (step.workflow.empty()) step.workflow = type_of_boundary(step.completed, step.next);
        // Another workflow begins, unless the active one has a phase of that name.
        const bool own =
            step.completed == before.phase || JsonView(before.bytes).find("active").find("phases").find(step.completed);
        if (step.workflow.empty() && !own) step.workflow = type_of_opening(step.completed);
        if (step.workflow.empty()) step.workflow = before.type;
        if (step.workflow.empty())
          return fail(Code::invalid_argument,
                      "no workflow given, none is active, and these phases belong to no known workflow");
        step.context = on_one_line(step.context.empty() ? before.context : step.context);
        if (step.context.empty()) return fail(Code::invalid_argument, "no context given: what is the workflow about?");
        // Nothing is known to be done of a workflow other than the active one.
        if (step.completed.empty() && step.workflow == before.type) step.completed = before.phase;
        const bool terminal = is_terminal_phase(step.next);
        if (step.completed.empty() && !terminal)
          return fail(Code::invalid_argument, "no completed phase given, and none is active");
        if (step.outcome.empty()) step.outcome = "done";
        taken.line = terminal ? completion_line(step.workflow, step.context, step.outcome)
                              : phase_line(step.workflow, step.completed, step.next, step.context);
        HOLDFAST_LET(state, next_state(before, step, iso8601(context.clock->now())));
        taken.state = state;
        HOLDFAST_TRY(draft.put("workflow_state", {}, std::move(state)));
        return draft.remember([&](std::string_view memory) {
          std::string now = with_workflow_line(memory, {step.workflow, step.context, step.completed}, taken.line);
          // Another kind of work replaces the active workflow; the same kind continues beside it.
          if (before.type != step.workflow)
            now = without_workflow_line(now, {before.type, before.context, before.phase});
          return step.learning.empty() ? now : with_line(now, kInitiativePatterns, step.learning);
        });
      }));
  taken.outcome = std::move(outcome);
  return taken;
}

Result<std::string> read_phases(const Context& context, Store& store, std::string_view project) {
  std::string answer;
  HOLDFAST_TRY(read_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    HOLDFAST_LET(now, workflow_in(draft));
    const JsonView state(now.bytes);
    const bool over = is_over(now, context.clock->now());
    JsonWriter json;
    json.begin_object().key("active");
    if (now.type.empty() || over) {
      json.null();
    } else {
      json.begin_object().key("type").string(now.type).key("phase").string(now.phase);
      json.key("context").string(now.context).key("last_updated").string(now.touched).end_object();
    }
    json.key("expired").boolean(over).key("history");
    const JsonView history = state.find("history");
    json.raw(history.kind() == JsonKind::array ? history.raw() : std::string_view("[]"));
    answer = json.key("state").raw(state.raw()).end_object().take();
    return {};
  }));
  return answer;
}

}  // namespace holdfast::inline v1
