// Opens a disk as the next process would and holds its store against the ledger.
#pragma once

#include "store_ledger.h"
#include "store_world.h"

namespace holdfast::lab {

// Changes the disk: it recovers, brings back what is in the trash, and writes, to
// show that the store can be used. True when every promise was kept.
bool verify_store(FileSystem& files, const std::string& top, const StoreTraits& traits, const Ledger& ledger,
                  const Judgement& judgement, std::uint64_t salt, const std::string& what, Outcome& outcome);

// What is there under an id that its caller was never told: a fork in flight, by its title.
void adopt_unanswered(const Ledger& ledger, Picture& picture);

// Leaves out what a power loss, or a kill inside a write, does to a log.
void forgive_torn_logs(const StoreTraits& traits, Picture& picture);

}  // namespace holdfast::lab
