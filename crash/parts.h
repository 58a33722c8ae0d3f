// One function per part, each in its own file.
#pragma once

#include "lab.h"

namespace holdfast::lab {

Outcome run_t1(const Options& options);   // sim_crash_states.cc
Outcome run_t2(const Options& options);   // sim_faults.cc
Outcome run_t3(const Options& options);   // storm.cc
Outcome run_t4(const Options& options);   // power_cut.cc
Outcome run_t5(const Options& options);   // sim_interleavings.cc
Outcome run_t6(const Options& options);   // sim_sync_failure.cc
Outcome run_t6d(const Options& options);  // fuse_sync_failure.cc: a real disk
Outcome run_t7(const Options& options);   // damage.cc
Outcome run_t8(const Options& options);   // disk_full.cc
Outcome run_t9(const Options& options);   // soak.cc
Outcome run_t12(const Options& options);  // interop.cc
Outcome run_t13(const Options& options);  // mutants.cc
Outcome run_t14(const Options& options);  // unsafe_paths.cc
Outcome run_t15(const Options& options);  // peers.cc

// The second floor: stores, and `holdfast rpc`.
Outcome run_t16(const Options& options);  // store_crash_states.cc
Outcome run_t17(const Options& options);  // store_faults.cc
Outcome run_t18(const Options& options);  // rpc_storms.cc

// Copies that outlive their agents.
Outcome run_archive(const Options& options);  // archive_histories.cc

// New sessions in the stores of other agents.
Outcome run_handoff(const Options& options);  // handoff_crashes.cc

// Several machines.
Outcome run_sync(const Options& options);  // sync_histories.cc

}  // namespace holdfast::lab
