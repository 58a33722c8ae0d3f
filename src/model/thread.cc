#include "model/thread.h"

#include "model/when.h"

namespace holdfast::inline v1 {

std::span<const Member<Thread>> Thread::members() {
  static constexpr auto kMembers = std::to_array(
      {required<&Thread::title>("title"), required<&Thread::created_at>("created_at"),
       required<&Thread::updated_at>("updated_at"), required<&Thread::project>("project_path"),
       required<&Thread::harness>("harness"), required<&Thread::model>("model"),
       optional<&Thread::last_session>("last_session_id"), optional<&Thread::state_snapshot>("state_snapshot"),
       optional<&Thread::privacy>("privacy"), optional<&Thread::metadata>("metadata")});
  return kMembers;
}

bool Thread::pinned() const { return metadata.view().find("pinned").as_bool().value_or(false); }

bool comes_first(const Thread& a, const Thread& b) {
  if (a.pinned() != b.pinned()) return a.pinned();
  const auto a_time = parse_when(a.updated_at), b_time = parse_when(b.updated_at);
  if (a_time != b_time) return a_time > b_time;
  return a.id < b.id;
}

const Thread* thread_of_project(const std::vector<Thread>& threads, std::string_view project) {
  const Thread* best = nullptr;
  for (const Thread& thread : threads) {
    if (project.empty() || thread.project != project) continue;
    if (best == nullptr || comes_first(thread, *best)) best = &thread;
  }
  return best;
}

}  // namespace holdfast::inline v1
