// Rescue of an agent's single JSON document (Gemini before 0.30, Continue): every
// whole element of its list of messages and every whole field beside it, in a
// document that the agent can load again. Thread-safety: pure function.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "transfer/rescue.h"

namespace holdfast::inline v1 {

// `name` is the file's own; an id that the document lost is taken from it.
// not_found when there is no list of messages with a whole element in it.
Result<Rescued> rescue_document(std::string_view bytes, std::string_view name);

}  // namespace holdfast::inline v1
