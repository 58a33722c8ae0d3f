#include "rules/runs/plans.h"

#include "base/safe_name.h"
#include "base/utf8.h"
#include "store/engine.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

RecordKey key_of(std::string_view project, std::string_view id) {
  return {"plan", std::string(project), std::string(id)};
}

std::string body_json(std::string_view text) {
  return JsonWriter().begin_object().key("body").string(text).end_object().take();
}

Plan plan_of(std::string_view record) {
  Plan plan = read_plan(text_in(record, "body"));
  plan.id = text_in(record, "id");
  return plan;
}

}  // namespace

Result<std::string> create_plan(const Context& context, Store& store, std::string_view project, const Plan& plan) {
  if (!plan.status.known()) return fail(Code::invalid_argument, "not a plan status: " + plan.status.text());
  if (!plan.origin.known()) return fail(Code::invalid_argument, "not a plan origin: " + plan.origin.text());
  const std::string text = format_plan(plan);
  HOLDFAST_TRY(check_round_trip(plan, text));
  HOLDFAST_LET(files, engine_of(store));
  std::string slug = plan_slug(plan.summary, files->layout().traits().owns_logs);
  if (!is_plain_name(slug)) slug = "plan-" + slug;  // the slug is the name of a device
  RecordKey key;
  HOLDFAST_TRY(edit_under_new_name(context, store, [&](const Store::Look& look) -> Result<Edits> {
    for (int number = 1;; ++number) {
      key = key_of(project, number == 1 ? slug : slug + "-" + std::to_string(number));
      HOLDFAST_LET(there, look(key));
      if (there.records.empty() && there.findings.empty()) break;
    }
    return Edits{{RecordEdit::Kind::create, key, body_json(text)}};
  }));
  return key.id;
}

Result<void> write_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                        std::string_view text, bool append) {
  if (!is_utf8(text) || text.find('\0') != std::string_view::npos)
    return fail(Code::invalid_argument, "a plan must be UTF-8 text");
  const RecordKey key = key_of(project, id);
  return store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(there, look(key));
    std::string whole(text);
    if (append && !there.records.empty()) {
      std::string before = text_in(there.records.front(), "body");
      const std::string_view end = before.find("\r\n") != std::string::npos ? "\r\n" : "\n";
      if (!before.empty() && !before.ends_with('\n')) before += end;
      whole = before + (before.empty() ? "" : std::string(end)) + whole;
    }
    return Edits{{RecordEdit::Kind::put, key, body_json(whole)}};
  });
}

Result<Plan> get_plan(const Context& context, Store& store, std::string_view project, std::string_view id) {
  HOLDFAST_LET(record, store.get_record(context, key_of(project, id)));
  return plan_of(record);
}

Result<std::vector<Plan>> list_plans(const Context& context, Store& store, std::string_view project,
                                     std::vector<Finding>* findings) {
  HOLDFAST_LET(list, store.list_records(context, key_of(project, {})));
  std::vector<Plan> plans;
  for (const std::string& record : list.records) plans.push_back(plan_of(record));
  if (findings != nullptr) *findings = std::move(list.findings);
  return plans;
}

Result<Plan> update_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                         const PlanChange& change) {
  const RecordKey key = key_of(project, id);
  const auto plan = [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(there, look(key));
    if (there.records.empty()) return fail(Code::not_found, "there is no plan " + std::string(id));
    std::string text = text_in(there.records.front(), "body");
    if (change.status) {
      HOLDFAST_LET(set, set_plan_status(text, *change.status));
      text = std::move(set);
    }
    if (change.items) {
      HOLDFAST_LET(updated, update_items(text, *change.items));
      text = std::move(updated);
    }
    if (change.all_done) {
      HOLDFAST_LET(done, finish_items(text));
      text = std::move(done);
    }
    return Edits{{RecordEdit::Kind::patch, key, body_json(text)}};
  };
  HOLDFAST_TRY(store.edit_records(context, plan));
  return get_plan(context, store, project, id);
}

Result<Plan> resume_plan(const Context& context, Store& store, std::string_view project) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(plans, list_plans(context, store, project));
  HOLDFAST_LET(shape, shape_of_kind(files->layout(), "plan"));
  DirectoryFeed feed(context, files->roots().directories());
  const Plan* newest = nullptr;
  std::int64_t newest_time = 0;
  for (const Plan& plan : plans) {
    if (plan.status == PlanStatus::completed || plan.status == PlanStatus::planned) continue;
    HOLDFAST_LET(place, place_of_record(files->layout(), feed, *shape, key_of(project, plan.id)));
    HOLDFAST_LET(stat, feed.stat(place));
    if (!stat || (newest != nullptr && stat->mtime_ns < newest_time)) continue;
    newest = &plan;
    newest_time = stat->mtime_ns;
  }
  if (newest == nullptr) return fail(Code::not_found, "there is no plan to continue", store.name());
  return *newest;
}

std::string plan_json(const Plan& plan) {
  JsonWriter json;
  json.begin_object().key("id").string(plan.id).key("summary").string(plan.summary);
  json.key("status").string(plan.status.text()).key("origin").string(plan.origin.text()).key("items").begin_array();
  for (const PlanItem& item : plan.items) {
    json.begin_object().key("title").string(item.title).key("status").string(Word(item.status).text());
    if (!item.description.empty()) json.key("description").string(item.description);
    json.key("depth").uint64(item.depth).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace holdfast::inline v1
