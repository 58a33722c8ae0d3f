// Where else a session went on: on other machines, and in other agents (docs/formats/sync.md).
#pragma once

#include <string>
#include <vector>

#include "api/call.h"
#include "api/session_name.h"

namespace holdfast::inline v1 {

struct OtherBranch {
  std::string machine = {};  // empty: this one
  SessionName name = {};     // its own where another agent continues it
  std::string updated_at = {};
  bool here = true;         // its bytes are
  bool continues = false;   // it begins with all of the session; else they went apart, or nobody can tell yet
  bool handed_off = false;  // another session, which was handed off from it
};

// Of a session of this machine; none when the call names a machine or a store. Offline, and at the cost of looking for
// the id in what sync has read: only where it is found more is read.
std::vector<OtherBranch> other_branches(const Call& call, const SessionName& name, std::string_view updated_at);

// "other_branches", when there are some.
void write_other_branches(JsonWriter& json, const std::vector<OtherBranch>& branches);

}  // namespace holdfast::inline v1
