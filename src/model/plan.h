// Plans as Markdown: reads one, writes a new one, and changes one without
// touching more bytes than needed. Format: docs/formats/linggen.md.
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
  std::string description;  // its lines without indentation
  std::size_t depth = 0;    // 0 at the top level
};

struct Plan {
  std::string id;
  std::string summary;
  Word<PlanStatus> status = PlanStatus::planned;
  Word<PlanOrigin> origin = PlanOrigin::model_managed;
  std::vector<PlanItem> items;
};

// Never fails; an unknown status becomes executing, an unknown origin model_managed.
Plan read_plan(std::string_view markdown);
std::string format_plan(const Plan& plan);

// Fails with invalid_argument, naming what would not be read back as given: a title of two lines, a description
// with a checkbox in it, an item more than one level below the one above.
Result<void> check_round_trip(const Plan& given, std::string_view markdown);

// A change of a plan's item; empty optionals change nothing.
struct ItemChange {
  std::string title;
  std::optional<ItemStatus> status;
  std::optional<std::string> description;
  std::size_t depth = 0;  // for a new item
};

// If the plan has every title, changes these items in place. Otherwise they replace
// the old list, and a title that was there keeps its status and description unless
// the change sets them. Equal titles are matched in order. Other text stays. Then,
// if the plan is executing and everything is done or skipped, the plan becomes
// completed. Fails with invalid_argument like check_round_trip.
Result<std::string> update_items(std::string_view markdown, std::span<const ItemChange> items);

// Sets the value of **Status:**, adding the line if it is missing.
Result<std::string> set_plan_status(std::string_view markdown, std::string_view status);

// Marks pending and in-progress items as done, as when the agent reports completion.
Result<std::string> finish_items(std::string_view markdown);

}  // namespace holdfast::inline v1
