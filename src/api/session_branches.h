// Groups the rows of a list that are branches of one session: diverged copies on several machines, and sessions handed
// off to another agent (docs/formats/sync.md, "The same session on two machines"). Thread-safety: pure functions.
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

// The branches of a session, most recently changed first, keyed by each of its rows that stays in the list. At most the
// 32 most recently changed ones: another machine may claim any number.
using BranchesByRow = std::unordered_map<const SessionRow*, std::shared_ptr<const std::vector<const SessionRow*>>>;

// Leaves one row per session name in the orders of the stores. Removes this machine's row if another copy continues it
// (`continued`) and it has not changed since; of several branches with the same name, keeps only the most recently
// changed one, which then has the others as branches. Sessions that were handed off keep their own rows. Ignores rows
// that a filter has removed.
BranchesByRow gather_branches(std::vector<BranchedStore>& stores, const std::map<SessionName, std::string>& continued,
                              const HandOffs& handed_off);

}  // namespace holdfast::inline v1
