// Restoring from the trash: all or nothing, and durable before the trash drops its copy. Requires the exclusive
// sessions lock.
#pragma once

#include "store/trash_folder.h"

namespace holdfast::inline v1 {

bool is_in_place(Directory& directory, const TrashFolder& found);

// Moves everything from the trash to its place; what is already in place is made durable. Pass `again` if there was an
// earlier attempt: its sync may have failed and the next one could not be trusted (I-7), so every name is made again.
// Data written in the meantime to a file that goes back to the trash for that goes with it. already_exists: nothing
// has changed; durability_unknown: the restore is not finished.
Result<void> put_back(const Context& context, Root& root, const TrashFolder& found, bool again);

// Deletes the trash's copy once everything is back in place. The names in the trash go before the manifest: nobody
// can write to a log with two names, and without the manifest no second restore would fix that.
Result<void> drop_trash_copy(Root& root, const TrashFolder& found);

// Call if none of it is in its place: makes that durable, whatever failed before.
Result<void> keep_in_trash(Root& root, const TrashFolder& found);

Error as_durability_unknown(Error cause, std::string_view what);

}  // namespace holdfast::inline v1
