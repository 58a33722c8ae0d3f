// Who asks to remove, move or empty a session. An owner may do that to its own session, and keeps the lease until it is
// done: a request that is refused must not cost it the session.
#pragma once

#include <string>

namespace holdfast::inline v1 {

// By default, of nobody: then every living owner is another one.
struct OwnerClaim {
  bool own_writers = false;  // the session may be open for writing in this very Store, with its lease
  std::string note = {};     // the session may belong to the owner with this note (session_owner.h)
};

}  // namespace holdfast::inline v1
