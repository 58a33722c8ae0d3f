// Parses one item of the Responses API as Codex stores it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <vector>

#include "text/json_cursor.h"

namespace holdfast::inline v1::codex {

enum class ItemKind {
  prompt,     // a user message, typed or injected (see origin)
  context,    // a developer or system message
  answer,     // an assistant message
  reasoning,  // belongs to an answer or a call
  call,       // with its result if the API itself made both
  result,
  other,  // an unknown item; kept as it is, and nobody's turn
};

struct Item {
  ItemKind kind = ItemKind::other;
  Origin origin = Origin::injected;
  std::string id;
  std::string name;  // of the tool, for a call
  std::vector<Block> blocks;
};

// The record must be valid JSON, because some of its bytes are kept unchanged.
Item read_item(JsonView payload);
// Reads only what counting needs: texts of prompts, ids and names of calls, but no
// answers, thoughts, inputs or outputs. Consumes the item.
Item read_item_briefly(JsonCursor& at);

// All texts of a prompt.
std::string text_of_prompt(const Item& prompt);

// The prompt in an event, which repeats what the person typed.
struct ToldPrompt {
  JsonView message, images, local_images;  // of user_message
  JsonView content;                        // of item_completed with a UserMessage
};
// All its texts; reads none of its pictures.
std::string text_of_told(const ToldPrompt& prompt);
std::vector<Block> blocks_of_told(const ToldPrompt& prompt);

// The token counts of one response; Codex counts cached tokens as input.
Usage read_usage(JsonView usage);
// The same; consumes the value.
Usage read_usage(JsonCursor& at);

// Whether a prompt that begins like this counts as typed by a person if nothing records its origin.
bool looks_typed(std::string_view text);

// Whether the output of a tool itself shows that the tool failed: "Process exited with code 1" from a shell,
// {"metadata":{"exit_code":1}} from older versions, or kFailedMark; never after kSucceededMark.
bool shows_failure(std::string_view output);

}  // namespace holdfast::inline v1::codex
