// A command of the person's, run for its answer.
#pragma once

#include <holdfast/context.h>
#include <holdfast/error.h>

#include <chrono>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Runs `command` with /bin/sh, `input` on its standard input; what it writes to standard output, up to 64 KiB, without
// blanks at the end. Its standard error is ours. It is killed, with what it started, when it takes longer than `most`
// or the context ends. invalid_argument: it failed; deadline_exceeded, cancelled.
Result<std::string> run_command(const Context& context, const std::string& command, std::string_view input,
                                std::chrono::seconds most = std::chrono::seconds(120));

}  // namespace holdfast::inline v1
