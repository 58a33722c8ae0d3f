// Where else a session was continued: on other machines and by other agents (docs/formats/sync.md).
#pragma once

#include <string>
#include <vector>

#include "api/call.h"
#include "api/session_name.h"

namespace holdfast::inline v1 {

struct OtherBranch {
  std::string machine = {};  // empty for this machine
  SessionName name = {};     // a different one if another agent continues the session
  std::string updated_at = {};
  bool here = true;         // its bytes are on this machine
  bool continues = false;   // begins with the whole session; else they diverged, or that is not known yet
  bool handed_off = false;  // another session, which was handed off from this one
};

// For a session of this machine; none if `store`, in which it was found, is of another one, or the call names a store.
// Works offline: searches what sync has read for the id, and reads more only if it is found.
std::vector<OtherBranch> other_branches(const Call& call, std::string_view store, const SessionName& name,
                                        std::string_view updated_at);

// Writes "other_branches" if there are any.
void write_other_branches(JsonWriter& json, const std::vector<OtherBranch>& branches);

}  // namespace holdfast::inline v1
