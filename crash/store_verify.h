// Opens a disk as the next process would and compares its store with the ledger.
#pragma once

#include "store_ledger.h"
#include "store_world.h"

namespace holdfast::lab {

// Changes the disk: recovers, restores what is in the trash, and writes, to show
// that the store is usable. Returns true if every promise was kept.
bool verify_store(FileSystem& files, const std::string& top, const StoreTraits& traits, const Ledger& ledger,
                  const Judgement& judgement, std::uint64_t salt, const std::string& what, Outcome& outcome);

// Handles things with an id that their caller was never told: a fork in flight, recognized by its
// title, which may still be missing while nobody has `finished` it.
void adopt_unanswered(const Ledger& ledger, bool finished, Picture& picture);

// Removes findings that are not our fault: what a power loss, or a kill inside a write, does to a
// log, and half of a tool call and its output if nobody was told that the other half is kept.
void forgive_damage(const StoreTraits& traits, const Ledger& ledger, const Judgement& judgement, Picture& picture);

}  // namespace holdfast::lab
