// Converts one element of the history into messages.
#pragma once

#include <holdfast/message.h>

#include <set>
#include <string>
#include <vector>

#include "layout/continue_dev/history.h"

namespace holdfast::inline v1::continue_dev {

// The states of the calls of an element; versions that make one call at a time have one, toolCallState.
std::vector<JsonView> tool_states(JsonView element);

// The call whose result the element is; empty if it is not a result.
std::string answered_call(JsonView element);

// Usually one message. An answer is followed by the results of its calls, except those
// that have an element of their own (`elsewhere`). An unknown element is kept as it is.
// Without `whole`, only what counting needs is filled.
std::vector<Message> read_element(JsonView element, const std::set<std::string>& elsewhere, bool whole);

}  // namespace holdfast::inline v1::continue_dev
