// A run of an agent: which agent worked, for what, and how it ended.
#pragma once

#include "model/record.h"

namespace holdfast::inline v1 {

enum class RunStatus { running, completed, failed, cancelled, interrupted };
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<RunStatus> =
    std::to_array<std::string_view>({"running", "completed", "failed", "cancelled", "interrupted"});

struct Run {
  std::string id = {};
  std::string project = {};  // real path
  std::string agent = {};
  std::string kind = {};  // of the agent; empty if unknown
  std::string session = {};
  std::string parent = {};  // the run that started this one
  std::string detail = {};
  Word<RunStatus> status = {};  // interrupted is never stored: the file says running, and the owner is dead
  std::string started_at = {}, ended_at = {};
  std::string source = {};
};
template <>
inline constexpr auto kMembers<Run> = std::to_array(
    {required<&Run::project>("repo_path"), optional<&Run::session>("session_id"), required<&Run::agent>("agent_id"),
     optional<&Run::kind>("agent_kind"), optional<&Run::parent>("parent_run_id"), required<&Run::status>("status"),
     optional<&Run::detail>("detail"), required<&Run::started_at>("started_at"), optional<&Run::ended_at>("ended_at")});

}  // namespace holdfast::inline v1
