// What a program gives the engine to keep, checked before any layout spells it: whatever the door, bytes that could
// not be read again are refused. invalid_argument names what is wrong. Thread-safety: pure functions.
#pragma once

#include <holdfast/draft.h>
#include <holdfast/error.h>
#include <holdfast/message.h>

namespace holdfast::inline v1 {

Result<void> check_given(const Message& message);
Result<void> check_given(const SessionDraft& draft);
Result<void> check_given(const SessionPatch& patch);

}  // namespace holdfast::inline v1
