// Real processes on one store on real files.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/store.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "crash/disk/sim_testing.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {

// Opens for writing, creating the store if it is missing.
inline Result<std::shared_ptr<Store>> try_open_at(const std::string& layout, const std::string& path) {
  StoreOptions options;
  options.layout = layout;
  options.roots[""] = path;
  options.write = options.create = true;
  return Store::open({}, real_file_system(), options);
}
// The same; nullptr on failure.
inline std::shared_ptr<Store> open_at(const std::string& layout, const std::string& path) {
  return try_open_at(layout, path).value_or(nullptr);
}

// Starts a process that exits with 0 if `work` returns true.
inline pid_t start_process(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}

inline void expect_all_well(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

// Runs `count` of them at once, each with its number.
inline void in_processes(int count, const std::function<bool(int)>& work) {
  std::vector<pid_t> children;
  for (int n = 0; n < count; ++n) children.push_back(start_process([&] { return work(n); }));
  expect_all_well(children);
}

}  // namespace holdfast::inline v1
