// Messages of the Anthropic API as agents store them: content blocks and usage.
// Every key is looked at once; what is not known is kept whole.
// Thread-safety: pure functions over a cursor.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_cursor.h"

namespace holdfast::inline v1 {

// Each steps over the value at hand.

// A text, or the bytes of any other JSON value.
std::string text_or_raw(JsonCursor& at);

// In snake_case or camelCase; nullopt when it is no object.
std::optional<Usage> read_claude_usage(JsonCursor& at);

// What of the blocks is wanted beside their kinds and ids: who only counts needs no texts.
struct ContentOptions {
  bool texts = true;     // of text and thinking
  bool payloads = true;  // inputs and outputs of tools
  bool previews = true;  // without payloads: outputs that stand for a file beside the log, all the same
  bool extras = false;   // everything that a block says: data, signatures, members that are not known
};

// The member of a block that holds all of its `extra`, where the API has members of the same names.
inline constexpr std::string_view kBesideMembers = "holdfast_extra";

// A text or a list of blocks; one block, or anything else, is kept as such.
void read_claude_content(JsonCursor& at, std::vector<Block>& blocks, ContentOptions request = {});

}  // namespace holdfast::inline v1
