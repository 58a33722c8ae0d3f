// Missions: what a project's agents are after. One is active at a time; setting
// another one, or clearing, keeps the history. Rules of the seed, for all layouts
// that hold missions. Durable (power) when it returns. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "model/mission.h"
#include "store/typed_records.h"

namespace holdfast::inline v1 {

struct MissionStart {
  std::string project;  // real path; required
  std::string text;
  std::string agents;  // JSON array of {id, idle_prompt, idle_interval_secs}; empty: none
};

// Makes it the active one and every other inactive, in one commit, also when
// several do so at once. The id is the second of its creation: when that is
// taken, or not later than the newest one, the next second after it, so that
// none is overwritten and their order is that of the calls. The new one.
Result<Mission> set_mission(const Context& context, Store& store, const MissionStart& start);

// The active one; not_found when none is. Of several, which only other programs
// can leave behind, the newest.
Result<Mission> get_mission(const Context& context, Store& store, std::string_view project);

// `active: false`, in place. False when none was active.
Result<bool> clear_mission(const Context& context, Store& store, std::string_view project);

// Newest first. An old single mission.json is shown as what it will become.
Result<Listed<Mission>> list_missions(const Context& context, Store& store, std::string_view project);

// Turns an old mission.json into one of the history: both in one commit. One
// that cannot be read stays where it is and is a finding. Setting and clearing
// do this first. False when there was nothing to do.
struct MissionMigration {
  bool migrated = false;
  std::vector<Finding> findings;
};
Result<MissionMigration> migrate_mission(const Context& context, Store& store, std::string_view project);

}  // namespace holdfast::inline v1
