// Outputs of tools whose calls are missing. Agents accept no such output, so Holdfast keeps it as text on the user's
// side, after a sentence that says so. Nobody typed that text: readers report it with Origin::tool.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <span>
#include <string_view>

#include "model/message_view.h"

namespace holdfast::inline v1 {

// What a rescue writes before the output of a call that was lost. If the output has several parts, the sentence is a
// text of its own before them.
inline constexpr std::string_view kCallLost =
    "[The tool call that gave this output was lost: the session file was damaged here and has been rescued. "
    "The output:]\n";
// What a hand-off writes before the output of a call that is not in the session.
inline constexpr std::string_view kNoCall = "[The output of a tool whose call is not in the session:]\n";

// Whether a text begins with one of the sentences.
bool is_kept_output(std::string_view text);
// Whether a message consists of such outputs, and of nothing that somebody may have typed.
bool are_kept_outputs(std::span<const Block> blocks);

// Corrects the origin of such a message, if it is `typed`.
void mark_kept_outputs(Message& message);
// Whether mark_kept_outputs might correct it; false for nearly all messages.
bool may_be_kept_outputs(const MessageView& message);

}  // namespace holdfast::inline v1
