// Adds facts that were recorded when a session was captured and that its captured files do not contain: they
// came from an index beside it, from its neighbors, or from shared rows. Thread-safety: pure function.
#pragma once

#include <holdfast/session.h>

#include <string_view>

namespace holdfast::inline v1 {

// `row` as in a capture (docs/formats/archive.md). `times_elsewhere`: the times in the files are not those of the
// session. Otherwise only fills empty fields.
void add_noted_facts(std::string_view row, bool times_elsewhere, Session& session);

// Fills in the title, the first prompt and the project of a session whose captured files are damaged.
void add_noted_texts(std::string_view row, Session& session);

}  // namespace holdfast::inline v1
