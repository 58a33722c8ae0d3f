// Parses `holdfast NOUN VERB ...` into a call, by the table of operations.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/command_line.h"
#include "api/default_stores.h"
#include "api/operation.h"

namespace holdfast::inline v1 {

// The nouns that are commands: all in the table, except those only for programs and those with the name of a command.
std::vector<std::string_view> nouns();
bool is_noun(std::string_view word);
std::vector<const Operation*> operations_of(std::string_view noun);

struct ParsedNounCommand {
  const Operation* operation = nullptr;  // nullptr: show help of the noun
  std::string params;                    // a JSON object
  bool yes = false;
  bool help = false;
  bool zeros = false;                    // -0, of ls
  std::vector<std::string> stores = {};  // set if --store was given more than once: all of them, and none in params
};

// The operation with a command of its own, such as "ls"; nullptr if there is none.
const Operation* find_shortcut(std::string_view word);
// `typed` is the command that the user typed, for messages; empty: the operation's own.
Result<ParsedNounCommand> parse_shortcut(const Operation& operation, const std::vector<std::string>& words,
                                         const Environment& env, const std::string& typed = {});

// `words` follow the noun. Objects and arrays are JSON, @FILE, or - for standard input.
// Paths become absolute. Fails with invalid_argument and a hint for anything else.
Result<ParsedNounCommand> parse_noun(std::string_view noun, const std::vector<std::string>& words,
                                     const Environment& env);

// The text itself, or the content of @FILE or - (standard input).
Result<std::string> json_argument(const std::string& word);

// The agent that takes over a session, as the parameter `to` spells it. Accepts its name, what people call
// it, or a unique prefix of either. Text that matches none or several is returned unchanged.
std::string taker_named(const std::string& text);

}  // namespace holdfast::inline v1
