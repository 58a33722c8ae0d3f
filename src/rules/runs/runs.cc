#include "rules/runs/runs.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/time.h"
#include "rules/runs/run_owner.h"

namespace holdfast::inline v1 {
namespace {

// Returns the digits at the end of an id: several runs may start in one second.
std::string_view counter_in(std::string_view id) {
  const std::size_t dash = id.rfind('-');
  std::string_view digits = id.substr(dash == std::string_view::npos ? 0 : dash + 1);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

bool older(const Run& a, const Run& b) {
  if (a.started_at != b.started_at) return a.started_at < b.started_at;
  const std::string_view a_count = counter_in(a.id), b_count = counter_in(b.id);
  if (a_count.size() != b_count.size()) return a_count.size() < b_count.size();
  if (a_count != b_count) return a_count < b_count;
  return a.id < b.id;
}

Result<Run> as_shown(Store& store, Run run) {
  if (run.status != RunStatus::running) return run;
  HOLDFAST_LET(owner, owner_of_run(store, run));
  if (owner == RunOwner::dead) run.status = RunStatus::interrupted;
  return run;
}

bool passes(const Run& run, const RunFilter& filter) {
  const auto is = [](const std::string& request, const std::string& value) {
    return request.empty() || value == request;
  };
  return is(filter.session, run.session) && is(filter.agent, run.agent) && is(filter.parent, run.parent) &&
         is(filter.status, run.status.text());
}

RecordKey key_of(std::string_view project, std::string_view id) {
  return {"run", std::string(project), std::string(id)};
}

}  // namespace

Result<Run> start_run(const Context& context, Store& store, Run run) {
  HOLDFAST_TRY(check_record_name("an agent", run.agent));
  if (run.project.empty()) return fail(Code::invalid_argument, "a run needs a project");
  run.status = RunStatus::running;
  const auto plan = [&](const Store::Look& look) -> Result<Edits> {
    const auto now = context.clock->now().time_since_epoch();
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(now - second).count();
    for (bool taken = true; taken; ++count) {
      run.id = "run-" + run.agent + "-" + std::to_string(second.count()) + "-" + std::to_string(count);
      HOLDFAST_LET(there, look(key_of(run.project, run.id)));
      taken = !there.records.empty() || !there.findings.empty();
    }
    run.started_at = iso8601(context.clock->now());
    Edits edits;
    HOLDFAST_TRY(ensure_project(context, look, run.project, edits));
    edits.push_back({RecordEdit::Kind::create, key_of(run.project, run.id), changes_in(run)});
    return edits;
  };
  HOLDFAST_TRY(edit_under_new_name(context, store, plan));
  return get_typed<Run>(context, store, key_of(run.project, run.id));
}

Result<Run> update_run(const Context& context, Store& store, std::string_view project, std::string_view id,
                       const RunChange& change) {
  const Word<RunStatus> status(change.status.value_or("running"));
  if (!status.known() || status == RunStatus::interrupted)
    return fail(Code::invalid_argument,
                "the status of a run must be running, completed, failed or cancelled, not " + status.text());
  const RecordKey key = key_of(project, id);
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(run, look_typed<Run>(look, key));
    if (change.status) {
      run.status = status;
      run.ended_at = status == RunStatus::running ? "" : iso8601(context.clock->now());
    }
    if (change.detail) run.detail = *change.detail;
    if (change.ended_at) run.ended_at = *change.ended_at;
    return Edits{{RecordEdit::Kind::patch, key, changes_in(run)}};
  }));
  return get_run(context, store, project, id);
}

Result<Run> get_run(const Context& context, Store& store, std::string_view project, std::string_view id) {
  HOLDFAST_LET(run, get_typed<Run>(context, store, key_of(project, id)));
  return as_shown(store, std::move(run));
}

Result<Listed<Run>> list_runs(const Context& context, Store& store, const RunFilter& filter) {
  HOLDFAST_LET(all, list_typed<Run>(context, store, {"run", filter.project, {}}));
  Listed<Run> list{{}, std::move(all.findings)};
  for (Run& run : all.records) {
    HOLDFAST_LET(shown, as_shown(store, std::move(run)));
    if (passes(shown, filter)) list.records.push_back(std::move(shown));
  }
  std::ranges::sort(list.records, [](const Run& a, const Run& b) { return older(b, a); });
  return list;
}

Result<Listed<Run>> list_run_children(const Context& context, Store& store, std::string_view project,
                                      std::string_view parent) {
  HOLDFAST_TRY(get_run(context, store, project, parent));
  HOLDFAST_LET(list, list_runs(context, store, {.project = std::string(project), .parent = std::string(parent)}));
  std::ranges::reverse(list.records);
  return list;
}

Result<std::size_t> cancel_run(const Context& context, Store& store, std::string_view project, std::string_view id) {
  std::size_t count = 0;
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(all, list_typed<Run>(look, key_of(project, {})));
    std::multimap<std::string_view, std::string_view> children;
    std::map<std::string_view, Run*> runs;
    for (Run& run : all.records) {
      runs.emplace(run.id, &run);
      children.emplace(run.parent, run.id);
    }
    if (!runs.contains(id)) return fail(Code::not_found, "there is no run " + std::string(id));
    Edits edits;
    std::vector<std::string_view> open = {id};
    std::set<std::string_view> met;  // parents may form a cycle in a damaged store
    while (!open.empty()) {
      const std::string_view at = open.back();
      open.pop_back();
      if (!met.insert(at).second) continue;
      if (Run& run = *runs.at(at); run.status == RunStatus::running) {
        run.status = RunStatus::cancelled;
        run.ended_at = iso8601(context.clock->now());
        edits.push_back({RecordEdit::Kind::patch, key_of(project, at), changes_in(run)});
      }
      const auto [from, to] = children.equal_range(at);
      for (auto child = from; child != to; ++child) open.push_back(child->second);
    }
    count = edits.size();
    return edits;
  }));
  return count;
}

}  // namespace holdfast::inline v1
