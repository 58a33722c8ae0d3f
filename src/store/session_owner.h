// A session that belongs to another process than this one: an agent's shell
// script calls `holdfast` again and again, and its session counts as running
// until the script ends (decision 14). The lease carries the owner's note.
// Thread-safety: that of Store.
#pragma once

#include <holdfast/lease.h>
#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// True if the living owner is the one with this note; false if no living process
// owns the session. Fails with busy, describing the owner, if another one does.
Result<bool> is_owned_by(const Context& context, Store& store, std::string_view id, std::string_view note);

// Fails with busy, describing the owner, while a living process holds the session's lease and is not the one with
// this note. `id` must be whole. Reads only the lease.
Result<void> check_not_owned(Store& store, std::string_view id, std::string_view note);

// Takes the lease for the owner, for as long as the Lease exists. Fails with busy as above.
Result<Lease> own_session(const Context& context, Store& store, std::string_view id, std::string_view note);

// Releases the lease; does nothing if the session belongs to another owner. `id` must be whole; the session itself may
// be gone.
Result<void> release_session_lease(const Context& context, Store& store, std::string_view id, std::string_view note);

// True if a writer of this very Store had the session's lease and lost it.
bool lease_lost(Store& store, std::string_view id);

// Removes the lease of an owner that died: then nobody owns the session. Fails with busy while an owner lives.
Result<void> forget_dead_owner(const Context& context, Store& store, std::string_view id);

// Takes the session away from its owner, which notices at its next write.
Result<void> break_session_lease(const Context& context, Store& store, std::string_view id);

struct LeaseHolder {
  std::string name = {};  // name of the lease: session-ID, run-ID
  bool alive = false;
  LeaseOwner owner = {};  // the last one recorded
};

// All processes that hold a lease of this store, or died with one, by name. Reads only.
Result<std::vector<LeaseHolder>> lease_holders(const Context& context, Store& store);

}  // namespace holdfast::inline v1
