// One item of the Responses API as Codex stores it, in the model's words.
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
  reasoning,  // what comes with an answer or a call
  call,
  result,
  other,  // an item that this version does not know; kept as it is
};

struct Item {
  ItemKind kind = ItemKind::other;
  Origin origin = Origin::injected;
  std::string id;
  std::string name;  // of the tool, of a call
  std::vector<Block> blocks;
};

// The record must be valid JSON: bytes of it are kept as they are.
Item read_item(JsonView payload);
// Only what counting needs: texts of prompts, ids and names of calls, but no
// answers, thoughts, inputs and outputs. Steps over the item.
Item read_item_briefly(JsonCursor& at);

// The figures of one response; Codex counts cached tokens as input.
Usage read_usage(JsonView usage);
// The same, and steps over it.
Usage read_usage(JsonCursor& at);

// Whether a prompt that begins so is taken for one that a person typed, where nothing says where it comes from.
bool looks_typed(std::string_view text);

// Whether the output of a tool says itself that it failed: "Process exited with code 1" of a shell,
// {"metadata":{"exit_code":1}} of older versions, or kFailedMark; never behind kSucceededMark.
bool tells_failure(std::string_view output);

}  // namespace holdfast::inline v1::codex
