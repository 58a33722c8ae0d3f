// What it takes to add a message: one new file (M05). Format: docs/formats/maestro.md.
#pragma once

#include "layout/layout.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1::maestro {

// The file of the message in Spelling::first; nothing there when the same message
// is in the store already; already_exists when another one has its id.
Result<Spelling> new_message(Feed& feed, std::string_view thread, std::string_view session, const Message& draft,
                             const Moment& moment);

// The same for a whole MessageRecord as the caller has it: schemaVersion is set,
// an empty id or createdAt filled, unknown fields kept. invalid_argument when it
// names another thread or session.
Result<Spelling> new_raw_message(Feed& feed, std::string_view thread, std::string_view session, std::string_view record,
                                 const Moment& moment);

}  // namespace holdfast::inline v1::maestro
