#include "layout/gemini_tool_parts.h"

#include "layout/tool_dialect_parts.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

ToolMention response_in(JsonView part) {
  const JsonView response = part.find("functionResponse");
  return {.id = string_in(response, "id"),
          .name = string_in(response, "name"),
          .result = std::string(part.raw()),
          .answers = true};
}

void add_responses(JsonView parts, ToolActivity& talk) {
  for (const JsonItem& item : parts.elements())
    if (item.value.find("functionResponse")) talk.mentions.push_back(response_in(item.value));
}

std::string lost_response(const ToolMention& call) {
  JsonWriter json;
  json.begin_object().key("functionResponse").begin_object().key("id").string(call.id).key("name").string(call.name);
  json.key("response").begin_object().key("error").string(kOutputLost).end_object().end_object();
  return json.end_object().take();
}

std::string text_part(std::string_view text) {
  JsonWriter json;
  return json.begin_object().key("text").string(text).end_object().take();
}

std::string parts_as_text(JsonView parts, std::span<const std::string> ids) {
  JsonWriter json;
  json.begin_array();
  for (const JsonItem& item : parts.elements()) {
    const ToolMention response = response_in(item.value);
    if (!item.value.find("functionResponse") || !is_among(ids, response.id)) {
      json.raw(item.value.raw());
      continue;
    }
    const JsonView said = item.value.find("functionResponse").find("response");
    const JsonView output = said.find("output");
    json.raw(text_part(std::string(kCallLost) + text_or_json(output ? output : said)));
  }
  return json.end_array().take();
}

}  // namespace holdfast::inline v1
