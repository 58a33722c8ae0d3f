// `call --owner-pid PID`: a call ends at once, but its session belongs to PID
// until that process ends. A small separate process holds the kernel lock of
// the lease, and ends when PID ends or another process has the lease.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <string>

#include "api/store_settings.h"

namespace holdfast::inline v1 {

struct HoldLease {
  CallOwner::Thing thing;
  std::int64_t owner_pid = 0;
};

// The owner of calls made for a process. Fails with invalid_argument if there is no such process.
Result<CallOwner> call_owner(std::int64_t pid);

// The holder process: prints "held" on standard output once it holds the lease,
// or the error as JSON, and returns when it is no longer needed.
Result<int> run_lease_holder(const HoldLease& request);

}  // namespace holdfast::inline v1
