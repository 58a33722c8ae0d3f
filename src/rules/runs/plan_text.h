// Plans as Markdown: reading one, writing a new one, changing one without
// touching a byte more than needed. Format: docs/formats/linggen.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class ItemStatus { pending, in_progress, done, skipped };  // [ ] [~] [x] [-]
std::string_view item_status_name(ItemStatus status);
std::optional<ItemStatus> item_status_of(std::string_view name);

struct PlanItem {
  std::string title;  // one line
  ItemStatus status = ItemStatus::pending;
  std::string description;  // its lines without their indentation
  std::size_t depth = 0;    // 0: not below another item
};

struct Plan {
  std::string id;
  std::string summary;
  std::string status = "planned";        // planned | approved | executing | completed
  std::string origin = "model_managed";  // user_requested | model_managed
  std::vector<PlanItem> items;
};

bool is_plan_status(std::string_view status);

// Never fails; an unknown status is executing, an unknown origin model_managed.
Plan read_plan(std::string_view markdown);
std::string spell_plan(const Plan& plan);

// What somebody says of a plan's items; empty optionals change nothing.
struct ItemChange {
  std::string title;
  std::optional<ItemStatus> status;
  std::optional<std::string> description;
  std::size_t depth = 0;  // of an item that is new
};

// When every title is one of the plan's, these items change in place; otherwise
// they take the place of the old list, and a title that was there keeps its
// status and description unless told otherwise. Equal titles are taken in order.
// Other text stays. Then, while the plan is executing and all is done or
// skipped, it becomes completed.
Result<std::string> update_items(std::string_view markdown, std::span<const ItemChange> items);

// The value of **Status:**; the line is made when it is missing.
Result<std::string> set_plan_status(std::string_view markdown, std::string_view status);

// What is pending or in progress becomes done, as when the agent says so.
Result<std::string> finish_items(std::string_view markdown);

// The first five words in lower case, joined by '-'; "plan" when there are none.
// `ascii`: letters of other scripts separate words too.
std::string plan_slug(std::string_view summary, bool ascii);

}  // namespace holdfast::inline v1
