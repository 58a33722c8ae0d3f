// Who a process is, beyond its reusable number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot; 0 when unknown
  std::string boot_id;
  std::string host;
};

ProcessIdentity this_process();

// When a process started, in clock ticks since boot; nullopt: there is none of that number.
std::optional<std::uint64_t> process_start(std::int64_t pid);
// The same in nanoseconds since 1970, to a second or so.
std::optional<std::int64_t> process_start_ns(std::int64_t pid);

// Whether a process holds a lock (flock) of the file with that inode under a path that
// ends so. Takes no lock, which whoever wants it would find taken.
bool is_locked(std::uint64_t inode, std::string_view path_end);

// A process, not this one, that has the file open for writing, as far as the system lets us see; nullopt: none.
std::optional<std::int64_t> process_writing(const std::string& path);

}  // namespace holdfast::inline v1
