// What people are told when a living process works on a session or a run: one sentence, which names the process that
// owns it, not a helper that holds the lease for it. Thread-safety: that of Root.
#pragma once

#include <holdfast/lease.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The process for which the lease is held.
std::int64_t owning_process(const LeaseOwner& owner);

// Returns false if the lease still names an owner that died: a new one first takes the lock and then writes its name.
bool names_living_owner(const LeaseOwner& owner);

// "the session is in use by process 7", and the owner's own note. `what`: "the session".
Error in_use(std::string_view what, std::string_view id, const std::optional<LeaseOwner>& owner);

// The name of a run's lease.
std::string run_lease(std::string_view id);
// Fails with busy while a living process owns the run and is not the one with this note.
Result<void> check_run_unowned(Root& root, std::string_view id, std::string_view owner = {});

// Lease::acquire that fails with this error while another owner lives.
Result<Lease> acquire_lease(const Context& context, const std::shared_ptr<Root>& root, std::string_view name,
                            const std::string& note, std::string_view what, std::string_view id);

}  // namespace holdfast::inline v1
