// store.doctor: reports problems with the stores of this machine; changes nothing.
// The report can be posted anywhere: it has no titles, no text of sessions, no
// secrets, and ~ instead of the home directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// A process that works on something in a store, or died doing so. The note is left out: it may be private.
struct DoctorLease {
  std::string name;  // session-ID, run-ID
  bool alive = false;
  std::int64_t pid = 0;
  std::string since;
};

struct DoctorStore {
  std::string layout, agent, root;
  bool writable = false;  // Holdfast may write to stores of this layout
  std::size_t sessions = 0, running = 0, interrupted = 0, damaged = 0;
  std::uint64_t bytes = 0;
  std::string newest, oldest;  // updated_at
  std::string mode;            // "0700"; empty if the root cannot be examined
  std::string file_system;
  std::uint64_t free_bytes = 0;
  std::size_t leases = 0, unfinished = 0, poison = 0, copied_aside = 0;  // files in its side folder
  std::size_t moved_aside = 0;  // sessions and documents that could not be read
  std::string moved_to = {};    // where they are, below the root
  std::vector<DoctorLease> holders;
  int deletes_after_days = 0;  // when the agent deletes sessions; 0 if it does not
};

struct DoctorProblem {
  enum class Kind { note, damage, unavailable };
  Kind kind = Kind::note;
  std::string where;        // a store or a file; "" for the machine
  std::string message;      // what is wrong, and what to do about it
  std::uint64_t times = 1;  // places in that file where it is wrong
};

struct DoctorReport {
  std::string version, system, home;
  std::string cache;
  std::vector<std::string> settings;  // configuration files that exist
  std::vector<DoctorStore> stores;
  std::vector<DoctorProblem> problems;
};

// Thread-safety: pure functions.
std::string doctor_json(const DoctorReport& report);
// Adds the problems that follow from the figures of a store: permissions, space, leftovers, damage, retention.
void add_problems(DoctorReport& report, const DoctorStore& store);
// Examines the store that the call names, or all stores of this machine.
Result<DoctorReport> examine_stores(const Call& call);

}  // namespace holdfast::inline v1
