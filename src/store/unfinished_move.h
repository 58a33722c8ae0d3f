// Which sessions are on their way to the trash or back. Their files do not all move in one step, so what a crash leaves
// halfway is noted before the first one goes, and whoever takes the lock of the sessions next ends it
// (settle_trash, session_trash.h). For holders of that lock, exclusive; looking needs none.
#pragma once

#include <holdfast/root.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct UnfinishedMove {
  enum class Goal { trash, place, gone };
  std::string root;    // the name of the root in which it is
  std::string folder;  // of the trash
  Goal goal = Goal::trash;
};

// `first`: the store's first root, which has the lock. Durable when they return.
Result<void> note_move(const Context& context, Root& first, const UnfinishedMove& move);
Result<void> end_move(Root& first, const UnfinishedMove& move);

bool is_move_noted(Root& first);
// Notes that cannot be understood are nobody's.
Result<std::vector<UnfinishedMove>> noted_moves(Root& first);

}  // namespace holdfast::inline v1
