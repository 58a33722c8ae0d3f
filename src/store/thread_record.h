// The record of a thread, as far as the life of its sessions needs it: a session is made in the
// thread of its project, or in a new one. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ThreadDraft {
  std::string id = {};  // empty: a new one
  std::string title = {};
  std::string project = {};
  std::string harness = {};
  std::string model = {};
  std::string privacy = {};   // an object; empty: nothing leaves this machine, nothing is redacted
  std::string metadata = {};  // an object
};

// A thread's record as spell_record takes it.
std::string new_thread(const ThreadDraft& draft, std::string_view now);
// The newest record of that project path; empty when there is none, or no path.
std::string thread_of_project(const std::vector<std::string>& threads, std::string_view project);

// The order of lists: pinned threads first, then the newest.
bool thread_comes_first(const std::string& a, const std::string& b);

}  // namespace holdfast::inline v1
