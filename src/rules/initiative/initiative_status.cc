#include "rules/initiative/initiative_status.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {
namespace {

struct StatusStep {
  std::string_view from, to;
};
constexpr std::array<StatusStep, 5> kSteps = {{{"created", "in_progress"},
                                               {"in_progress", "blocked"},
                                               {"blocked", "in_progress"},
                                               {"in_progress", "completed"},
                                               {"completed", "archived"}}};

}  // namespace

std::string_view plain_status(std::string_view status) { return status == "planned" ? "created" : status; }

bool is_initiative_status(std::string_view status) {
  const std::string_view plain = plain_status(status);
  return std::ranges::any_of(kSteps, [&](const StatusStep& step) { return step.from == plain || step.to == plain; });
}

Result<void> check_status_step(std::string_view from, std::string_view to) {
  from = plain_status(from);
  to = plain_status(to);
  if (!is_initiative_status(to))
    return fail(Code::invalid_argument, "not a status of an initiative: " + std::string(to) +
                                            "; use created, in_progress, blocked, completed or archived");
  if (from == to || !is_initiative_status(from)) return {};
  const std::string step = std::string(from) + " → " + std::string(to) + " is refused: ";
  if (from == "archived") return fail(Code::invalid_argument, step + "archived is terminal");
  if (from == "completed" && to == "in_progress")
    return fail(Code::invalid_argument, step + "must create new initiative");
  std::string choices;
  for (const StatusStep& one : kSteps) {
    if (one.from == from && one.to == to) return {};
    if (one.from == from) choices += (choices.empty() ? "" : " or ") + std::string(one.to);
  }
  return fail(Code::invalid_argument, step + "after " + std::string(from) + " comes " + choices);
}

}  // namespace holdfast::inline v1
