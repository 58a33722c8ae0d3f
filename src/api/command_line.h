// A call as people type it, for suggested commands and for messages. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"

namespace holdfast::inline v1 {

// "--owner-pid"
std::string flag_of(const Parameter& parameter);

// "session list", or the command of its own: "ls".
std::string command_name(const Operation& operation);

// The command that makes the same call, without --dry-run: "holdfast handoff 7772 --to codex". `session`, if it is not
// empty, replaces the parameter `id`: a word of shell_word.h that names the session which the call found.
std::string command_again(const Operation& operation, JsonView params, std::string_view session = {});

}  // namespace holdfast::inline v1
