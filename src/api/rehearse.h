// What a call that makes a session would do, found out without making it: the same checks on a store in memory.
// Thread-safety: as the operations themselves.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

// An empty store in memory of the layout that the call would write to. already_exists when the store that is meant has
// a session of that id already; it need not exist.
Result<std::shared_ptr<Store>> store_to_rehearse(const Call& call, const std::string& id);

// What tells what a call with dry_run would do; nullptr: nothing of its own.
Handler rehearsal_of(const Operation& operation);
// Whether dry_run of it answers what it would do, as kDryRunResult says: it writes, or it makes a file or changes
// something outside of every store and says in its parameters (dry_run_parameter) that this can be rehearsed.
bool is_rehearsed(const Operation& operation);
// Of an operation that makes its store where there is none: what finds out on a store in memory whether a call would be
// refused, so that nothing is made for it. nullptr: nothing does.
Handler check_before_making(const Operation& operation);
Parameter dry_run_parameter();

// Of an operation that has no rehearsal of its own: its summary, about what the call names. `session`: the one that it
// means, "session ID of STORE", or nothing.
std::string would_in_general(const Operation& operation, JsonView params, const std::string& session);

// Previews for --dry-run: what would be done, in a sentence, or the error of a real run.
Result<std::string> would_create(Call& call);
Result<std::string> would_import(Call& call);
Result<std::string> would_append(Call& call);         // message.append
Result<std::string> would_write_entries(Call& call);  // entry.append, entry.replace
Result<std::string> would_update(Call& call);         // session.update
Result<std::string> would_end(Call& call);            // session.end
Result<std::string> would_make_store(Call& call);     // store.create
Result<std::string> would_print(Call& call);          // session.export
Result<std::string> would_share(Call& call);
Result<std::string> would_rescue(Call& call);
Result<std::string> would_init_queue(Call& call);
Result<std::string> would_turn_timer_on(Call& call);
Result<std::string> would_turn_timer_off(Call& call);

}  // namespace holdfast::inline v1
