// Adds a message, as one new file (M05). Format: docs/formats/maestro.md.
#pragma once

#include "layout/layout.h"
#include "layout/moment.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1::maestro {

// Returns the file of the message in Spelling::first, empty if the store already has
// the same message. Fails with already_exists if another message has its id.
Result<Spelling> new_message(Feed& feed, std::string_view thread, std::string_view session, const Message& draft,
                             const Moment& moment);

// The same for a complete MessageRecord: schemaVersion is set, an empty id or createdAt
// is filled in, unknown fields are kept. Fails with invalid_argument if it names
// another thread or session.
Result<Spelling> new_raw_message(Feed& feed, std::string_view thread, std::string_view session, std::string_view record,
                                 const Moment& moment);

}  // namespace holdfast::inline v1::maestro
