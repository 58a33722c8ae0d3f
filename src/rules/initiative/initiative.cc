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

namespace holdfast::inline v1 {
namespace {

// The fields that an event sets, and its change of WORKFLOW-STATUS.yaml.
struct EventDraft {
  std::string fields = "{}";
  std::optional<StatusChange> status = {};
  bool news = false;  // an event even if no field changes
  std::string warning = {};

  Result<void> set(std::string_view name, std::string_view json) {
    HOLDFAST_LET(edited, json_set(fields, {JsonStep(name)}, json));
    fields = std::move(edited);
    return {};
  }
};
// A rule may change `initiative`, and returns the fields to set.
using EventRule = std::function<Result<EventDraft>(LayerDraft& draft, Initiative initiative)>;

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
  std::string warning;
  HOLDFAST_LET(outcome, write_layers(context, store, event.project, [&](LayerDraft& draft) -> Result<void> {
                 Initiative before;
                 if (may_be_new) {
                   HOLDFAST_LET(bytes, draft.bytes("initiative"));
                   before = parse_record<Initiative>(bytes.value_or("{}"));
                 } else {
                   HOLDFAST_LET(record, current_initiative(draft, event.revision));
                   before = std::move(record);
                 }
                 HOLDFAST_LET(made, rule(draft, std::move(before)));
                 if (event.next_action) HOLDFAST_TRY(made.set("next_action", json_quoted(*event.next_action)));
                 const std::string now = iso8601(context.clock->now());
                 if (made.news || made.fields != "{}") {
                   HOLDFAST_TRY(made.set("last_updated", json_quoted(now)));
                   HOLDFAST_TRY(draft.patch("initiative", {}, made.fields));
                 }
                 HOLDFAST_LET(after, draft.record("initiative"));
                 HOLDFAST_LET(bytes, draft.bytes("initiative"));
                 state.initiative = parse_record<Initiative>(after.value_or("{}"));
                 state.revision = bytes ? revision_of(*bytes) : Revision(kAbsent);
                 if (made.status) {
                   made.status->initiative = state.initiative.name;
                   made.status->now = now;
                   if (event.next_action) made.status->next_action = event.next_action;
                   HOLDFAST_TRY(write_status(draft, state.initiative.name, *made.status));
                 }
                 warning = std::move(made.warning);
                 if (event.learning.empty()) return {};
                 return draft.remember(
                     [&](std::string_view memory) { return with_line(memory, kInitiativePatterns, event.learning); });
               }));
  state.outcome = std::move(outcome);
  if (!warning.empty()) state.outcome.warnings.push_back(std::move(warning));
  return state;
}

// The initiative after a rule; counts as an event even if nothing changed.
EventDraft happened(const Initiative& initiative, std::optional<StatusChange> status, std::string warning = {}) {
  return {changes_in(initiative), std::move(status), true, std::move(warning)};
}

// Returns a warning for a milestone that is not in the list, as it may be misspelled; empty if it is, or if there is no
// list.
std::string if_unlisted(const Initiative& initiative, std::string_view milestone) {
  std::string known;
  for (const JsonItem& item : initiative.progress.view().fields()) {
    if (item.key_is(milestone)) return {};
    known += (known.empty() ? "" : ", ") + item.key();
  }
  if (known.empty()) return {};
  return std::string(milestone) + " is a new milestone of this initiative, which had " + known;
}

Result<void> need(std::string_view what, std::string_view value) {
  if (!value.empty()) return {};
  return fail(Code::invalid_argument, "no " + std::string(what) + " given");
}

// The names from the seed's file are accepted too.
std::string model_name(std::string name) {
  if (name == "currentMilestone") return "current_milestone";
  if (name == "nextAction") return "next_action";
  if (name == "lastUpdated") return "last_updated";
  return name;
}

Result<void> check_progress(JsonView progress) {
  for (const JsonItem& item : progress.fields()) {
    const auto state = item.value.as_string();
    if (!state || (*state != "pending" && *state != "in_progress" && *state != "completed"))
      return fail(Code::invalid_argument, "the progress of " + item.key() +
                                              " must be pending, in_progress or completed, not " +
                                              std::string(item.value.raw().substr(0, 60)));
  }
  return {};
}

}  // namespace

Result<Initiative> current_initiative(LayerDraft& draft, std::string_view revision) {
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
  return parse_record<Initiative>(std::move(*record));
}

Result<InitiativeState> create_initiative(const Context& context, Store& store, const InitiativeStart& start,
                                          const InitiativeEvent& event) {
  if (!is_plain_name(start.name)) return fail(Code::unsafe_path, "not a valid name for an initiative: " + start.name);
  for (const std::string& milestone : start.milestones) HOLDFAST_TRY(need("milestone", milestone));
  return happen(
      context, store, event,
      [&](LayerDraft& draft, const Initiative& before) -> Result<EventDraft> {
        const bool there = before.source != "{}";
        const bool over = before.status == InitiativeStatus::completed || before.status == InitiativeStatus::archived;
        if (there && !start.force && !over) {
          const auto name = JsonView(before.source).find("name").as_string();
          HOLDFAST_LET(place, draft.place("initiative"));
          return fail(Code::already_exists,
                      "an initiative is in progress: " + name.value_or("unreadable") + "; use --force to replace it",
                      place.path);
        }
        // Its progress and checkpoints are not stored anywhere else yet.
        if (there && !start.force && before.status == InitiativeStatus::completed) {
          HOLDFAST_LET(place, draft.place("initiative"));
          return fail(Code::already_exists,
                      "the initiative " + before.name +
                          " is completed but not archived; run holdfast initiative archive to write its summary, or "
                          "use --force to replace it without one",
                      place.path);
        }
        // The folder belongs to the person: no summary contains what is in it.
        std::string warning;
        if (there && before.name != start.name && draft.files().layout().shape("workflow_status") != nullptr) {
          HOLDFAST_LET(status, draft.bytes("workflow_status", before.name));
          HOLDFAST_LET(place, draft.place("workflow_status", before.name));
          if (status)
            warning = "the folder of the initiative " + before.name +
                      " stays, without a summary: " + place.path.substr(0, place.path.rfind('/'));
        }
        if (there) HOLDFAST_TRY(draft.remove("initiative"));
        Initiative made{.name = start.name, .status = InitiativeStatus::created, .progress = {"{}"}};
        for (const std::string& milestone : start.milestones) HOLDFAST_TRY(made.set_progress(milestone, "pending"));
        if (!start.milestones.empty()) made.current_milestone = start.milestones.front();
        return happened(made, StatusChange{.milestone = made.current_milestone, .status = "created"},
                        std::move(warning));
      },
      true);
}

Result<InitiativeState> start_milestone(const Context& context, Store& store, std::string_view milestone,
                                        const InitiativeEvent& event) {
  HOLDFAST_TRY(need("milestone", milestone));
  return happen(context, store, event, [&](LayerDraft&, Initiative initiative) -> Result<EventDraft> {
    if (initiative.status != InitiativeStatus::in_progress) {
      HOLDFAST_TRY(check_status_step(initiative.status.text(), "in_progress"));
      initiative.status = InitiativeStatus::in_progress;
    }
    std::string warning = if_unlisted(initiative, milestone);
    initiative.current_milestone = milestone;
    HOLDFAST_TRY(initiative.set_progress(milestone, "in_progress"));
    return happened(initiative,
                    StatusChange{.milestone = std::string(milestone),
                                 .status = "in_progress",
                                 .step = std::string(milestone),
                                 .step_status = "in_progress"},
                    std::move(warning));
  });
}

Result<InitiativeState> complete_task(const Context& context, Store& store, std::string_view task,
                                      const InitiativeEvent& event) {
  HOLDFAST_TRY(need("task", task));
  return happen(context, store, event, [&](LayerDraft&, Initiative initiative) -> Result<EventDraft> {
    JsonWriter checkpoint;
    checkpoint.begin_object().key("milestone").string(initiative.current_milestone);
    checkpoint.key("lastAction").string(task);
    if (event.next_action) checkpoint.key("nextAction").string(*event.next_action);
    checkpoint.key("timestamp").string(iso8601(context.clock->now())).end_object();
    HOLDFAST_TRY(initiative.add_checkpoint(checkpoint.text()));
    return happened(initiative, std::nullopt);
  });
}

Result<InitiativeState> complete_milestone(const Context& context, Store& store, const MilestoneCompletion& done,
                                           const InitiativeEvent& event) {
  return happen(context, store, event, [&](LayerDraft&, Initiative initiative) -> Result<EventDraft> {
    const std::string milestone = done.milestone.empty() ? initiative.current_milestone : done.milestone;
    HOLDFAST_TRY(need("milestone", milestone));
    // Completing it again is not an event, unless there are new notes.
    if (done.next.empty() && done.notes.empty() && initiative.progress.view().find(milestone).is_string("completed"))
      return EventDraft();
    std::string warning = if_unlisted(initiative, milestone);
    HOLDFAST_TRY(initiative.set_progress(milestone, "completed"));
    const std::string next = done.next.empty() ? initiative.milestone_after(milestone) : done.next;
    JsonWriter checkpoint;
    checkpoint.begin_object().key("milestone").string(milestone);
    checkpoint.key("completedAt").string(iso8601(context.clock->now())).key("notes").string(done.notes).end_object();
    HOLDFAST_TRY(initiative.add_checkpoint(checkpoint.text()));
    StatusChange status{
        .status = std::string(plain_status(initiative.status.text())), .step = milestone, .step_status = "completed"};
    if (!next.empty()) status.milestone = initiative.current_milestone = next;
    return happened(initiative, std::move(status), std::move(warning));
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
    return fail(Code::invalid_argument, "the fields of an initiative must be a JSON object");
  return happen(context, store, event, [&](LayerDraft&, const Initiative& before) -> Result<EventDraft> {
    EventDraft made;
    const JsonView fields(fields_json);
    for (const JsonItem& field : fields.fields()) {
      const std::string name = model_name(field.key());
      if (name == "progress") HOLDFAST_TRY(check_progress(field.value));
      if (name == "name" && !field.value.is_string(before.name))
        return fail(Code::invalid_argument, "an initiative cannot be renamed: its folder has the same name");
      if (name == "last_updated" || JsonView(before.source).find(name).raw() == field.value.raw()) continue;
      if (name == "status") {
        const std::string& from = before.status.text();
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
