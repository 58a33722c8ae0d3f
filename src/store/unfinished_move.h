// Which session is on its way to the trash or back. Its files do not all move in one step, so what a crash leaves
// halfway is noted before the first one goes, and whoever takes the lock of the sessions next ends it
// (settle_trash, session_trash.h). For holders of that lock, exclusive; looking needs none.
#pragma once

#include <holdfast/root.h>

#include <optional>
#include <string>

namespace holdfast::inline v1 {

struct UnfinishedMove {
  std::string root;    // the name of the root in which it is
  std::string folder;  // of the trash
};

// `first`: the store's first root, which has the lock. Durable when they return.
Result<void> note_move(const Context& context, Root& first, const UnfinishedMove& move);
Result<void> end_move(const Context& context, Root& first);

bool is_move_noted(Root& first);
// Nothing, too, when the note cannot be understood.
Result<std::optional<UnfinishedMove>> noted_move(Root& first);

}  // namespace holdfast::inline v1
