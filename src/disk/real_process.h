// Who a process is, beyond its reusable number.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot; 0 when unknown
  std::string boot_id;
  std::string host;
};

ProcessIdentity this_process();

}  // namespace holdfast::inline v1
