// Agents write one API response in several records and repeat its tokens in each.
// This keeps them once, so they can be added up. Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

#include <vector>

namespace holdfast::inline v1 {

// Keeps the largest figures of a response on the first of its messages; the cost too.
void deduplicate_usage(std::vector<Message>& messages);

}  // namespace holdfast::inline v1
