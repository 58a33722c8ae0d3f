// Reads the blocks of a message as callers give them: our own, and those of Anthropic, OpenAI (Responses) and
// Vercel (UI messages), distinguished by their type and their members. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>
#include <holdfast/message.h>

#include <string>
#include <vector>

#include "model/members.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

enum class UnknownBlocks {
  refuse,  // in "blocks", whose kinds are ours: fail with invalid_argument
  keep,    // in formats of others ("content", "parts"): keep it verbatim as kind `other`
};

// Adds the block or, for a tool part with both, the call and its result. `where` names it in errors.
Result<void> read_input_block(JsonView json, std::string where, Role role, UnknownBlocks unknown,
                              std::vector<Block>& blocks);

// The role of an OpenAI item that is a message of its own without a role; nullopt for other types.
std::optional<Role> role_of_item(std::string_view type);

// Sets the input of a call: arguments are JSON in a string; unless that is an object, it stays a string. Another
// spelling of the object goes into `more`.
void set_arguments(const std::string& arguments, Block& call, Members::More& more);

// The output of a tool for people: its text, the texts of its blocks, or its JSON.
std::string text_of_output(JsonView output);
// Sets a text, or any JSON that is kept beside the text for people.
void set_output(JsonView output, Block& block);

}  // namespace holdfast::inline v1
