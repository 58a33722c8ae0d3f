// Reads a whole store through a door.
#pragma once

#include "store_door.h"
#include "store_ledger.h"
#include "store_traits.h"

namespace holdfast::lab {

// Lists what is in the trash without reading it. With `damage`, also runs verify.
Result<Picture> look_at(Door& door, const StoreTraits& traits, bool damage);

// Restores everything in the trash. Returns the ids.
Result<std::vector<std::string>> restore_all(Door& door);

}  // namespace holdfast::lab
