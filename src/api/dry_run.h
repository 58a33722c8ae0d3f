// Dry runs: find out what a call would do by making the same checks on a store in memory.
// Thread-safety: as the operations themselves.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

// Returns an empty store in memory, of the layout that the call would write to. Fails with already_exists if the real
// store, which need not exist, already has a session with that id.
Result<std::shared_ptr<Store>> make_dry_run_store(const Call& call, const std::string& id);

// The handler of a call with dry_run; nullptr if the operation has no specific one.
Handler dry_run_handler(const Operation& operation);
// Whether the operation answers kDryRunResult to dry_run: it writes to a store, or it changes something outside of all
// stores and has dry_run_parameter.
bool supports_dry_run(const Operation& operation);
// For an operation that creates its store if there is none: the handler that checks on a store in memory whether the
// call would fail, so no store is created for it. nullptr if there is none.
Handler check_before_creating(const Operation& operation);
Parameter dry_run_parameter();

// For an operation without a specific dry run: its summary and what the call names. `session` is the session that the
// call refers to, as "session ID of STORE", or empty.
std::string describe_dry_run(const Operation& operation, JsonView params, const std::string& session);

// Handlers for --dry-run: describe in a sentence what would be done, or fail as a real run would.
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
