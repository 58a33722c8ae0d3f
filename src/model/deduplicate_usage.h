// Agents write one API response in several records and repeat its tokens in each.
// This keeps them once, so they can be added up. Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

#include <span>
#include <vector>

#include "model/message_view.h"

namespace holdfast::inline v1 {

// Keeps the largest figures of a response on the first of its messages; the cost too.
void deduplicate_usage(std::vector<Message>& messages);
void deduplicate_usage(std::span<Message* const> messages);
// A cost that is kept stays a view of the bytes of the message that had it.
void deduplicate_usage(std::span<MessageView* const> messages);

}  // namespace holdfast::inline v1
