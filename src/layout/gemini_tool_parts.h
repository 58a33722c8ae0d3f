// Calls and results of tools as parts of a Content of the Gemini API, functionCall and
// functionResponse, for the dialects of the agents that store them.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "layout/tool_dialect.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The functionResponse in a part; its id is "" if there is none.
ToolMention response_in(JsonView part);
void add_responses(JsonView parts, ToolActivity& talk);
std::string lost_response(const ToolMention& call);
std::string text_part(std::string_view text);
// The parts, with the responses of `ids` replaced by text.
std::string parts_as_text(JsonView parts, std::span<const std::string> ids);

}  // namespace holdfast::inline v1
