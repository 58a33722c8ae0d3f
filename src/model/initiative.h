// An initiative: work over several milestones whose state outlives sessions.
#pragma once

#include <holdfast/error.h>

#include "model/record.h"

namespace holdfast::inline v1 {

enum class InitiativeStatus { created, in_progress, blocked, completed, archived };
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<InitiativeStatus> =
    std::to_array<std::string_view>({"created", "in_progress", "blocked", "completed", "archived"});

struct Initiative {
  std::string id = {};  // empty: there is one per project
  std::string name = {};
  Word<InitiativeStatus> status = {};
  std::string current_milestone = {};
  std::string last_updated = {};
  JsonText progress = {};     // an object: maps a milestone to pending, in_progress or completed
  JsonText checkpoints = {};  // an array
  std::string next_action = {};
  std::string source = {};

  // The first milestone after `done` that is not completed, in the order of the map; empty if none.
  std::string milestone_after(std::string_view done) const;
  Result<void> set_progress(std::string_view milestone, std::string_view state);
  Result<void> add_checkpoint(std::string_view checkpoint_json);
};
template <>
inline constexpr auto kMembers<Initiative> = std::to_array(
    {required<&Initiative::name>("name"), required<&Initiative::status>("status"),
     optional<&Initiative::current_milestone>("current_milestone"), optional<&Initiative::progress>("progress"),
     optional<&Initiative::checkpoints>("checkpoints"), optional<&Initiative::next_action>("next_action"),
     required<&Initiative::last_updated>("last_updated")});

}  // namespace holdfast::inline v1
