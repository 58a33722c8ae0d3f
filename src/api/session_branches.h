// Rows of a list that are one session: copies of it on several machines that went apart, and what was handed off to
// another agent (docs/formats/sync.md, "The same session on two machines"). Thread-safety: pure functions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/session_name.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

struct BranchedStore {
  SessionRows& rows;
  std::string_view layout;
  bool elsewhere = false;  // of another machine
};

// The branches of a session, the one that was changed last first, by each row of it that stays in the list. Of very
// many the 32 that were changed last: another machine may claim any number.
using BranchesByRow = std::unordered_map<const SessionRow*, std::shared_ptr<const std::vector<const SessionRow*>>>;

// Leaves one row of each session in the orders of the stores: this machine's is out when it is `continued` by another's
// and is still what it was then; of several branches with the same name only the one that was changed last stays, and
// the others are told by it. Sessions that were handed off keep rows of their own. A row that no filter has let through
// counts for nothing.
BranchesByRow gather_branches(std::vector<BranchedStore>& stores, const std::map<SessionName, std::string>& continued,
                              const HandOffs& handed_off);

}  // namespace holdfast::inline v1
