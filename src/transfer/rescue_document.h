// Rescues a session that is a single JSON document (Gemini before 0.30, Continue):
// every whole element of its list of messages and every other whole field, in a
// document that the agent can load again. Thread-safety: pure function.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "transfer/rescue.h"

namespace holdfast::inline v1 {

// `name` is the file's name; a lost id is taken from it. Fails with not_found if no
// list of messages has a whole element.
Result<Rescued> rescue_document(std::string_view bytes, std::string_view name);

}  // namespace holdfast::inline v1
