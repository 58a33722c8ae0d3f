// Identifies a process beyond its reusable pid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot; 0 if unknown
  std::string boot_id;
  std::string host;
};

ProcessIdentity this_process();
// Only its pid, at once. Differs in a child made by fork.
std::int64_t this_process_id();

// When a process started, in clock ticks since boot; nullopt if there is no such process.
std::optional<std::uint64_t> process_start(std::int64_t pid);
// The same in nanoseconds since 1970, accurate to about a second.
std::optional<std::int64_t> process_start_ns(std::int64_t pid);

// True if a process holds a lock (flock) on the file with this inode and a path that
// ends in `path_end`. Takes no lock itself, so it never makes another process wait.
bool is_locked(std::uint64_t inode, std::string_view path_end);

// A process other than this one that has the file open for writing, as far as the system shows us; nullopt if none.
std::optional<std::int64_t> find_writing_process(const std::string& path);

}  // namespace holdfast::inline v1
