// Help of the noun commands, made from the table of operations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"

namespace holdfast::inline v1 {

struct OptionHelp {
  std::string name;  // "--limit N", or the name of an argument in capitals
  std::string text;
};

// "  --limit N            show at most N": a name that is too wide gets its own line; no line exceeds 80 columns.
std::string option_line(std::string_view name, std::string_view text);
// Whether a parameter is accepted but not listed: --color does the same for every command.
bool is_hidden_parameter(const Parameter& parameter);
// As people type it, with its value: "--limit N", or "ID" for an argument.
std::string spelled_parameter(const Parameter& parameter);
std::string usage_of(const Operation& operation);  // "holdfast ls [OPTIONS]", in one line
// What the operation does, and what each option does, in the words of the command line.
std::string help_of(const Operation& operation);
std::vector<OptionHelp> options_of(const Operation& operation);

std::string noun_summary(std::string_view noun);  // "create, get, list, ..."
std::string noun_help_text(std::string_view noun);
std::string operation_help_text(const Operation& operation);
std::string shortcuts_markdown();  // operations with a command of their own, for docs/cli.md
std::string nouns_markdown();      // the nouns, for docs/cli.md

}  // namespace holdfast::inline v1
