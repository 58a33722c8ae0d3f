// Counts what a session contains besides the branch that was read, so readers of one branch know there is more.
// Thread-safety: that of Store.
#pragma once

#include <holdfast/context.h>
#include <holdfast/store.h>

#include <cstdint>
#include <vector>

namespace holdfast::inline v1 {

// Messages that are not on a branch. A second copy of a message that is on it does not count.
struct OffBranch {
  std::uint64_t own = 0;    // on other branches, or replaced by a compaction
  std::uint64_t aside = 0;  // of sub-agents

  void add(const Message& message) { ++(message.side ? aside : own); }
};

OffBranch off_branch(const std::vector<Message>& all, const std::vector<Message>& branch);

// Reads the session once more, unless its row shows that there is nothing else. `branch` is what was read.
Result<OffBranch> off_branch(const Context& context, Store& store, const Transcript& branch);

}  // namespace holdfast::inline v1
