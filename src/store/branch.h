// Selects the messages of one branch from a session, which may be a tree.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// The branch that ends at `leaf` (empty: at the last message), in stored order. It
// consists of every message on the path from the leaf to its root, the other
// messages of their API responses, the results of all tools called there wherever
// they are attached (parallel calls fork the tree), and messages without an id of
// their own, unless their parent is on another branch. If a parent is missing (its
// record was damaged), the path continues at the message stored before, so one lost
// record hides no other. A session without parents is one branch, except for
// messages that its agent reports as abandoned by a rewind.
std::vector<Message> branch_of(std::vector<Message> messages, std::string_view leaf);

// Fails with not_found if `branch` is neither empty, nor "all", nor the id of one of the messages.
Result<void> check_branch(const std::vector<Message>& messages, std::string_view branch, std::string_view session);
Error no_such_branch(std::string_view branch, std::string_view session);

// For each message, whether it is on the branch of `leaf`.
std::vector<bool> on_branch(const std::vector<Message>& messages, std::string_view leaf);

// Marks every message that is not on the branch of `leaf` (empty: the last message) as abandoned.
void mark_abandoned(std::vector<Message>& messages, std::string_view leaf);

}  // namespace holdfast::inline v1
