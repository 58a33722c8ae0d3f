// The messages of one branch out of the tree that a session may be.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// The branch that ends at `leaf` (empty: at the last message), in stored order:
// every message on the way from it to its root, the other messages of their API
// responses, the results of all tools called there wherever they hang (parallel
// calls fork the tree), and messages without an id of their own, unless they name a
// parent that is on another branch. Where a parent is named that is
// not there (its record was damaged) the way goes on at the message stored before,
// so that one lost record hides no other. A session without parents is one branch,
// but for what its agent says was left by a rewind.
std::vector<Message> branch_of(std::vector<Message> messages, std::string_view leaf);

// not_found when `branch` is neither empty, nor "all", nor the id of one of the messages.
Result<void> check_branch(const std::vector<Message>& messages, std::string_view branch, std::string_view session);
Error no_such_branch(std::string_view branch, std::string_view session);

// Which of them are on it.
std::vector<bool> on_branch(const std::vector<Message>& messages, std::string_view leaf);

// Marks every message that is not on the branch of `leaf` (empty: the last one) as abandoned.
void mark_abandoned(std::vector<Message>& messages, std::string_view leaf);

}  // namespace holdfast::inline v1
