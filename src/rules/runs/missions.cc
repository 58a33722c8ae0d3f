#include "rules/runs/missions.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "base/safe_name.h"
#include "base/time.h"
#include "model/time_formats.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

std::int64_t second_in(std::string_view id) {
  std::int64_t second = 0;
  std::from_chars(id.data(), id.data() + id.size(), second);
  return second;
}

std::int64_t created_second(const Mission& mission) {
  const auto time = parse_any_time(mission.created_at);
  return time ? std::chrono::floor<std::chrono::seconds>(time->time_since_epoch()).count() : 0;
}

// The missions of a project, and the edits that migrate the old single file.
struct History {
  std::vector<Mission> missions;   // by id
  std::set<std::int64_t> seconds;  // seconds that are taken
  Edits edits;                     // the migration
  std::vector<Finding> findings;
  bool migrated = false;
};

// Returns the old file's record under its new id. If another mission has its second, it
// moves to the next free one, because programs that know only seconds write to the file
// of that name.
Mission moved(Mission legacy, std::int64_t second) {
  if (created_second(legacy) != second)
    legacy.created_at = iso8601(std::chrono::system_clock::time_point(std::chrono::seconds(second)));
  const std::string record = json_of(legacy);
  JsonWriter out;
  out.begin_object().key("id").string(std::to_string(second));
  for (const JsonItem& item : JsonView(record).fields()) {
    if (!item.key_is("id")) out.key(item.key()).raw(item.value.raw());
  }
  return parse_record<Mission>(out.end_object().take());
}

Result<History> history_of(const Store::Look& look, std::string_view project) {
  History history;
  HOLDFAST_LET(list, list_typed<Mission>(look, {"mission", std::string(project), {}}));
  history.missions = std::move(list.records);
  history.findings = std::move(list.findings);
  for (const Mission& mission : history.missions) history.seconds.insert(second_in(mission.id));
  // An unreadable file still occupies its name.
  for (const Finding& finding : history.findings) {
    history.seconds.insert(second_in(std::string_view(finding.file).substr(finding.file.rfind('/') + 1)));
  }
  const RecordKey legacy{"legacy_mission", std::string(project), {}};
  auto old = list_typed<Mission>(look, legacy);
  if (!old && old.error().code == Code::unsupported) return history;  // a layout without old files
  if (!old) return fail(std::move(old).error());
  for (Finding& finding : old->findings) {
    finding.consequence = "kept as it is, not migrated: " + finding.consequence;
    history.findings.push_back(std::move(finding));
  }
  if (old->records.empty()) return history;
  Mission& record = old->records.front();
  std::int64_t second = created_second(record);
  if (second <= 0) {
    history.findings.push_back({"mission.json", 0, 0, "corrupt", "kept as it is, not migrated: no created_at", 0});
    return history;
  }
  while (history.seconds.contains(second)) ++second;
  Mission mission = moved(std::move(record), second);
  history.edits.push_back({RecordEdit::Kind::create, {"mission", std::string(project), mission.id}, mission.source});
  history.edits.push_back({RecordEdit::Kind::remove, legacy, {}});
  history.seconds.insert(second);
  history.missions.push_back(std::move(mission));
  history.migrated = true;
  return history;
}

// Returns whether any was active.
bool deactivate_all(History& history, std::string_view project) {
  bool any = false;
  for (Mission& mission : history.missions) {
    if (!std::exchange(mission.active, false)) continue;
    any = true;
    history.edits.push_back(
        {RecordEdit::Kind::patch, {"mission", std::string(project), mission.id}, changes_in(mission)});
  }
  return any;
}

bool newer(const Mission& a, const Mission& b) {
  if (a.created_at != b.created_at) return a.created_at > b.created_at;
  return second_in(a.id) > second_in(b.id);
}

// Keeps only the newest mission active, which `get_mission` returns, if files have several.
void keep_newest_active(History& history, std::string_view project) {
  const Mission* newest = nullptr;
  for (const Mission& mission : history.missions)
    if (mission.active && (newest == nullptr || newer(mission, *newest))) newest = &mission;
  for (Mission& mission : history.missions) {
    if (&mission == newest || !std::exchange(mission.active, false)) continue;
    history.edits.push_back(
        {RecordEdit::Kind::patch, {"mission", std::string(project), mission.id}, changes_in(mission)});
  }
}

Result<void> need_project(std::string_view project) {
  if (!project.empty()) return {};
  return fail(Code::invalid_argument, "a mission needs a project");
}

}  // namespace

Result<Mission> set_mission(const Context& context, Store& store, const MissionStart& start) {
  HOLDFAST_TRY(need_project(start.project));
  if (!start.agents.empty() && (!check_json(start.agents).ok() || JsonView(start.agents).kind() != JsonKind::array))
    return fail(Code::invalid_argument, "the agents of a mission must be a JSON array");
  // Ids must be names of agents, as in `agent.set`.
  for (const JsonItem& agent : JsonView(start.agents).elements()) {
    const auto id = agent.value.find("id").as_string();
    if (id && !is_plain_name(*id)) return fail(Code::unsafe_path, "not a valid agent id: " + *id);
  }
  RecordKey key{"mission", start.project, {}};
  const auto plan = [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(history, history_of(look, start.project));
    auto time = context.clock->now();
    std::int64_t second = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    if (!history.seconds.empty() && *history.seconds.rbegin() >= second) {
      second = *history.seconds.rbegin() + 1;
      time = std::chrono::system_clock::time_point(std::chrono::seconds(second));
    }
    deactivate_all(history, start.project);
    HOLDFAST_TRY(ensure_project(context, look, start.project, history.edits));
    key.id = std::to_string(second);
    const Mission mission{.text = start.text, .created_at = iso8601(time), .active = true, .agents = {start.agents}};
    history.edits.push_back({RecordEdit::Kind::create, key, changes_in(mission)});
    return std::move(history.edits);
  };
  HOLDFAST_TRY(edit_under_new_name(context, store, plan));
  return get_typed<Mission>(context, store, key);
}

Result<Listed<Mission>> list_missions(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  const auto look = [&](const RecordKey& key) { return store.list_records(context, key); };
  HOLDFAST_LET(history, history_of(look, project));
  keep_newest_active(history, project);
  std::ranges::sort(history.missions, newer);
  return Listed<Mission>{std::move(history.missions), std::move(history.findings)};
}

Result<Mission> get_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(list, list_missions(context, store, project));
  for (Mission& mission : list.records) {
    if (mission.active) return std::move(mission);
  }
  return fail(Code::not_found, "no mission is active", std::string(project));
}

Result<bool> clear_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  bool any = false;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(history, history_of(look, project));
    any = deactivate_all(history, project);
    return std::move(history.edits);
  }));
  return any;
}

Result<MissionMigration> migrate_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  MissionMigration done;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(history, history_of(look, project));
    if (history.migrated) keep_newest_active(history, project);
    done = {history.migrated, history.findings};
    return std::move(history.edits);
  }));
  return done;
}

}  // namespace holdfast::inline v1
