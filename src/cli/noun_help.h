// Help of the noun commands, made from the table of operations.
#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"

namespace holdfast::inline v1 {

std::string noun_summary(std::string_view noun);  // "create, get, list, ..."
std::string noun_help_text(std::string_view noun);
std::string operation_help_text(const Operation& operation);
std::string nouns_markdown();  // their part of docs/cli.md

}  // namespace holdfast::inline v1
