// Plans in a store: Markdown files that people and agents edit. The rules of the
// seeds, for all layouts that hold plans; `project` is not looked at where plans
// belong to none (Linggen). Durable (power) when it returns. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/plan.h"

namespace holdfast::inline v1 {

// A new file named by the summary's slug; "-2", "-3", ... when that is taken.
// Never in place of another. The id.
Result<std::string> create_plan(const Context& context, Store& store, std::string_view project, const Plan& plan);

// The text of a plan as it is, under the id that the caller gives (a module's);
// `append`: behind what is there, after a blank line. A text with NUL or that is no UTF-8 is refused.
Result<void> write_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                        std::string_view text, bool append);

Result<Plan> get_plan(const Context& context, Store& store, std::string_view project, std::string_view id);
// What cannot be read is left out, and told in `findings`.
Result<std::vector<Plan>> list_plans(const Context& context, Store& store, std::string_view project,
                                     std::vector<Finding>* findings = nullptr);

// Several changes of one plan in one replace of the file.
struct PlanChange {
  std::optional<std::string> status;
  std::optional<std::vector<ItemChange>> items;  // see update_items
  bool all_done = false;                         // the agent says that it is done: see finish_items
};
Result<Plan> update_plan(const Context& context, Store& store, std::string_view project, std::string_view id,
                         const PlanChange& change);

// The plan to go on with: the one changed last that is neither completed nor
// merely planned. not_found.
Result<Plan> resume_plan(const Context& context, Store& store, std::string_view project);

// The first five words in lower case, joined by '-'; "plan" when there are none.
// `ascii`: letters of other scripts separate words too.
std::string plan_slug(std::string_view summary, bool ascii);

// {"id","summary","status","origin","items":[{"title","status","description","depth"}]}
std::string plan_json(const Plan& plan);

}  // namespace holdfast::inline v1
