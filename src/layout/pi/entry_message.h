// The `message` of an entry: what was said, and by whom. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1::pi {

// Reads a text or a list of text, thinking, toolCall and image blocks; unknown blocks are kept whole.
void read_blocks(JsonView content, std::vector<Block>& blocks);
// Reads a text; any other value is kept as it is.
void read_summary_text(JsonView summary, std::vector<Block>& blocks);

Usage read_usage(JsonView usage);

// Fills everything but id, parent and, if the entry has one, the time.
void read_entry_message(JsonView json, bool whole, Message& message);

}  // namespace holdfast::inline v1::pi
