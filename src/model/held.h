// Whether a layout holds a message: what it spelled is read again and compared. So no layout can acknowledge what it
// leaves out, whatever the message says. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <span>
#include <string_view>

namespace holdfast::inline v1 {

// `told`: the messages that were read out of what `draft` was spelled as, in order; a layout may spell one as
// several. unsupported names the first thing of the draft that is
// not there: "layout linggen cannot hold: usage of a message".
Result<void> check_held(const Message& draft, std::span<const Message> told, std::string_view layout);

}  // namespace holdfast::inline v1
