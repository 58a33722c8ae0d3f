// Scenes of a store with a known end, played once for each layout: what chance
// would seldom bring about.
#pragma once

#include "lab.h"
#include "store_traits.h"

namespace holdfast::lab {

// Whoever lost a session's lease is told so, and writes nothing more.
void play_lost_lease(const StoreTraits& traits, Outcome& outcome);
// A text that lies in a file of its own is not shown when its bytes are others.
void play_flipped_text(const StoreTraits& traits, Outcome& outcome);
// A session that another caller put into the trash is not made anew by an append.
void play_trashed_meanwhile(const StoreTraits& traits, Outcome& outcome);

}  // namespace holdfast::lab
