// Checks that a layout can store a message, by reading back what it formatted and comparing. So no layout can
// acknowledge a message and drop part of it, whatever the message contains. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <span>
#include <string_view>

namespace holdfast::inline v1 {

// `told` are the messages read back from the formatted `draft`, in order; a layout may store one as several. All of
// them must have its role and origin, also those that are the usual ones; together they have its blocks, and the first
// has the rest. What the draft leaves empty (an id, a time, the agent) may be filled in.
// Fails with unsupported, naming the first part of the draft that is missing: "layout linggen cannot hold:
// usage of a message as it is given".
Result<void> check_read_back(const Message& draft, std::span<const Message> told, std::string_view layout);

}  // namespace holdfast::inline v1
