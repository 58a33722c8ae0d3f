// One element of the history in the model's words.
#pragma once

#include <holdfast/message.h>

#include <set>
#include <string>
#include <vector>

#include "layout/continue_dev/history.h"

namespace holdfast::inline v1::continue_dev {

// The call whose result the element is; empty when it is none.
std::string answered_call(JsonView element);

// Usually one message; an answer is followed by the results of its calls where no
// element of their own (`elsewhere`) gives them. An element without words for it
// is kept as it is. Without `whole` only what counting needs is filled.
std::vector<Message> read_element(JsonView element, const std::set<std::string>& elsewhere, bool whole);

}  // namespace holdfast::inline v1::continue_dev
