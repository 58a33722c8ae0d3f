// Reads and writes message records. Format: docs/formats/maestro.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::maestro {

// The fields of a message record other than its content.
struct MessageHead {
  std::string id, thread, session, created_at;
};

// Never fails: messages with unknown roles become notices.
Message message_of(JsonView record);

// The record in the form of the seed. Fails with unsupported, naming what a record cannot hold.
Result<std::string> spell_message_file(const Message& message, const MessageHead& head);

}  // namespace holdfast::inline v1::maestro
