// Checks what a program gives the engine to store before any layout formats it: through every door, bytes that
// could not be read back are refused. invalid_argument names what is wrong. Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>
#include <holdfast/message.h>

namespace holdfast::inline v1 {

Result<void> check_input(const Message& message);
// In every layout: an id that begins with @ would be taken for @last or a name like it, so that nobody could reach the
// session. What else an id may contain is up to the layout.
Result<void> check_input(const SessionDraft& draft);
Result<void> check_input(const SessionPatch& patch);

}  // namespace holdfast::inline v1
