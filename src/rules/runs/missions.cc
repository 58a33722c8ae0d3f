#include "rules/runs/missions.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/time.h"
#include "model/when.h"
#include "store/record_text.h"
#include "text/json_edit.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kInactive = R"({"active":false})";

bool is_active(std::string_view mission) { return JsonView(mission).find("active").as_bool().value_or(false); }

std::int64_t second_in(std::string_view id) {
  std::int64_t second = 0;
  std::from_chars(id.data(), id.data() + id.size(), second);
  return second;
}

std::int64_t created_second(std::string_view mission) {
  const auto time = parse_when(text_in(mission, "created_at"));
  return time ? std::chrono::floor<std::chrono::seconds>(time->time_since_epoch()).count() : 0;
}

// What a project has, and edits that bring the old single file into it.
struct History {
  std::vector<std::string> missions;  // by id
  std::set<std::int64_t> seconds;     // that are taken
  Edits edits;                        // the migration
  std::vector<StoreFinding> findings;
  bool migrated = false;
};

// The old file's record under the id that it gets. One whose second belongs to
// another mission moves to the next free one, because programs that know only
// seconds write to the file of that name.
std::string moved(const std::string& legacy, std::int64_t second, std::string& id) {
  id = std::to_string(second);
  const bool same = created_second(legacy) == second;
  JsonWriter out;
  out.begin_object().key("id").string(id);
  for (const JsonItem& item : JsonView(legacy).fields()) {
    if (item.key_is("id")) continue;
    out.key(item.key());
    if (!same && item.key_is("created_at")) {
      out.int64(second);
    } else {
      out.raw(item.value.raw());
    }
  }
  return out.end_object().take();
}

Result<History> history_of(const Store::Look& look, std::string_view project) {
  History history;
  HOLDFAST_LET(list, look({"mission", std::string(project), {}}));
  history.missions = std::move(list.records);
  history.findings = std::move(list.findings);
  for (const std::string& mission : history.missions) {
    history.seconds.insert(second_in(text_in(mission, "id")));
  }
  // A file that cannot be read holds its name all the same.
  for (const StoreFinding& finding : history.findings) {
    history.seconds.insert(second_in(std::string_view(finding.file).substr(finding.file.rfind('/') + 1)));
  }
  const RecordKey legacy{"legacy_mission", std::string(project), {}};
  auto old = look(legacy);
  if (!old && old.error().code == Code::unsupported) return history;  // a layout without a past
  if (!old) return fail(std::move(old).error());
  for (StoreFinding& finding : old->findings) {
    finding.consequence = "kept as it is, not migrated: " + finding.consequence;
    history.findings.push_back(std::move(finding));
  }
  if (old->records.empty()) return history;
  const std::string& record = old->records.front();
  std::int64_t second = created_second(record);
  if (second <= 0) {
    history.findings.push_back({"mission.json", 0, 0, "corrupt", "kept as it is, not migrated: no created_at", 0});
    return history;
  }
  while (history.seconds.contains(second)) ++second;
  std::string id;
  const std::string mission = moved(record, second, id);
  history.edits.push_back({RecordEdit::Kind::create, {"mission", std::string(project), id}, mission});
  history.edits.push_back({RecordEdit::Kind::remove, legacy, {}});
  history.seconds.insert(second);
  history.missions.push_back(mission);
  history.migrated = true;
  return history;
}

void deactivate_all(History& history, std::string_view project) {
  for (const std::string& mission : history.missions) {
    if (!is_active(mission)) continue;
    history.edits.push_back(
        {RecordEdit::Kind::patch, {"mission", std::string(project), text_in(mission, "id")}, std::string(kInactive)});
  }
}

bool newer(const std::string& a, const std::string& b) {
  const std::string a_time = text_in(a, "created_at"), b_time = text_in(b, "created_at");
  if (a_time != b_time) return a_time > b_time;
  return second_in(text_in(a, "id")) > second_in(text_in(b, "id"));
}

Result<void> need_project(std::string_view project) {
  if (!project.empty()) return {};
  return fail(Code::invalid_argument, "a mission belongs to a project, and none is given");
}

}  // namespace

Result<std::string> set_mission(const Context& context, Store& store, const MissionStart& start) {
  HOLDFAST_TRY(need_project(start.project));
  if (!start.agents.empty() && (!check_json(start.agents).ok() || JsonView(start.agents).kind() != JsonKind::array))
    return fail(Code::invalid_argument, "the agents of a mission are a JSON array");
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
    JsonWriter json;
    json.begin_object().key("text").string(start.text).key("created_at").string(iso8601(time));
    json.key("active").boolean(true);
    if (!start.agents.empty()) json.key("agents").raw(start.agents);
    history.edits.push_back({RecordEdit::Kind::create, key, json.end_object().take()});
    return std::move(history.edits);
  };
  HOLDFAST_TRY(edit_under_new_name(context, store, plan));
  return store.get_record(context, key);
}

Result<RecordList> list_missions(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  const auto look = [&](const RecordKey& key) { return store.list_records(context, key); };
  HOLDFAST_LET(history, history_of(look, project));
  std::ranges::sort(history.missions, newer);
  return RecordList{std::move(history.missions), std::move(history.findings)};
}

Result<std::string> get_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(list, list_missions(context, store, project));
  for (std::string& mission : list.records) {
    if (is_active(mission)) return std::move(mission);
  }
  return fail(Code::not_found, "no mission is active", std::string(project));
}

Result<bool> clear_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  bool any = false;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(history, history_of(look, project));
    any = std::ranges::any_of(history.missions, is_active);
    deactivate_all(history, project);
    return std::move(history.edits);
  }));
  return any;
}

Result<MissionMigration> migrate_mission(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_TRY(need_project(project));
  MissionMigration done;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(history, history_of(look, project));
    done = {history.migrated, history.findings};
    return std::move(history.edits);
  }));
  return done;
}

}  // namespace holdfast::inline v1
