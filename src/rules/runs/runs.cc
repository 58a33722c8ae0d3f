#include "rules/runs/runs.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/time.h"
#include "rules/runs/run_owner.h"
#include "store/record_text.h"
#include "text/json_edit.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 4> kStatuses = {"running", "completed", "failed", "cancelled"};

void text_or_nothing(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.key(key).string(text);
}

std::string spell_start(const RunStart& start, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("repo_path").string(start.project).key("agent_id").string(start.agent);
  text_or_nothing(json, "session_id", start.session);
  text_or_nothing(json, "agent_kind", start.kind);
  text_or_nothing(json, "parent_run_id", start.parent);
  text_or_nothing(json, "detail", start.detail);
  return json.key("status").string("running").key("started_at").string(now).end_object().take();
}

// The digits at the end of an id: several runs start in one second.
std::string_view counter_in(std::string_view id) {
  const std::size_t dash = id.rfind('-');
  std::string_view digits = id.substr(dash == std::string_view::npos ? 0 : dash + 1);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

bool older(const std::string& a, const std::string& b) {
  const std::string a_time = text_in(a, "started_at"), b_time = text_in(b, "started_at");
  if (a_time != b_time) return a_time < b_time;
  const std::string a_id = text_in(a, "id"), b_id = text_in(b, "id");
  const std::string_view a_count = counter_in(a_id), b_count = counter_in(b_id);
  if (a_count.size() != b_count.size()) return a_count.size() < b_count.size();
  if (a_count != b_count) return a_count < b_count;
  return a_id < b_id;
}

Result<std::string> as_shown(Store& store, std::string record) {
  if (text_in(record, "status") != "running") return record;
  HOLDFAST_LET(owner, owner_of_run(store, text_in(record, "id"), text_in(record, "session_id")));
  if (owner != RunOwner::dead) return record;
  return json_set(record, {"status"}, "\"interrupted\"");
}

bool passes(const std::string& run, const RunFilter& filter) {
  const auto is = [&](std::string_view field, const std::string& wish) {
    return wish.empty() || text_in(run, field) == wish;
  };
  return is("session_id", filter.session) && is("agent_id", filter.agent) && is("parent_run_id", filter.parent) &&
         is("status", filter.status);
}

}  // namespace

Result<std::string> start_run(const Context& context, Store& store, const RunStart& start) {
  HOLDFAST_TRY(check_record_name("an agent", start.agent));
  if (start.project.empty()) return fail(Code::invalid_argument, "a run belongs to a project, and none is given");
  RecordKey key{"run", start.project, {}};
  const auto plan = [&](const Store::Look& look) -> Result<Edits> {
    const auto now = context.clock->now().time_since_epoch();
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(now - second).count();
    for (bool taken = true; taken; ++count) {
      key.id = "run-" + start.agent + "-" + std::to_string(second.count()) + "-" + std::to_string(count);
      HOLDFAST_LET(there, look(key));
      taken = !there.records.empty() || !there.findings.empty();
    }
    Edits edits;
    HOLDFAST_TRY(ensure_project(context, look, start.project, edits));
    edits.push_back({RecordEdit::Kind::create, key, spell_start(start, iso8601(context.clock->now()))});
    return edits;
  };
  HOLDFAST_TRY(edit_under_new_name(context, store, plan));
  return store.get_record(context, key);
}

Result<std::string> update_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                               const RunChange& change) {
  JsonWriter json;
  json.begin_object();
  if (change.status) {
    if (std::ranges::find(kStatuses, *change.status) == kStatuses.end())
      return fail(Code::invalid_argument, "a run is running, completed, failed or cancelled, not " + *change.status);
    json.key("status").string(*change.status);
  }
  if (change.detail) {
    json.key("detail");
    change.detail->empty() ? json.null() : json.string(*change.detail);
  }
  if (change.ended_at) {
    json.key("ended_at").string(*change.ended_at);
  } else if (change.status) {
    json.key("ended_at");
    *change.status == "running" ? json.null() : json.string(iso8601(context.clock->now()));
  }
  const std::string patch = json.end_object().take();
  const RecordKey key{"run", std::string(project), std::string(id)};
  HOLDFAST_TRY(store.edit_records(
      context, [&](const Store::Look&) -> Result<Edits> { return Edits{{RecordEdit::Kind::patch, key, patch}}; }));
  return get_run(context, store, project, id);
}

Result<std::string> get_run(const Context& context, Store& store, std::string_view project, std::string_view id) {
  HOLDFAST_LET(record, store.get_record(context, {"run", std::string(project), std::string(id)}));
  return as_shown(store, std::move(record));
}

Result<RecordList> list_runs(const Context& context, Store& store, const RunFilter& filter) {
  HOLDFAST_LET(list, store.list_records(context, {"run", filter.project, {}}));
  std::vector<std::string> runs;
  for (std::string& record : list.records) {
    HOLDFAST_LET(shown, as_shown(store, std::move(record)));
    if (passes(shown, filter)) runs.push_back(std::move(shown));
  }
  std::ranges::sort(runs, [](const std::string& a, const std::string& b) { return older(b, a); });
  list.records = std::move(runs);
  return list;
}

Result<RecordList> list_run_children(const Context& context, Store& store, std::string_view project,
                                     std::string_view parent) {
  HOLDFAST_LET(list, list_runs(context, store, {.project = std::string(project), .parent = std::string(parent)}));
  std::ranges::reverse(list.records);
  return list;
}

Result<std::size_t> cancel_run(const Context& context, Store& store, std::string_view project, std::string_view id) {
  std::size_t count = 0;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    count = 0;
    HOLDFAST_LET(all, look({"run", std::string(project), {}}));
    std::multimap<std::string, const std::string*> children;
    bool known = false;
    for (const std::string& run : all.records) {
      known = known || text_in(run, "id") == id;
      children.emplace(text_in(run, "parent_run_id"), &run);
    }
    if (!known) return fail(Code::not_found, "there is no run " + std::string(id));
    const std::string patch = JsonWriter()
                                  .begin_object()
                                  .key("status")
                                  .string("cancelled")
                                  .key("ended_at")
                                  .string(iso8601(context.clock->now()))
                                  .end_object()
                                  .take();
    Edits edits;
    std::vector<std::string> open = {std::string(id)};
    std::map<std::string, bool> met;  // parents may form a circle in a damaged store
    while (!open.empty()) {
      const std::string at = std::move(open.back());
      open.pop_back();
      if (!met.emplace(at, true).second) continue;
      for (const std::string& run : all.records) {
        if (text_in(run, "id") == at && text_in(run, "status") == "running")
          edits.push_back({RecordEdit::Kind::patch, {"run", std::string(project), at}, patch});
      }
      const auto [from, to] = children.equal_range(at);
      for (auto child = from; child != to; ++child) open.push_back(text_in(*child->second, "id"));
    }
    count = edits.size();
    return edits;
  }));
  return count;
}

}  // namespace holdfast::inline v1
