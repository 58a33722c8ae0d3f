#include "model/run.h"

namespace holdfast::inline v1 {

std::span<const Member<Run>> Run::members() {
  static constexpr auto kMembers = std::to_array(
      {required<&Run::project>("repo_path"), optional<&Run::session>("session_id"), required<&Run::agent>("agent_id"),
       optional<&Run::kind>("agent_kind"), optional<&Run::parent>("parent_run_id"), required<&Run::status>("status"),
       optional<&Run::detail>("detail"), required<&Run::started_at>("started_at"),
       optional<&Run::ended_at>("ended_at")});
  return kMembers;
}

}  // namespace holdfast::inline v1
