// What a call that makes a session would do, found out without making it: the same checks on a store in memory.
// Thread-safety: as the operations themselves.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

// An empty store in memory of the layout that the call would write to. already_exists when the store that is meant has
// a session of that id already; it need not exist.
Result<std::shared_ptr<Store>> store_to_rehearse(const Call& call, const std::string& id);

// Previews for --dry-run: what would be done, in a sentence, or the error of a real run.
Result<std::string> would_create(Call& call);
Result<std::string> would_import(Call& call);
Result<std::string> would_append(Call& call);         // message.append
Result<std::string> would_write_entries(Call& call);  // entry.append, entry.replace

}  // namespace holdfast::inline v1
