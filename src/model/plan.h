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

#include "model/record.h"

namespace holdfast::inline v1 {

enum class PlanStatus { planned, approved, executing, completed };
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<PlanStatus> =
    std::to_array<std::string_view>({"planned", "approved", "executing", "completed"});

enum class PlanOrigin { user_requested, model_managed };
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<PlanOrigin> =
    std::to_array<std::string_view>({"user_requested", "model_managed"});

enum class ItemStatus { pending, in_progress, done, skipped };  // [ ] [~] [x] [-]
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<ItemStatus> =
    std::to_array<std::string_view>({"pending", "in_progress", "done", "skipped"});

struct PlanItem {
  std::string title;  // one line
  ItemStatus status = ItemStatus::pending;
  std::string description;  // its lines without their indentation
  std::size_t depth = 0;    // 0: not below another item
};

struct Plan {
  std::string id;
  std::string summary;
  Word<PlanStatus> status = PlanStatus::planned;
  Word<PlanOrigin> origin = PlanOrigin::model_managed;
  std::vector<PlanItem> items;
};

// Never fails; an unknown status is executing, an unknown origin model_managed.
Plan read_plan(std::string_view markdown);
std::string spell_plan(const Plan& plan);

// invalid_argument names what the Markdown would not give back as it was given: a title of two lines, a description
// with a box in it, an item more than one level below the one above.
Result<void> check_comes_back(const Plan& given, std::string_view markdown);

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
// skipped, it becomes completed. invalid_argument as check_comes_back.
Result<std::string> update_items(std::string_view markdown, std::span<const ItemChange> items);

// The value of **Status:**; the line is made when it is missing.
Result<std::string> set_plan_status(std::string_view markdown, std::string_view status);

// What is pending or in progress becomes done, as when the agent says so.
Result<std::string> finish_items(std::string_view markdown);

}  // namespace holdfast::inline v1
