// Scenes of a store with a known outcome, played once for each layout: situations that rarely occur by chance.
#pragma once

#include "lab.h"
#include "store_traits.h"

namespace holdfast::lab {

// A caller that lost a session's lease is told so, and writes nothing more.
void play_lost_lease(const StoreTraits& traits, Outcome& outcome);
// A text in its own file is not shown if its bytes have changed.
void play_flipped_text(const StoreTraits& traits, Outcome& outcome);
// An append does not create a session again that another caller moved to the trash.
void play_trashed_meanwhile(const StoreTraits& traits, Outcome& outcome);

}  // namespace holdfast::lab
