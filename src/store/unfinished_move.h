// Sessions that are being moved to the trash or back. Their files do not all move in one step, so the move is noted
// before the first file goes, and whoever takes the sessions lock next finishes what a crash interrupted (settle_trash,
// session_trash.h). Requires that lock, exclusive; reading needs none.
#pragma once

#include <holdfast/root.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct UnfinishedMove {
  enum class Goal { trash, place, gone };
  std::string root;    // name of the root that contains the session
  std::string folder;  // folder in the trash
  Goal goal = Goal::trash;
};

// The folder of the notes, which has those of deletions too (deletion.h).
std::string notes_of_moves(const Root& first);

// `first` is the store's first root, which has the lock. Durable on return.
Result<void> note_move(const Context& context, Root& first, const UnfinishedMove& move);
Result<void> end_move(Root& first, const UnfinishedMove& move);

// Also true for a deletion.
bool is_move_noted(Root& first);
// Skips notes that cannot be parsed, and deletions.
Result<std::vector<UnfinishedMove>> noted_moves(Root& first);

}  // namespace holdfast::inline v1
