// Opens a disk as the next process would and holds its store against the ledger.
#pragma once

#include "store_ledger.h"
#include "store_world.h"

namespace holdfast::lab {

// Changes the disk: it recovers, brings back what is in the trash, and writes, to
// show that the store can be used. True when every promise was kept.
bool verify_store(FileSystem& files, const std::string& top, const StoreTraits& traits, const Ledger& ledger,
                  const Judgement& judgement, std::uint64_t salt, const std::string& what, Outcome& outcome);

// What is there under an id that its caller was never told: a fork in flight, by its title; while
// nobody has `finished` it, that may still be missing.
void adopt_unanswered(const Ledger& ledger, bool finished, Picture& picture);

// Leaves out what is not our making: what a power loss, or a kill inside a write, does to
// a log, and half a pair of a tool's call and its output whose other half nobody was told is kept.
void forgive_damage(const StoreTraits& traits, const Ledger& ledger, const Judgement& judgement, Picture& picture);

}  // namespace holdfast::lab
