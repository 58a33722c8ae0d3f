// `holdfast NOUN VERB ...`: from words to a call, by the table of operations.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/default_stores.h"
#include "api/operation.h"

namespace holdfast::inline v1 {

// The nouns that are commands: those of the table but what only programs say, or a command is called.
std::vector<std::string_view> nouns();
bool is_noun(std::string_view word);
std::vector<const Operation*> operations_of(std::string_view noun);

// "--owner-pid" of the parameter owner_pid.
std::string flag_of(const Parameter& parameter);

struct NounWords {
  const Operation* operation = nullptr;  // null: help of the noun is wanted
  std::string params;                    // a JSON object
  bool yes = false;
  bool help = false;
  bool zeros = false;                    // -0, of ls
  std::vector<std::string> stores = {};  // when --store was given more than once: all of them, and none in params
};

// The operation that is a command of its own: "ls". nullptr: there is none.
const Operation* find_shortcut(std::string_view word);
// `typed`: how it was named, for messages; empty: by its own name.
Result<NounWords> parse_shortcut(const Operation& operation, const std::vector<std::string>& words,
                                 const Environment& around, const std::string& typed = {});

// `words` follow the noun. Objects and arrays are JSON, @FILE, or - for standard
// input. Paths become absolute. invalid_argument, with a hint, for the rest.
Result<NounWords> parse_noun(std::string_view noun, const std::vector<std::string>& words, const Environment& around);

// The text itself, or what @FILE or - (standard input) holds.
Result<std::string> json_argument(const std::string& word);

// The agent that takes a session over, as its parameter `to` spells it: by its name, what people call it, or how either
// begins, if only one does. What means none, or several, stays as it was typed.
std::string taker_named(const std::string& text);

}  // namespace holdfast::inline v1
