// Agents write one API response in several records and repeat its tokens on each.
// Whoever adds them up wants them once. Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

#include <vector>

namespace holdfast::inline v1 {

// The largest figures of a response stay, on the first of its messages; so does what it cost.
void tokens_once(std::vector<Message>& messages);

}  // namespace holdfast::inline v1
