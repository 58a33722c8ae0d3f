// Messages of the Anthropic API as agents store them: content blocks and usage.
// Every key is read once; unknown content is kept whole.
// Thread-safety: pure functions over a cursor.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_cursor.h"

namespace holdfast::inline v1 {

// Each function consumes the value under the cursor.

// A text, or the bytes of any other JSON value.
std::string text_or_raw(JsonCursor& at);

// Accepts snake_case and camelCase; nullopt if the value is not an object.
std::optional<Usage> read_claude_usage(JsonCursor& at);

// Which content of the blocks to read besides their kinds and ids: counting needs no texts.
struct ContentOptions {
  bool texts = true;     // of text and thinking
  bool payloads = true;  // inputs and outputs of tools
  bool previews = true;  // even without payloads, outputs that may refer to a file beside the log
  bool extras = false;   // everything else in a block: data, signatures, unknown members
};

// The member of a block that holds all of its `extra` when its members would clash with names of the API.
inline constexpr std::string_view kBesideMembers = "holdfast_extra";

// Reads a text or a list of blocks. A single block, or any other value, becomes one block.
void read_claude_content(JsonCursor& at, std::vector<Block>& blocks, ContentOptions request = {});

}  // namespace holdfast::inline v1
