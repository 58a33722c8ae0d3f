// What was noted of a session when it was captured and its captured files do not say: an index beside it, its
// neighbours or rows that are not its own did. Thread-safety: pure function.
#pragma once

#include <holdfast/session.h>

#include <string_view>

namespace holdfast::inline v1 {

// `row`: as a capture has it (docs/formats/archive.md). `times_elsewhere`: the times that the files say are not those
// of the session. Fills what is empty otherwise.
void add_noted_facts(std::string_view row, bool times_elsewhere, Session& session);

}  // namespace holdfast::inline v1
