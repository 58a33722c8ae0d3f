// Dry runs: what a call would do, or the error that it would return.
// Thread-safety: as the operations themselves.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

class Overlay;

// The stores of a door, for a call that must change nothing: every change is kept in memory and dropped at the end.
class Rehearsal {
 public:
  explicit Rehearsal(const Stores& stores);
  ~Rehearsal();

  Stores& stores() { return stores_; }
  // Whether the call changed more than is kept in memory. If so, its error says nothing about the real call.
  bool gave_up() const;

 private:
  std::unique_ptr<Overlay> files_;  // outlives the stores
  Stores stores_;
};

// Makes the call in a rehearsal: fails as the call would, except with what depends on other processes, such as busy.
// Does nothing if that cannot be found out: for operations that are not can_rehearse(), remotes on a server, sessions
// of other machines, and changes that are too large.
Result<void> rehearse(const Call& call);
// Whether everything that the operation changes is in files, apart from remotes on a server.
bool can_rehearse(const Operation& operation);

// Describes what the call would do; nullptr if the operation has no specific description. Fails as the call would, as
// far as that is known without a rehearsal.
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
Result<std::string> would_fork(Call& call);           // session.fork
Result<std::string> would_make_store(Call& call);     // store.create
Result<std::string> would_print(Call& call);          // session.export
Result<std::string> would_share(Call& call);
Result<std::string> would_rescue(Call& call);
Result<std::string> would_init_queue(Call& call);
Result<std::string> would_capture(Call& call);  // archive.run
Result<std::string> would_turn_timer_on(Call& call);
Result<std::string> would_turn_timer_off(Call& call);

}  // namespace holdfast::inline v1
