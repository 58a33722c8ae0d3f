#include "parts.h"

#include "lab.h"

namespace holdfast::lab {

const std::vector<Part>& parts() {
  static const std::vector<Part> table{
      {"t1", "simulated crash states of small workloads, all of them, and of long ones", &run_t1, Hours::itself},
      {"t2", "every mutating call fails, once or for good", &run_t2},
      {"t6", "every sync fails", &run_t6},
      {"t7", "cuts, NULs, flipped bits and garbage at every byte", &run_t7, Hours::itself},
      {"t5", "a second process acts at every call of the first", &run_t5, Hours::once},
      {"t13", "each step left out: somebody must notice", &run_t13, Hours::once},
      {"t3", "kill -9 of real writers", &run_t3, Hours::itself},
      {"t12", "jq, Node and Python read what is left after a storm", &run_t12, Hours::itself},
      {"t15", "the same crashes on what others do", &run_t15},
      {"t9", "eight processes append to the same logs, some of them foreign", &run_t9, Hours::itself},
      {"t4", "power cuts on real ext4 and xfs", &run_t4, Hours::itself},
      {"t8", "real full disks, then room again", &run_t8},
      {"t6d", "every sync fails, on a real disk", &run_t6d, Hours::once},
      {"t14", "planted links, devices and names, and a race of swapped ones", &run_t14},
      {"t16", "stores of every layout, crashed in the middle of their operations", &run_t16},
      {"t17", "stores of every layout on a disk that fails", &run_t17},
      {"t18", "kill -9 of processes that serve stores to a crowd", &run_t18, Hours::itself},
      {"archive", "captures, compaction, forgetting and restoring, cut off anywhere", &run_archive, Hours::seeds, true},
      {"handoff", "sessions on their way to another agent, cut off anywhere", &run_handoff, Hours::once},
      {"sync", "devices that share sessions over a remote that fails and lies", &run_sync, Hours::seeds, true},
  };
  return table;
}

}  // namespace holdfast::lab
