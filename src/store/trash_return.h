// The way back from the trash: all of it or nothing, and durable before the trash lets go of it. For holders of the
// lock of the sessions, exclusive.
#pragma once

#include "store/trash_folder.h"

namespace holdfast::inline v1 {

bool is_in_place(Directory& directory, const TrashFolder& found);

// What is in the trash, in its place; what is there already is made durable. `again`: somebody has tried before, and a
// sync may have failed then, so that the next one may lie (I-7): every name is given anew. What was written meanwhile
// to a file that goes back once more goes with it. already_exists: nothing has changed; durability_unknown: it has not
// ended.
Result<void> put_back(const Context& context, Root& root, const TrashFolder& found, bool again);

// What came back has its place again: the trash forgets it. The names in the trash go before the manifest: a log of
// two names is written by nobody, and with the manifest gone no second restore would mend that.
Result<void> let_go(Root& root, const TrashFolder& found);

// Nothing of it is in its place: that is durable, whatever has failed before.
Result<void> keep_in_trash(Root& root, const TrashFolder& found);

Error in_between(Error cause, std::string_view what);

}  // namespace holdfast::inline v1
