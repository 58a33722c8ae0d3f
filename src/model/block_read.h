// The blocks of a message as callers give them: our own, and those of Anthropic, OpenAI (Responses) and Vercel (UI
// messages), told apart by their type and their members. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <string>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

enum class UnknownBlocks {
  refuse,  // in "blocks", whose kinds are ours: invalid_argument
  keep,    // in what others define ("content", "parts"): one of the kind `other`, verbatim
};

// Adds the block or, of a tool's part that holds both, the call and its result. `where` names it in errors.
Result<void> read_given_block(JsonView json, std::string where, Role role, UnknownBlocks unknown,
                              std::vector<Block>& blocks);

// An item of OpenAI that is a message of its own without a role; nullopt when `type` is none of these.
std::optional<Role> role_of_item(std::string_view type);

// The output of a tool for people: its text, the texts of its blocks, or its JSON.
std::string text_of_output(JsonView output);
// A text, or any JSON that is kept beside the text for people.
void set_output(JsonView output, Block& block);

}  // namespace holdfast::inline v1
