// Reads all of a store through a door.
#pragma once

#include "store_door.h"
#include "store_ledger.h"
#include "store_traits.h"

namespace holdfast::lab {

// What is in the trash is only named. With `damage`, verify is asked too.
Result<Picture> look_at(Door& door, const StoreTraits& traits, bool damage);

// Brings everything in the trash back; the ids.
Result<std::vector<std::string>> restore_all(Door& door);

}  // namespace holdfast::lab
