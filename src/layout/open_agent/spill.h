// Large tool results: a file beside the log and a preview in the message, in the
// wording of Claude Code (O13). Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1::open_agent {

inline constexpr std::size_t kSpillOver = 30000;  // characters

bool is_large(std::string_view text);

// A file name for the result of a call; always a single plain name, whatever the id.
std::string spill_name(std::string_view call_id);
// A name for a second, different result of the same call.
std::string spill_name_again(std::string_view call_id, std::string_view text);

// "<persisted-output>\nOutput too large (48.9KB). Full output saved to: PATH\n\nPreview (first 2KB):\n..."
std::string preview_text(std::string_view text, std::string_view saved_to);

// The file name in such a text, without any directory; empty if the text is not a
// preview, or names nothing that could be in a tool-results folder.
std::string spilled_name(std::string_view text);

// Returns false if the text of this token (a JSON string) is not a preview. Looks at its first bytes only.
bool may_be_preview(std::string_view token);

}  // namespace holdfast::inline v1::open_agent
