// What a session has beside the branch that was read: readers of one branch are
// told that there is more. Thread-safety: as Store.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <cstdint>
#include <vector>

namespace holdfast::inline v1 {

// Messages that are not on a branch. A second copy of one that is on it says nothing more, and does not count.
struct OffBranch {
  std::uint64_t own = 0;    // of other branches, or replaced by a compaction
  std::uint64_t aside = 0;  // of sub-agents

  void add(const Message& message) { ++(message.side ? aside : own); }
};

OffBranch off_branch(const std::vector<Message>& all, const std::vector<Message>& branch);

// Reads the session once more, unless its row says that there is nothing else. `branch` is what was read of it.
Result<OffBranch> off_branch(const Context& context, Store& store, const Transcript& branch);

}  // namespace holdfast::inline v1
