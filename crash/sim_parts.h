// Parts of T5: what processes can do to each other besides logs and documents.
#pragma once

#include "lab.h"

namespace holdfast::lab {

void run_interleavings(Outcome& outcome);      // sim_interleavings.cc: logs, documents and commits
void run_leases(Outcome& outcome);             // sim_leases.cc
void run_heads(Outcome& outcome);              // sim_heads.cc: first lines of shared logs
void run_planted(Outcome& outcome);            // sim_planted.cc: what others added or removed
void run_planted_logs(Outcome& outcome);       // sim_planted_logs.cc: last lines, checksums, suspect versions
void run_planted_documents(Outcome& outcome);  // sim_planted_documents.cc: bytes, removals and names
void run_journals(Outcome& outcome);           // sim_journals.cc: commits over a suspect journal or log
void run_refused(Outcome& outcome);            // sim_refused.cc: commits that cannot be completed
void run_scenes(Outcome& outcome);             // sim_scenes.cc: scenes with one right outcome each
void run_locks(Outcome& outcome);              // sim_locks.cc: locks of a store that others hold
void run_blobs(Outcome& outcome);              // sim_blobs.cc: large texts and their collection
void run_corners(Outcome& outcome);            // sim_corners.cc: small promises of a store
void run_trash(Outcome& outcome);              // sim_trash.cc: sessions that are removed and restored
// sim_entries.cc: transactions of other programs; of the calls at which they can meet, one in `every`.
void run_entries(Outcome& outcome, std::uint64_t every);

void run_archive_scenes(Outcome& outcome);  // archive_scenes.cc: part of `archive`
void run_sync_scenes(Outcome& outcome);     // sync_scenes.cc: part of `sync`

}  // namespace holdfast::lab
