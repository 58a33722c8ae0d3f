// A session that belongs to a process which is not this one: an agent's shell
// script calls `holdfast` again and again, and its session counts as running
// until the script ends (decision 14). The lease carries the owner's note.
// Thread-safety: as Store.
#pragma once

#include <holdfast/lease.h>
#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// True when the living owner is the one with this note already; false when
// nobody living owns the session. busy, with the owner in words: another one does.
Result<bool> owned_by(const Context& context, Store& store, std::string_view id, std::string_view note);

// busy, with the owner in words, while a living process has the session's lease and it is not the one with this note.
// `id` is whole. Looks at the lease alone.
Result<void> check_not_owned(Store& store, std::string_view id, std::string_view note);

// Takes the lease for the owner; alive as long as the Lease is. busy as above.
Result<Lease> own_session(const Context& context, Store& store, std::string_view id, std::string_view note);

// The owner lets the session go; nothing happens when it is not the owner's.
Result<void> release_session_lease(const Context& context, Store& store, std::string_view id, std::string_view note);

// Whether a writer of this very Store had the session's lease and lost it.
bool lease_lost(Store& store, std::string_view id);

// The owner died: nobody owns the session from now on. busy while one lives.
Result<void> forget_dead_owner(const Context& context, Store& store, std::string_view id);

// Takes the session from whoever has it, who notices at its next write.
Result<void> break_session_lease(const Context& context, Store& store, std::string_view id);

struct LeaseHolder {
  std::string name = {};  // of the lease: session-ID, run-ID
  bool alive = false;
  LeaseOwner owner = {};  // the last one that was written down
};

// Everybody who has a lease of this store, or died with one; by name. Reads only.
Result<std::vector<LeaseHolder>> lease_holders(const Context& context, Store& store);

}  // namespace holdfast::inline v1
