#include "layout/gemini_parts.h"

#include "layout/encoded_size.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1 {

Block read_function_response(JsonView response) {
  const auto [id, body] = pick<2>(response, {"id", "response"});
  const auto [output, error] = pick<2>(body, {"output", "error"});
  Block block{.kind = BlockKind::tool_result, .id = text_of(id)};
  block.is_error = error && !output;
  const JsonView said = output ? output : error;
  block.text = output_or_object(tool_output_text(said ? said : body), body, {"output"});
  if (!body) block.text = output_or_object({}, response, {"id", "name", "parts"});
  return block;
}

namespace {

BlockKind kind_of_media(std::string_view media_type) {
  if (media_type.empty() || media_type.starts_with("image/")) return BlockKind::image;
  return media_type.starts_with("audio/") ? BlockKind::audio : BlockKind::document;
}

}  // namespace

void read_gemini_part(JsonView part, std::vector<Block>& blocks) {
  if (part.kind() == JsonKind::string) {
    blocks.push_back({.kind = BlockKind::text, .text = text_of(part)});
    return;
  }
  const auto [text, thought, call, response, data] =
      pick<5>(part, {"text", "thought", "functionCall", "functionResponse", "inlineData"});
  if (response.kind() == JsonKind::object) {
    blocks.push_back(read_function_response(response));
    // Images and documents that a tool returned follow its output.
    for (const JsonItem& shown : response.find("parts").elements())
      if (shown.value.find("inlineData").kind() == JsonKind::object) read_gemini_part(shown.value, blocks);
  } else if (call.kind() == JsonKind::object) {
    const auto [id, name, args] = pick<3>(call, {"id", "name", "args"});
    blocks.push_back({.kind = BlockKind::tool_call,
                      .id = text_of(id),
                      .name = text_of(name),
                      .json = input_or_others(args, call, {"id", "name", "args"}, "null")});
  } else if (text.kind() == JsonKind::string) {
    const bool thinks = thought.as_bool() == true;
    blocks.push_back({.kind = thinks ? BlockKind::thinking : BlockKind::text, .text = text_of(text)});
  } else if (data.kind() == JsonKind::object) {
    std::string media_type = text_of(data.find("mimeType"));
    blocks.push_back({.kind = kind_of_media(media_type), .media_type = std::move(media_type)});
    blocks.back().bytes = encoded_size(data.find("data"));
  } else {
    append_unknown(part, blocks);
  }
}

void read_gemini_parts(JsonView parts, std::vector<Block>& blocks) {
  if (parts.kind() != JsonKind::array) return read_gemini_part(parts, blocks);
  for (const JsonItem& part : parts.elements()) read_gemini_part(part.value, blocks);
}

}  // namespace holdfast::inline v1
