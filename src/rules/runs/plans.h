// Plans in a store: Markdown files that people and agents edit. The rules of the seeds,
// for all layouts with plans; `project` is ignored where plans belong to no project
// (Linggen). Durable (power) on return. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/plan.h"

namespace holdfast::inline v1 {

// Creates a file named by the summary's slug; "-2", "-3", ... if that is taken. Never
// replaces another plan. Returns the id.
Result<std::string> create_plan(const Context& context, Store& store, std::string_view project, const Plan& plan);

// Writes the text of a plan as it is, under the given id (a module's); with `append`, after the
// existing text and a blank line. Refuses a text with NUL bytes or invalid UTF-8.
Result<void> write_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                        std::string_view text, bool append);

Result<Plan> get_plan(const Context& context, Store& store, std::string_view project, std::string_view id);
// Leaves out unreadable plans, and reports them in `findings`.
Result<std::vector<Plan>> list_plans(const Context& context, Store& store, std::string_view project,
                                     std::vector<Finding>* findings = nullptr);

// Several changes of one plan in one replacement of the file.
struct PlanChange {
  std::optional<std::string> status;
  std::optional<std::vector<ItemChange>> items;  // see update_items
  bool all_done = false;                         // the agent reports that it is done: see finish_items
};
Result<Plan> update_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                         const PlanChange& change);

// Returns the plan to continue: the last changed one that is neither completed nor
// merely planned. Fails with not_found.
Result<Plan> resume_plan(const Context& context, Store& store, std::string_view project);

// Returns the first five words in lower case, joined by '-'; "plan" if there are none.
// With `ascii`, letters of other scripts separate words too.
std::string plan_slug(std::string_view summary, bool ascii);

// {"id","summary","status","origin","items":[{"title","status","description","depth"}]}
std::string plan_json(const Plan& plan);

}  // namespace holdfast::inline v1
