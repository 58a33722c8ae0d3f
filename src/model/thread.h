// A thread: a conversation that goes on across sessions, one for each project path.
#pragma once

#include <vector>

#include "model/record.h"

namespace holdfast::inline v1 {

struct Thread {
  std::string id = {};
  std::string title = {};
  std::string project = {};  // path of the project
  std::string harness = {};  // the agent program that runs it
  std::string model = {};
  JsonText privacy = {};   // an object; if none, nothing leaves this machine and nothing is redacted
  JsonText metadata = {};  // an object
  std::string created_at = {}, updated_at = {};
  std::string last_session = {};
  JsonText state_snapshot = {};
  std::string source = {};

  bool pinned() const { return metadata.view().find("pinned").as_bool().value_or(false); }
};
template <>
inline constexpr auto kMembers<Thread> = std::to_array(
    {required<&Thread::title>("title"), required<&Thread::created_at>("created_at"),
     required<&Thread::updated_at>("updated_at"), required<&Thread::project>("project_path"),
     required<&Thread::harness>("harness"), required<&Thread::model>("model"),
     optional<&Thread::last_session>("last_session_id"), optional<&Thread::state_snapshot>("state_snapshot"),
     optional<&Thread::privacy>("privacy"), optional<&Thread::metadata>("metadata")});

// Order of lists: pinned threads first, then the newest.
bool comes_first(const Thread& a, const Thread& b);
// The first thread of that project path; nullptr if there is none, or no path.
const Thread* thread_of_project(const std::vector<Thread>& threads, std::string_view project);

}  // namespace holdfast::inline v1
