// Calls and results of tools as parts of a Content of the Gemini API: functionCall
// and functionResponse. For the dialects of the agents that store those.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "layout/tool_dialect.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// A part with a functionResponse; an id of "" otherwise.
ToolMention response_in(JsonView part);
void add_responses(JsonView parts, ToolTalk& talk);
std::string lost_response(const ToolMention& call);
std::string text_part(std::string_view text);
// The parts, with responses of `ids` as text.
std::string parts_as_text(JsonView parts, std::span<const std::string> ids);

}  // namespace holdfast::inline v1
