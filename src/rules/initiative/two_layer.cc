#include "rules/initiative/two_layer.h"

#include <algorithm>
#include <set>

#include "base/safe_name.h"
#include "layout/record_shape.h"
#include "model/time_formats.h"
#include "rules/initiative/initiative_status.h"
#include "rules/initiative/memory_lines.h"
#include "rules/initiative/milestones.h"
#include "rules/initiative/status_yaml.h"
#include "store/record_codec.h"
#include "store/record_text.h"
#include "text/json_edit.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kContext = "context";
constexpr std::string_view kMemory = "MEMORY.md";
constexpr std::string_view kScan = "scan";

void say(JsonWriter& json, std::string_view key, std::string_view value) {
  if (!value.empty()) json.key(key).string(value);
}

std::string status_fields(const StatusFacts& facts) {
  JsonWriter json;
  json.begin_object();
  say(json, "name", facts.initiative);
  say(json, "status", facts.status);
  say(json, "current_milestone", facts.milestone);
  say(json, "phase", facts.phase);
  say(json, "last_updated", to_iso_time(facts.last_updated));
  say(json, "next_action", facts.next_action);
  return json.end_object().take();
}

// Returns the fields that follow from the boxes of a folder.
std::string folder_fields(const MilestoneFolder& folder) {
  JsonWriter progress;
  progress.begin_object();
  std::string current;
  std::size_t done = 0, begun = 0;
  for (const MilestoneFile& milestone : folder.milestones) {
    const std::string_view state = milestone.state();
    progress.key(milestone.key).string(state.empty() ? "pending" : state);
    if (state == "completed") ++done;
    if (milestone.done > 0) ++begun;
    if (state != "completed" && current.empty()) current = milestone.key;
  }
  const bool all = done > 0 && done == folder.milestones.size();
  JsonWriter json;
  json.begin_object().key("name").string(folder.name);
  json.key("status").string(all ? "completed" : begun > 0 ? "in_progress" : "created");
  say(json, "current_milestone", current);
  json.key("progress").raw(progress.end_object().take());
  say(json, "title", folder.title);
  return json.end_object().take();
}

bool is_there(const LayerSource& source) { return source.fields != "{}"; }

std::string status_in(const LayerSource& source) { return std::string(plain_status(text_in(source.fields, "status"))); }

bool differ(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

bool disagree(const LayerSource& a, const LayerSource& b) {
  return differ(status_in(a), status_in(b)) ||
         differ(text_in(a.fields, "current_milestone"), text_in(b.fields, "current_milestone"));
}

// When a source was changed, as it says itself.
struct SaidDate {
  std::optional<std::chrono::system_clock::time_point> time;
  bool invented = false;  // more than a day ahead of the clock: no date at all
};

SaidDate date_in(std::string_view fields, std::chrono::system_clock::time_point now) {
  const auto time = parse_any_time(text_in(fields, "last_updated"));
  return time && *time > now + 24h ? SaidDate{{}, true} : SaidDate{time};
}

void report_odd_dates(const std::vector<const LayerSource*>& sources, std::chrono::system_clock::time_point now,
                      std::vector<std::string>& warnings) {
  for (const LayerSource* source : sources) {
    const std::string said = text_in(source->fields, "last_updated");
    const SaidDate date = date_in(source->fields, now);
    if (said.empty() || date.time) continue;
    warnings.push_back("the date of " + source->name + ", " + said +
                       (date.invented ? ", is in the future" : ", is not a time") + " and is ignored");
  }
}

// Prefers the newest; list order breaks ties and ranks sources without a date. A newer
// date does not reopen a completed initiative. A source with an invented date is worse than any with a real one.
void judge(LayerView& view, std::chrono::system_clock::time_point now) {
  std::vector<const LayerSource*> compared;
  for (const LayerSource& source : view.sources) {
    if (source.name != kMemory && source.name != kScan && is_there(source)) compared.push_back(&source);
  }
  if (compared.empty()) return;
  report_odd_dates(compared, now, view.warnings);
  const LayerSource* winner = compared.front();
  for (const LayerSource* source : compared) {
    const SaidDate ours = date_in(winner->fields, now), theirs = date_in(source->fields, now);
    const bool newer = theirs.time && (ours.time ? *theirs.time > *ours.time : ours.invented);
    if (!disagree(*winner, *source) || !newer) continue;
    if (!check_status_step(status_in(*winner), status_in(*source)) &&
        (status_in(*winner) == "completed" || status_in(*winner) == "archived"))
      continue;
    winner = source;
  }
  view.source = winner->name;
  bool warned = false;
  for (const LayerSource* source : compared) {
    if (source == winner || !disagree(*winner, *source)) continue;
    view.stale.push_back(source->name);
    const auto ours = date_in(winner->fields, now).time, theirs = date_in(source->fields, now).time;
    if (warned || !ours || !theirs || (*ours > *theirs ? *ours - *theirs : *theirs - *ours) <= 5min) continue;
    view.warnings.push_back("Initiative state may be stale — last updated " + time_ago(now - *ours) + " in " +
                            winner->name + ", " + time_ago(now - *theirs) + " in " + source->name);
    warned = true;
  }
}

// Takes the fields of the authoritative source, then those that only the others have, in their order.
Result<void> merge(LayerView& view, std::chrono::system_clock::time_point now) {
  std::vector<const LayerSource*> order;
  for (const LayerSource& source : view.sources) {
    if (source.name == view.source)
      order.insert(order.begin(), &source);
    else if (is_there(source))
      order.push_back(&source);
  }
  if (order.empty()) return {};
  if (view.source.empty()) view.source = order.front()->name;
  std::set<std::string> known;
  JsonWriter merged, enriched;
  merged.begin_object();
  enriched.begin_object();
  const std::string name = text_in(order.front()->fields, "name");
  for (const LayerSource* source : order) {
    // Ignore a source about another initiative.
    if (differ(name, text_in(source->fields, "name"))) continue;
    const JsonView fields(source->fields);
    for (const JsonItem& field : fields.fields()) {
      const std::string key = field.key();
      const bool nothing =
          field.value.is_null() || field.value.is_string("") || field.value.raw() == "{}" || field.value.raw() == "[]";
      if (nothing || (key == "last_updated" && date_in(source->fields, now).invented)) continue;
      if (!known.insert(key).second) continue;
      merged.key(key);
      if (key == "status")
        merged.string(plain_status(field.value.as_string().value_or("")));
      else
        merged.raw(field.value.raw());
      if (source != order.front()) enriched.key(key).string(source->name);
    }
  }
  view.initiative = merged.end_object().take();
  view.enriched = enriched.end_object().take();
  return {};
}

// Drops a claim of completion that the boxes contradict.
Result<void> trust_boxes(LayerView& view, const MilestoneFolder& folder) {
  const std::string status = text_in(view.initiative, "status");
  const bool all_claimed = status == "completed" || status == "archived";
  bool open = false;
  for (const MilestoneFile& milestone : folder.milestones) {
    if (milestone.boxes == milestone.done) continue;
    std::string key = milestone.key;
    bool claimed = false;
    const JsonView progress = JsonView(view.initiative).find("progress");
    for (const JsonItem& item : progress.fields()) {
      if (milestone_number(item.key()) != milestone_number(milestone.key)) continue;
      key = item.key();
      claimed = item.value.is_string("completed");
    }
    if (!claimed && !all_claimed) continue;
    open = true;
    // The claim may come from a source that only added the field.
    const std::string_view field = claimed ? "progress" : "status";
    std::string warning = JsonView(view.enriched).find(field).as_string().value_or(view.source);
    warning.append(" says that ").append(key).append(" is completed, but ");
    warning.append(std::to_string(milestone.boxes - milestone.done)).append(" of ");
    warning.append(std::to_string(milestone.boxes)).append(" boxes in ").append(milestone.path);
    view.warnings.push_back(warning.append(" are open; the boxes are trusted"));
    HOLDFAST_LET(edited, json_set(view.initiative, {JsonStep("progress"), JsonStep(key)},
                                  JsonWriter().string(milestone.state()).take()));
    view.initiative = std::move(edited);
  }
  if (!open || !all_claimed) return {};
  HOLDFAST_LET(edited, json_set(view.initiative, {JsonStep("status")}, "\"in_progress\""));
  view.initiative = std::move(edited);
  return {};
}

Result<std::vector<MilestoneFolder>> folders_of(LayerDraft& draft) {
  const RecordShape* shape = draft.files().layout().shape("workflow_status");
  if (shape == nullptr) return std::vector<MilestoneFolder>();
  return scan_milestones(draft.feed(), {std::string(shape->root), record_folder(*shape, {})});
}

// Of several folders, uses the one that a better source names; any other choice would be a guess.
LayerSource scan_source(const std::vector<MilestoneFolder>& folders, std::string_view name) {
  LayerSource scan{std::string(kScan), "{}", {}};
  for (const MilestoneFolder& folder : folders) {
    if (folder.name == name || folders.size() == 1) scan.fields = folder_fields(folder);
  }
  if (folders.size() > 1 && !is_there(scan)) scan.fault = std::to_string(folders.size()) + " initiatives exist";
  return scan;
}

std::string unreadable_source(std::string_view path, std::string_view why) {
  return std::string(path) + " cannot be read (" + std::string(why) + "); the other sources are used";
}

}  // namespace

std::string time_ago(std::chrono::system_clock::duration age) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(age).count();
  if (minutes < 1) return "just now";
  const auto [count, unit] = minutes < 60        ? std::pair(minutes, "minute")
                             : minutes < 48 * 60 ? std::pair(minutes / 60, "hour")
                                                 : std::pair(minutes / (24 * 60), "day");
  return std::to_string(count) + " " + unit + (count == 1 ? "" : "s") + " ago";
}

Result<LayerView> view_layers(LayerDraft& draft, std::string_view context_json) {
  LayerView view;
  LayerSource context{std::string(kContext), "{}", {}};
  if (!context_json.empty()) {
    if (!check_json(context_json).ok() || JsonView(context_json).kind() != JsonKind::object)
      return fail(Code::invalid_argument, "what the conversation knows must be a JSON object");
    context.fields = context_json;
  }
  view.sources.push_back(std::move(context));

  LayerSource first{std::string(kInitiativeSource), "{}", {}};
  HOLDFAST_LET(bytes, draft.bytes("initiative"));
  view.revision = bytes ? revision_of(*bytes) : Revision(kAbsent);
  auto record = draft.record("initiative");
  if (!record) {
    first.fault = record.error().message;
    view.warnings.push_back(unreadable_source(record.error().path, first.fault));
  } else if (*record) {
    first.fields = **record;
  }
  std::string name = text_in(view.sources.front().fields, "name");
  if (name.empty()) name = text_in(first.fields, "name");
  view.sources.push_back(std::move(first));

  HOLDFAST_LET(folders, folders_of(draft));
  if (name.empty() && folders.size() == 1) name = folders.front().name;
  if (draft.holds("workflow_status")) {
    LayerSource second{std::string(kStatusSource), "{}", {}};
    const std::string id = is_plain_name(name) ? name : std::string("_");
    HOLDFAST_LET(yaml, draft.bytes("workflow_status", id));
    if (yaml) {
      auto facts = read_status(*yaml);
      if (!facts) {
        HOLDFAST_LET(place, draft.place("workflow_status", id));
        second.fault = facts.error().message;
        view.warnings.push_back(unreadable_source(place.path, second.fault));
      }
      // Ignore a source about another initiative.
      else if (!differ(name, facts->initiative))
        second.fields = status_fields(*facts);
    }
    view.sources.push_back(std::move(second));
  }

  LayerSource memory{std::string(kMemory), "{}", {}};
  const std::string text = draft.memory().value_or("");
  for (ActiveLine& line : active_lines(text)) {
    if (!is_there(memory)) {
      JsonWriter json;
      json.begin_object().key("workflow").string(line.type).key("position").string(line.text);
      memory.fields = json.end_object().take();
    }
    view.active.push_back(std::move(line.text));
  }
  view.sources.push_back(std::move(memory));

  if (draft.holds("workflow_status")) view.sources.push_back(scan_source(folders, name));
  const auto now = draft.context().clock->now();
  judge(view, now);
  HOLDFAST_TRY(merge(view, now));
  for (const MilestoneFolder& folder : folders) {
    if (folder.name == text_in(view.initiative, "name")) HOLDFAST_TRY(trust_boxes(view, folder));
  }
  return view;
}

Result<LayerView> read_initiative(const Context& context, Store& store, std::string_view project,
                                  std::string_view context_json) {
  LayerView view;
  HOLDFAST_TRY(read_layers(context, store, project, [&](LayerDraft& draft) -> Result<void> {
    HOLDFAST_LET(seen, view_layers(draft, context_json));
    view = std::move(seen);
    return {};
  }));
  return view;
}

}  // namespace holdfast::inline v1
