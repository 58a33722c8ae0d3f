#include "model/thread.h"

#include "model/time_formats.h"

namespace holdfast::inline v1 {

bool comes_first(const Thread& a, const Thread& b) {
  if (a.pinned() != b.pinned()) return a.pinned();
  const auto a_time = parse_any_time(a.updated_at), b_time = parse_any_time(b.updated_at);
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
