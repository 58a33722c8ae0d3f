// plan.*: Markdown files with boxes that people and agents tick.
#include <algorithm>

#include "api/tables.h"
#include "api/typed_records.h"
#include "base/ascii.h"
#include "layout/lopen/paths.h"
#include "rules/runs/plans.h"
#include "rules/workflow/session_start.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> answer_plan(const Result<Plan>& plan) {
  if (!plan) return fail(plan.error());
  return answer_record("plan", plan_json(*plan));
}

Result<std::vector<ItemChange>> items_of(const Call& call) {
  std::vector<ItemChange> items;
  for (const JsonItem& element : call.params.find("items").elements()) {
    const JsonView value = element.value;
    ItemChange item;
    item.title = value.kind() == JsonKind::string ? *value.as_string() : value.find("title").as_string().value_or("");
    if (item.title.empty()) return fail(Code::invalid_argument, "an item needs a title");
    if (const auto word = value.find("status").as_string()) item.status = known_word<ItemStatus>(*word);
    item.description = value.find("description").as_string();
    item.depth = static_cast<std::size_t>(value.find("depth").as_int64().value_or(0));
    items.push_back(std::move(item));
  }
  return items;
}

// The boxes of a module's plan can only be open or ticked; its program does not recognize other boxes as tasks.
Result<void> check_boxes(const Store& store, const std::vector<ItemChange>& items) {
  if (!keeps_only_workflows(store)) return {};
  for (const ItemChange& item : items) {
    if (item.status == ItemStatus::in_progress || item.status == ItemStatus::skipped)
      return fail(Code::invalid_argument, "the items of a plan in layout " + std::string(store.layout_name()) +
                                              " are pending or done, not " + std::string(Word(*item.status).text()));
  }
  return {};
}

Result<std::string> put(Call& call) {
  HOLDFAST_LET(store, call.store_of("plan"));
  if (call.has("body")) {
    if (!call.has("id")) return fail(Code::invalid_argument, "a plan given as text needs an id: the name of a module");
    if (keeps_only_workflows(*store)) HOLDFAST_TRY(lopen::check_module_name(in_lower_case(call.text("id"))));
    HOLDFAST_TRY(
        write_plan(call.context, *store, call.project(), call.text("id"), call.text("body"), call.flag("append")));
    return answer_plan(get_plan(call.context, *store, call.project(), call.text("id")));
  }
  if (!call.has("summary")) return fail(Code::invalid_argument, "plan.put needs a summary, or an id and a body");
  HOLDFAST_LET(items, items_of(call));
  HOLDFAST_TRY(check_boxes(*store, items));
  Plan plan;
  plan.summary = call.text("summary");
  if (call.has("status")) plan.status = Word<PlanStatus>(call.text("status"));
  if (call.has("origin")) plan.origin = Word<PlanOrigin>(call.text("origin"));
  for (ItemChange& item : items)
    plan.items.push_back(
        {std::move(item.title), item.status.value_or(ItemStatus::pending), item.description.value_or(""), item.depth});
  HOLDFAST_LET(id, create_plan(call.context, *store, call.project(), plan));
  return answer_plan(get_plan(call.context, *store, call.project(), id));
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  if (!call.has("id")) return answer_plan(resume_plan(call.context, *store, call.project()));
  return answer_plan(get_plan(call.context, *store, call.project(), call.text("id")));
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  std::vector<Finding> findings;
  HOLDFAST_LET(plans, list_plans(call.context, *store, call.project(), &findings));
  return answer_page(call, "plans", plans.size(), [&](std::size_t i) { return plan_json(plans[i]); }, findings);
}

Result<std::string> update(Call& call) {
  HOLDFAST_LET(store, call.store());
  PlanChange change;
  change.status = call.maybe_text("status");
  if (call.has("items")) {
    HOLDFAST_LET(items, items_of(call));
    HOLDFAST_TRY(check_boxes(*store, items));
    change.items = std::move(items);
  }
  change.all_done = call.flag("done");
  return answer_plan(update_plan(call.context, *store, call.project(), call.text("id"), change));
}

// The path of each item: its title after those of its parents, "api/Add a test".
std::vector<std::string> paths_of(const Plan& plan) {
  std::vector<std::string> paths, open;
  for (const PlanItem& item : plan.items) {
    open.resize(std::min(open.size(), item.depth));
    open.push_back((open.empty() ? "" : open.back() + "/") + item.title);
    paths.push_back(open.back());
  }
  return paths;
}

// Finds an item by its title, or by the end of its path if several have that title; `number` selects among items that
// have the same path.
Result<std::size_t> item_meant(const Call& call, const Plan& plan) {
  const std::string wanted = call.text("item");
  const std::vector<std::string> paths = paths_of(plan);
  std::vector<std::size_t> found;
  for (const bool by_path : {false, true}) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool same =
          by_path ? paths[i] == wanted || paths[i].ends_with("/" + wanted) : plan.items[i].title == wanted;
      if (same) found.push_back(i);
    }
    if (!found.empty()) break;
  }
  if (found.empty()) return fail(Code::not_found, "the plan " + plan.id + " has no item \"" + wanted + "\"");
  const auto number = static_cast<std::size_t>(call.integer("number", 0));
  if (number > found.size())
    return fail(Code::not_found,
                "the plan " + plan.id + " has only " + std::to_string(found.size()) + " items \"" + wanted + "\"");
  if (number > 0) return found[number - 1];
  if (found.size() == 1) return found.front();
  std::string all;
  for (const std::size_t i : found) all += (all.empty() ? "" : ", ") + paths[i];
  return fail(Code::invalid_argument, "the plan " + plan.id + " has " + std::to_string(found.size()) + " items \"" +
                                          wanted + "\": " + all + "; name one by its path, or by its number");
}

Result<std::string> tick(Call& call) {
  HOLDFAST_LET(store, call.store());
  PlanChange change;
  const auto status =
      call.has("status") ? known_word<ItemStatus>(call.text("status")) : std::optional(ItemStatus::done);
  HOLDFAST_LET(plan, get_plan(call.context, *store, call.project(), call.text("id")));
  HOLDFAST_LET(at, item_meant(call, plan));
  // Equal titles are matched in order, so list those before this one without a change.
  const std::string& title = plan.items[at].title;
  change.items.emplace();
  for (std::size_t i = 0; i <= at; ++i) {
    if (plan.items[i].title == title)
      change.items->push_back({.title = title, .status = i == at ? status : std::nullopt});
  }
  HOLDFAST_TRY(check_boxes(*store, *change.items));
  return answer_plan(update_plan(call.context, *store, call.project(), call.text("id"), change));
}

}  // namespace

std::span<const Operation> plan_operations() {
  static const Parameter id = record_id_parameter("id of the plan");
  static const Parameter items{.name = "items",
                               .help = "titles, or [{\"title\", \"status\", \"description\", \"depth\"}]",
                               .type = ParamType::array,
                               .shape = "given_plan_item"};
  static const Parameter status{
      .name = "status", .help = "status of the plan", .words = {"planned", "approved", "executing", "completed"}};
  static const std::vector<Operation> all{
      {.method = "plan.put",
       .help = "write a new plan without replacing another, or the text of a plan under its id",
       .use = Use::create,
       .parameters =
           {{.name = "summary", .help = "what is planned", .positional = true},
            {.name = "id", .help = "with `body`: the module that the plan is for"},
            {.name = "body", .help = "the plan as Markdown, stored as it is"},
            {.name = "append", .help = "append the body instead of replacing the text", .type = ParamType::boolean},
            items,
            status,
            {.name = "origin", .help = "where the plan comes from", .words = {"user_requested", "model_managed"}},
            project_parameter(false)},
       .result = "plan:plan",
       .handler = put,
       .aliases = {"create_plan"},
       .example = "plan put \"Fix login\" --items '[\"Read the code\",\"Write a test\"]' --project ."},
      {.method = "plan.get",
       .help = "show a plan (default: the one to continue)",
       .parameters = {{.name = "id", .help = "id of the plan", .positional = true}, project_parameter(false)},
       .result = "plan:plan",
       .handler = get,
       .example = "plan get fix-login --project ."},
      {.method = "plan.list",
       .help = "list plans",
       .parameters = {project_parameter(false), limit_parameter(), skip_parameter()},
       .result = "plans:plan[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "plan list --project ."},
      {.method = "plan.update",
       .help = "change a plan's status or items; all other text stays",
       .use = Use::write,
       .parameters = {id,
                      status,
                      items,
                      {.name = "done", .help = "mark all open items done", .type = ParamType::boolean},
                      project_parameter(false)},
       .result = "plan:plan",
       .handler = update,
       .aliases = {"update_plan"},
       .example = "plan update fix-login --status executing --project ."},
      {.method = "plan.tick",
       .help = "tick an item of a plan",
       .use = Use::write,
       .parameters = {id,
                      {.name = "item",
                       .help = "title of the item, or titles from the top joined by /",
                       .required = true,
                       .positional = true},
                      {.name = "number",
                       .help = "number of the item, from 1, if several have the same title",
                       .type = ParamType::integer,
                       .least = 1},
                      {.name = "status",
                       .help = "new status (default done)",
                       .words = {"pending", "in_progress", "done", "skipped"}},
                      project_parameter(false)},
       .result = "plan:plan",
       .handler = tick,
       .example = "plan tick fix-login \"Write a test\" --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
