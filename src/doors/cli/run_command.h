// Runs a command of the user for its output.
#pragma once

#include <holdfast/context.h>
#include <holdfast/error.h>

#include <chrono>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Runs `command` with /bin/sh and `input` on its standard input. Returns its standard output, up to 64 KiB, without
// trailing blanks. Its standard error is ours. Kills it and its children if it takes longer than `most` or the context
// ends. Fails with invalid_argument if the command failed, deadline_exceeded or cancelled.
Result<std::string> run_command(const Context& context, const std::string& command, std::string_view input,
                                std::chrono::seconds most = std::chrono::seconds(120));

}  // namespace holdfast::inline v1
