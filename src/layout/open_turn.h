// What the agent still owed when the records end: an answer to a prompt or to results,
// or the results of calls. For agents whose files do not record it.
// Thread-safety: one owner.
#pragma once

#include <holdfast/session.h>

#include <set>
#include <string>

namespace holdfast::inline v1 {

class OpenTurn {
 public:
  void take(const Message& message) {
    if (message.side) return;
    if (message.role == Role::user && message.origin == Origin::typed) {
      calls_.clear();
      owed_ = Pending::answer;
    } else if (message.role == Role::assistant) {
      const bool given_up = message.failed || message.stop_reason == "aborted";
      if (given_up) calls_.clear();
      for (const Block& block : message.blocks) {
        if (block.kind == BlockKind::tool_call && !given_up) calls_.insert(block.id);
      }
      owed_ = calls_.empty() ? Pending::none : Pending::tool;
    } else if (message.role == Role::tool) {
      for (const Block& block : message.blocks) calls_.erase(block.id);
      if (owed_ != Pending::none) owed_ = calls_.empty() ? Pending::answer : Pending::tool;
    }
  }
  // The conversation continued from another point.
  void leave() {
    calls_.clear();
    owed_ = Pending::none;
  }
  Pending pending() const { return owed_; }

 private:
  Pending owed_ = Pending::none;
  std::set<std::string> calls_;
};

}  // namespace holdfast::inline v1
