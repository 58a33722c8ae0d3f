// Session resume: corrects what the read protocol found stale.
#include "base/safe_name.h"
#include "base/time.h"
#include "rules/initiative/phases.h"
#include "rules/initiative/status_yaml.h"
#include "rules/initiative/two_layer.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

void say(JsonWriter& json, std::string_view key, const std::string& value) {
  if (!value.empty()) json.key(key).string(value);
}

Result<bool> correct_initiative(LayerDraft& draft, std::string_view ours, std::string_view date) {
  JsonWriter fields;
  fields.begin_object();
  say(fields, "status", text_in(ours, "status"));
  say(fields, "current_milestone", text_in(ours, "current_milestone"));
  HOLDFAST_TRY(draft.patch("initiative", {}, fields.key("last_updated").string(date).end_object().take()));
  return true;
}

// Returns false if there is nothing to correct: a file of steps without such a milestone.
Result<bool> correct_status(LayerDraft& draft, std::string_view ours, const std::string& date) {
  const std::string name = text_in(ours, "name");
  const std::string id = is_plain_name(name) ? name : "_";
  HOLDFAST_LET(yaml, draft.bytes("workflow_status", id));
  StatusChange change{.now = date};
  if (const std::string status = text_in(ours, "status"); !status.empty()) change.status = status;
  if (const std::string milestone = text_in(ours, "current_milestone"); !milestone.empty())
    change.milestone = milestone;
  HOLDFAST_LET(edited, update_status(yaml.value_or(""), change));
  if (edited == yaml) return false;
  HOLDFAST_TRY(draft.put("workflow_status", id, std::move(edited)));
  return true;
}

// Rewrites initiative.json from the other sources.
Result<void> make_checkpoint(LayerDraft& draft, std::string_view ours, std::string_view now) {
  HOLDFAST_TRY(draft.remove("initiative"));
  JsonWriter fields;
  fields.begin_object();
  for (const std::string_view key : {"name", "status", "current_milestone", "progress", "next_action"}) {
    const JsonView value = JsonView(ours).find(key);
    if (value) fields.key(key).raw(value.raw());
  }
  if (!JsonView(ours).find("status")) fields.key("status").string("created");
  return draft.patch("initiative", {}, fields.key("last_updated").string(now).end_object().take());
}

}  // namespace

Result<ResumedInitiative> resume_initiative(const Context& context, Store& store, std::string_view project,
                                            std::string_view context_json, bool checkpoint) {
  ResumedInitiative resumed;
  HOLDFAST_LET(outcome, write_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
                 resumed.corrections.clear();
                 HOLDFAST_LET(view, view_layers(draft, context_json));
                 resumed.view = std::move(view);
                 const auto corrected = [&](std::string_view stale) {
                   resumed.corrections.push_back("Sync corrected: " + std::string(stale) + " updated to match " +
                                                 resumed.view.source);
                 };
                 const std::string now = iso8601(context.clock->now());
                 const std::string& ours = resumed.view.initiative;
                 std::string date = text_in(ours, "last_updated");
                 if (date.empty()) date = now;
                 for (const std::string& stale : resumed.view.stale) {
                   if (stale != kInitiativeSource && stale != kStatusSource) continue;  // the caller's own context
                   HOLDFAST_LET(changed, stale == kInitiativeSource ? correct_initiative(draft, ours, date)
                                                                    : correct_status(draft, ours, date));
                   if (changed) corrected(stale);
                 }
                 const auto record = draft.record("initiative");
                 if (checkpoint && (!record || !*record) && !text_in(ours, "name").empty()) {
                   HOLDFAST_TRY(make_checkpoint(draft, ours, now));
                   corrected(kInitiativeSource);
                 }
                 return end_expired_workflow(draft);
               }));
  resumed.outcome = std::move(outcome);
  return resumed;
}

}  // namespace holdfast::inline v1
