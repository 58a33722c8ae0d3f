// Help texts are written once, for the api and for the command line. A name of the api is in backticks in them.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"

namespace holdfast::inline v1 {

// "--body", or "BODY" if it is given without its name.
std::string typed_parameter(const Parameter& parameter);

// A text of the table in the words of the command line: `message.list` becomes "holdfast message list", and a parameter
// of the operation, `body`, becomes "--body", or "BODY" if it is given without its name.
std::string in_cli_words(const Operation& operation, std::string_view text);

// An error of the operation in the words of the command line: "since takes a time" becomes "--since takes a time".
std::string error_in_cli_words(const Operation& operation, std::string message);

}  // namespace holdfast::inline v1
