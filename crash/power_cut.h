// Cuts the power of a real file system under a writer, repeatedly. The cycle serves any writer (T4: ours, T15: others).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "loop_disk.h"

namespace holdfast::lab {

struct CutPlan {
  DiskKind kind = DiskKind::ext4;
  unsigned cycles = 0;
  std::string scratch;     // an empty directory; the disk is mounted below it
  unsigned megabytes = 0;  // size of the image; 0: 64 for ext4, 320 for xfs
};

// A started writer; it must call die_with_parent(). Its power is cut `delay` after its start, or after its
// first report if it should be running by then.
struct CutWriter {
  pid_t pid = -1;
  std::chrono::microseconds delay{};
  bool after_first_word = true;
};

// One cut, after the file system has recovered and is mounted again.
struct Cut {
  unsigned cycle = 0;
  std::string mount;          // where the disk is mounted
  std::string said;           // everything the writer reported
  std::int64_t begin_ns = 0;  // steady clock: just before the cut
  std::int64_t end_ns = 0;    // ... and just after
};

struct CutResult {
  std::uint64_t cuts = 0;
  std::string error;  // why it stopped early; empty if all cycles were done
};

// In each cycle: starts the writer with the mount point and the descriptor for
// its report (one process; it must close the descriptor by dying), cuts the
// power, kills the writer, unmounts, mounts and calls `check`. One image serves
// all cycles and keeps its content.
//
// What a report proves: a sync that is in flight during the shutdown can return
// success for data that is lost (no real drive does that). So a promise counts
// only if the same thread of the writer, after the promise was made,
// successfully did one more thing on that disk that fails after the shutdown: a
// sync, or a plain write() to a file that is already open (CutProof). The write
// is the better proof: it makes nothing durable itself, while a sync commits
// the file system's whole journal and hides a forgotten sync of a directory.
// The writer and `check` must apply this rule.
CutResult cut_cycles(const CutPlan& plan,
                     const std::function<CutWriter(const std::string& mount, int report, unsigned cycle)>& start_writer,
                     const std::function<void(const Cut&)>& check);

// A file on the disk whose power will be cut, for one thread of a writer.
class CutProof {
 public:
  CutProof(const std::string& mount, unsigned thread);
  CutProof(const CutProof&) = delete;
  CutProof& operator=(const CutProof&) = delete;
  ~CutProof();
  // Returns true if the power was still on after everything that this thread did before.
  bool power_is_on() const;

 private:
  int file_;
};

// Nanoseconds of the steady clock, the same in every process.
std::int64_t steady_ns();

}  // namespace holdfast::lab
