#include "rules/initiative/initiative.h"

#include "base/safe_name.h"
#include "base/time.h"
#include "rules/initiative/initiative_status.h"
#include "rules/initiative/memory_lines.h"
#include "rules/initiative/status_yaml.h"
#include "store/record_text.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {
namespace {

// The fields that an event sets, and what WORKFLOW-STATUS.yaml learns of it.
struct EventDraft {
  std::string fields = "{}";
  std::optional<StatusChange> status;

  Result<void> set(std::string_view name, std::string_view json) {
    HOLDFAST_LET(edited, json_set(fields, {JsonStep(name)}, json));
    fields = std::move(edited);
    return {};
  }
};
using EventRule = std::function<Result<EventDraft>(LayerDraft& draft, const std::string& initiative)>;

Result<void> write_status(LayerDraft& draft, const std::string& name, const StatusChange& change) {
  if (!draft.holds("workflow_status") || !is_plain_name(name)) return {};
  HOLDFAST_LET(yaml, draft.bytes("workflow_status", name));
  auto now = yaml ? update_status(*yaml, change) : new_status(change);
  if (!now) {
    HOLDFAST_LET(place, draft.place("workflow_status", name));
    return fail(now.error().code, now.error().message, place.path);
  }
  return draft.put("workflow_status", name, std::move(*now));
}

Result<InitiativeState> happen(const Context& context, Store& store, const InitiativeEvent& event,
                               const EventRule& rule, bool may_be_new = false) {
  InitiativeState state;
  HOLDFAST_LET(outcome, write_layers(context, store, event.project, [&](LayerDraft& draft) -> Result<void> {
                 std::string before = "{}";
                 if (may_be_new) {
                   HOLDFAST_LET(bytes, draft.bytes("initiative"));
                   before = bytes.value_or("{}");
                 } else {
                   HOLDFAST_LET(record, current_initiative(draft, event.revision));
                   before = std::move(record);
                 }
                 HOLDFAST_LET(made, rule(draft, before));
                 if (event.next_action) HOLDFAST_TRY(made.set("next_action", json_quoted(*event.next_action)));
                 const std::string now = iso8601(context.clock->now());
                 if (made.fields != "{}") {
                   HOLDFAST_TRY(made.set("last_updated", json_quoted(now)));
                   HOLDFAST_TRY(draft.patch("initiative", {}, made.fields));
                 }
                 HOLDFAST_LET(after, draft.record("initiative"));
                 HOLDFAST_LET(bytes, draft.bytes("initiative"));
                 state.initiative = after.value_or("{}");
                 state.revision = bytes ? revision_of(*bytes) : Revision(kAbsent);
                 if (made.status) {
                   const std::string name = text_in(state.initiative, "name");
                   made.status->initiative = name;
                   made.status->now = now;
                   if (event.next_action) made.status->next_action = event.next_action;
                   HOLDFAST_TRY(write_status(draft, name, *made.status));
                 }
                 if (event.learning.empty()) return {};
                 return draft.remember(
                     [&](std::string_view memory) { return with_line(memory, kInitiativePatterns, event.learning); });
               }));
  state.outcome = std::move(outcome);
  return state;
}

// The milestone after `done` that is not completed yet, in the order of the map.
std::string next_milestone(JsonView progress, std::string_view done) {
  bool behind = false;
  for (const JsonItem& item : progress.fields()) {
    const std::string key = item.key();
    if (behind && !item.value.is_string("completed")) return key;
    behind = behind || key == done;
  }
  for (const JsonItem& item : progress.fields()) {
    if (!item.key_is(done) && !item.value.is_string("completed")) return item.key();
  }
  return {};
}

Result<std::string> progress_with(JsonView initiative, std::string_view milestone, std::string_view state) {
  const JsonView progress = initiative.find("progress");
  const std::string_view before = progress.kind() == JsonKind::object ? progress.raw() : std::string_view("{}");
  return json_set(before, {JsonStep(milestone)}, json_quoted(state));
}

Result<std::string> with_checkpoint(JsonView initiative, std::string_view checkpoint) {
  const JsonView list = initiative.find("checkpoints");
  std::size_t count = 0;
  for ([[maybe_unused]] const JsonItem& one : list.elements()) ++count;
  const std::string_view before = list.kind() == JsonKind::array ? list.raw() : std::string_view("[]");
  return json_set(before, {JsonStep(count)}, checkpoint);
}

Result<void> need(std::string_view what, std::string_view value) {
  if (!value.empty()) return {};
  return fail(Code::invalid_argument, "which " + std::string(what) + "? None is given");
}

}  // namespace

Result<std::string> current_initiative(LayerDraft& draft, std::string_view revision) {
  HOLDFAST_LET(bytes, draft.bytes("initiative"));
  HOLDFAST_LET(place, draft.place("initiative"));
  const std::string found = bytes ? revision_of(*bytes) : std::string(kAbsent);
  if (!revision.empty() && found != revision)
    return fail(Code::conflict,
                "the initiative was changed by somebody else: expected revision " + std::string(revision) + ", found " +
                    found + "; nothing was written",
                place.path);
  HOLDFAST_LET(record, draft.record("initiative"));
  if (!record) return fail(Code::not_found, "there is no initiative", place.path);
  return std::move(*record);
}

Result<InitiativeState> create_initiative(const Context& context, Store& store, const InitiativeStart& start,
                                          const InitiativeEvent& event) {
  if (!is_plain_name(start.name)) return fail(Code::unsafe_path, "not a possible name of an initiative: " + start.name);
  for (const std::string& milestone : start.milestones) HOLDFAST_TRY(need("milestone", milestone));
  return happen(
      context, store, event,
      [&](LayerDraft& draft, const std::string& before) -> Result<EventDraft> {
        const JsonView old(before);
        const std::string status = old.find("status").as_string().value_or("");
        const bool there = old.kind() != JsonKind::object || before != "{}";
        if (there && !start.force && status != "completed" && status != "archived") {
          HOLDFAST_LET(place, draft.place("initiative"));
          return fail(Code::already_exists,
                      "an initiative is under way: " + old.find("name").as_string().value_or("unreadable"), place.path);
        }
        if (there) HOLDFAST_TRY(draft.remove("initiative"));
        EventDraft made;
        JsonWriter progress;
        progress.begin_object();
        for (const std::string& milestone : start.milestones) progress.key(milestone).string("pending");
        HOLDFAST_TRY(made.set("name", json_quoted(start.name)));
        HOLDFAST_TRY(made.set("status", "\"created\""));
        const std::string first = start.milestones.empty() ? "" : start.milestones.front();
        if (!first.empty()) HOLDFAST_TRY(made.set("current_milestone", json_quoted(first)));
        HOLDFAST_TRY(made.set("progress", progress.end_object().take()));
        made.status = StatusChange{.milestone = first, .status = "created"};
        return made;
      },
      true);
}

Result<InitiativeState> start_milestone(const Context& context, Store& store, std::string_view milestone,
                                        const InitiativeEvent& event) {
  HOLDFAST_TRY(need("milestone", milestone));
  return happen(context, store, event, [&](LayerDraft&, const std::string& before) -> Result<EventDraft> {
    EventDraft made;
    const std::string status(plain_status(text_in(before, "status")));
    if (status != "in_progress") {
      HOLDFAST_TRY(check_status_step(status, "in_progress"));
      HOLDFAST_TRY(made.set("status", "\"in_progress\""));
    }
    HOLDFAST_LET(progress, progress_with(JsonView(before), milestone, "in_progress"));
    HOLDFAST_TRY(made.set("current_milestone", json_quoted(milestone)));
    HOLDFAST_TRY(made.set("progress", progress));
    made.status = StatusChange{.milestone = std::string(milestone), .status = "in_progress"};
    made.status->step = milestone;
    made.status->step_status = "in_progress";
    return made;
  });
}

Result<InitiativeState> complete_task(const Context& context, Store& store, std::string_view task,
                                      const InitiativeEvent& event) {
  HOLDFAST_TRY(need("task", task));
  return happen(context, store, event, [&](LayerDraft&, const std::string& before) -> Result<EventDraft> {
    EventDraft made;
    JsonWriter checkpoint;
    checkpoint.begin_object().key("milestone").string(text_in(before, "current_milestone"));
    checkpoint.key("lastAction").string(on_one_line(task));
    if (event.next_action) checkpoint.key("nextAction").string(*event.next_action);
    checkpoint.key("timestamp").string(iso8601(context.clock->now())).end_object();
    HOLDFAST_LET(checkpoints, with_checkpoint(JsonView(before), checkpoint.take()));
    HOLDFAST_TRY(made.set("checkpoints", checkpoints));
    return made;
  });
}

Result<InitiativeState> complete_milestone(const Context& context, Store& store, const MilestoneDone& done,
                                           const InitiativeEvent& event) {
  return happen(context, store, event, [&](LayerDraft&, const std::string& before) -> Result<EventDraft> {
    EventDraft made;
    const std::string milestone = done.milestone.empty() ? text_in(before, "current_milestone") : done.milestone;
    HOLDFAST_TRY(need("milestone", milestone));
    HOLDFAST_LET(progress, progress_with(JsonView(before), milestone, "completed"));
    const std::string next = done.next.empty() ? next_milestone(JsonView(progress), milestone) : done.next;
    JsonWriter checkpoint;
    checkpoint.begin_object().key("milestone").string(milestone);
    checkpoint.key("completedAt").string(iso8601(context.clock->now())).key("notes").string(done.notes).end_object();
    HOLDFAST_LET(checkpoints, with_checkpoint(JsonView(before), checkpoint.take()));
    HOLDFAST_TRY(made.set("progress", progress));
    HOLDFAST_TRY(made.set("checkpoints", checkpoints));
    if (!next.empty()) HOLDFAST_TRY(made.set("current_milestone", json_quoted(next)));
    made.status = StatusChange{.status = std::string(plain_status(text_in(before, "status")))};
    if (!next.empty()) made.status->milestone = next;
    made.status->step = milestone;
    made.status->step_status = "completed";
    return made;
  });
}

Result<InitiativeState> set_initiative_status(const Context& context, Store& store, std::string_view status,
                                              const InitiativeEvent& event) {
  return update_initiative(context, store, JsonWriter().begin_object().key("status").string(status).end_object().take(),
                           event);
}

Result<InitiativeState> update_initiative(const Context& context, Store& store, std::string_view fields_json,
                                          const InitiativeEvent& event) {
  if (!check_json(fields_json).ok() || JsonView(fields_json).kind() != JsonKind::object)
    return fail(Code::invalid_argument, "the fields of an initiative are a JSON object");
  return happen(context, store, event, [&](LayerDraft&, const std::string& before) -> Result<EventDraft> {
    EventDraft made;
    const JsonView fields(fields_json);
    for (const JsonItem& field : fields.fields()) {
      const std::string name = field.key();
      if (name == "name" && !field.value.is_string(text_in(before, "name")))
        return fail(Code::invalid_argument, "an initiative keeps its name: its folder has it too");
      if (name == "last_updated" || JsonView(before).find(name).raw() == field.value.raw()) continue;
      if (name == "status") {
        const std::string from = text_in(before, "status");
        const std::string to = field.value.as_string().value_or("");
        HOLDFAST_TRY(check_status_step(from, to));
        if (plain_status(from) == plain_status(to)) continue;
      }
      HOLDFAST_TRY(made.set(name, field.value.raw()));
    }
    const JsonView changed(made.fields);
    if (changed.find("status") || changed.find("current_milestone")) {
      made.status = StatusChange{.milestone = changed.find("current_milestone").as_string(),
                                 .status = changed.find("status").as_string()};
    }
    return made;
  });
}

}  // namespace holdfast::inline v1
