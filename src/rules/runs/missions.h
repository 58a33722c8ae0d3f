// Missions: the goals of a project's agents. One is active at a time; setting another
// one, or clearing, keeps the history. Rules of the seed, for all layouts with
// missions. Durable (power) on return. Thread-safety: as Store.
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

// Makes the new mission active and all others inactive in one commit, also with
// concurrent calls. Its id is the second of its creation; if that is taken, or not
// later than the newest mission, the next free second after it, so none is
// overwritten and ids follow the order of the calls. Returns the new mission.
Result<Mission> set_mission(const Context& context, Store& store, const MissionStart& start);

// Returns the active mission; not_found if there is none. If several are active, which
// only other programs can cause, returns the newest.
Result<Mission> get_mission(const Context& context, Store& store, std::string_view project);

// Sets `active: false` in place. Returns false if none was active.
Result<bool> clear_mission(const Context& context, Store& store, std::string_view project);

// Newest first. Shows an old single mission.json as what it will become.
Result<Listed<Mission>> list_missions(const Context& context, Store& store, std::string_view project);

// Moves an old mission.json into the history, in one commit. If it cannot be read, it
// stays and becomes a finding. Setting and clearing do this first. `migrated` is false
// if there was nothing to do.
struct MissionMigration {
  bool migrated = false;
  std::vector<Finding> findings;
};
Result<MissionMigration> migrate_mission(const Context& context, Store& store, std::string_view project);

}  // namespace holdfast::inline v1
