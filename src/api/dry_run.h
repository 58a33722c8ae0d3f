// Dry runs: what a call would do, or the error that it would return.
// Thread-safety: as the operations themselves.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

// Makes the call with every change kept in memory, and drops the changes: fails as the call would, except with what
// depends on other processes, such as busy. Does nothing for operations that are not can_rehearse().
Result<void> rehearse(const Call& call);
// Whether everything that the operation changes is in files, and not too much to be kept in memory.
bool can_rehearse(const Operation& operation);

// Describes what the call would do; nullptr if the operation has no specific description. For an operation that is not
// can_rehearse(), it also fails as the call would.
Handler dry_run_handler(const Operation& operation);
// Whether the operation answers kDryRunResult to dry_run: it writes to a store, or it changes something outside of all
// stores and has dry_run_parameter.
bool supports_dry_run(const Operation& operation);
Parameter dry_run_parameter();

// For an operation without a specific dry run: its summary and what the call names. `session` is the session that the
// call refers to, as "session ID of STORE", or empty.
std::string describe_dry_run(const Operation& operation, JsonView params, const std::string& session);

// Handlers for --dry-run: describe in a sentence what would be done, or fail as a real run would.
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
