#include "layout/codex/item.h"

#include <algorithm>
#include <array>

#include "layout/encoded_size.h"
#include "layout/json_pick.h"
#include "layout/new_sessions.h"
#include "layout/quick_pick.h"
#include "layout/unknown_content.h"
#include "text/json_plain.h"
#include "text/json_scan.h"
#include "text/json_string.h"

namespace holdfast::inline v1::codex {
namespace {

// Texts that Codex inserts as the user. Newer versions also record where a message
// comes from (provenance), which takes precedence.
constexpr std::string_view kInjected[] = {
    "<environment_context>",      "<user_instructions>",  "<ENVIRONMENT_CONTEXT>",
    "# AGENTS.md instructions",   "<INSTRUCTIONS>",       "<skill>",
    "<permissions instructions>", "<collaboration_mode>", "<subagent_notification>",
    "<skills_instructions>",      "<apps_instructions>",  "<model_switch>",
    "<plugins_instructions>",     "<environments>",       "<user_action>"};
constexpr std::string_view kSummaryPreamble = "Another language model started to solve this problem";

Origin origin_of_prompt(JsonView passthrough, std::string_view text) {
  bool said = false;
  for (const JsonItem& part : passthrough.find("content_item_metadata").elements()) {
    const JsonView type = part.value.find("provenance").find("type");
    if (type.is_string("user")) return Origin::typed;
    said = said || type.kind() == JsonKind::string;
  }
  if (text.starts_with("<turn_aborted>")) return Origin::notice;
  if (text.starts_with("<user_shell_command>")) return Origin::command;
  if (text.starts_with(kSummaryPreamble)) return Origin::summary;
  if (said) return Origin::injected;
  const bool injected = std::ranges::any_of(kInjected, [&](std::string_view start) { return text.starts_with(start); });
  return injected ? Origin::injected : Origin::typed;
}

Block image_block(JsonView part, JsonView url) {
  const std::string text = text_of(url);
  if (!text.starts_with("data:")) return url ? referenced_image("image_url", url) : unknown_block(part);
  Block image{.kind = BlockKind::image,
              .media_type = text.substr(5, std::min(text.find_first_of(";,"), text.size()) - 5)};
  image.bytes = encoded_size(url);
  return image;
}

Block content_block(JsonView part) {
  const auto [type, text, image, refusal, path] = pick<5>(part, {"type", "text", "image_url", "refusal", "path"});
  if (type.is_string("input_image")) return image_block(part, image);
  // In events.
  if (type.is_string("image") && image) return image_block(part, image);
  if (type.is_string("local_image") && path) return referenced_image("path", path);
  if (text.kind() == JsonKind::string) return {.kind = BlockKind::text, .text = text_of(text)};
  // The answer of a model that refuses.
  if (refusal.kind() == JsonKind::string) return {.kind = BlockKind::text, .text = text_of(refusal)};
  return unknown_block(part);
}

// `codex -i` puts a picture between the texts <image name=… path=…> and </image>.
bool is_image_wrapper(std::string_view text) {
  return text == "</image>" || (text.starts_with("<image") && text.ends_with(">") && !text.contains('\n'));
}

std::vector<Block> content_blocks(JsonView content) {
  std::vector<Block> blocks;
  if (content.kind() == JsonKind::string)
    blocks.push_back({.kind = BlockKind::text, .text = text_of(content)});
  else if (content.kind() == JsonKind::object)
    blocks.push_back(content_block(content));
  else
    append_unless_list(content, blocks);
  for (const JsonItem& part : content.elements()) blocks.push_back(content_block(part.value));
  const bool picture = std::ranges::find(blocks, BlockKind::image, &Block::kind) != blocks.end();
  std::size_t number = 0;
  for (const JsonItem& part : content.elements()) {
    Block& block = blocks[number++];
    if (picture && block.kind == BlockKind::text && is_image_wrapper(block.text))
      block = {.kind = BlockKind::other, .json = std::string(part.value.raw())};
  }
  return blocks;
}

std::string_view first_text(const std::vector<Block>& blocks) {
  const auto text = std::ranges::find(blocks, BlockKind::text, &Block::kind);
  return text == blocks.end() ? std::string_view() : std::string_view(text->text);
}

void add_line(std::string& text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += "\n\n";
  text += more;
}

// Empty if the thoughts are only encrypted; else a summary and, where present, the thoughts themselves.
std::vector<Block> thinking(JsonView summary, JsonView content, bool whole) {
  std::vector<Block> blocks;
  for (const JsonView list : {summary, content}) {
    JsonCursor at(list.raw());
    if (!at.enter_array()) {
      append_unknown(list, blocks, BlockKind::thinking);
      continue;
    }
    Block block{.kind = BlockKind::thinking};
    bool any = false;
    while (at.next_element()) {
      JsonCursor part = at;
      const JsonView text = quick_pick<1>(at, {"text"})[0];
      if (text.kind() != JsonKind::string) {
        append_unknown(part.skip(), blocks, BlockKind::thinking);
        continue;
      }
      any = any || text.raw().size() > 2;
      if (whole) add_line(block.text, text_of(text));
    }
    if (any) blocks.push_back(std::move(block));
  }
  return blocks;
}

// The members of an item other than its content, input or output.
constexpr auto kItemMembers = std::to_array<std::string_view>(
    {"type", "role", "id", "call_id", "name", "phase", "status", "end_turn", "namespace",
     "internal_chat_message_metadata_passthrough", "author", "recipient", "timestamp"});

// The arguments from the model: JSON in a string, or any text (custom tools).
std::string input_json(JsonView arguments, JsonView input, JsonView payload) {
  const JsonView given = arguments ? arguments : input;
  if (given.kind() != JsonKind::string) return input_or_others(given, payload, kItemMembers, "null");
  std::string text = text_of(given);
  if (arguments && check_json(text).ok()) return text;
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

}  // namespace

bool looks_typed(std::string_view text) { return origin_of_prompt(JsonView(), text) == Origin::typed; }

bool shows_failure(std::string_view text) {
  if (text.starts_with(kSucceededMark)) return false;
  if (text.starts_with(kFailedMark)) return true;
  constexpr std::string_view kExit = "Process exited with code ";
  if (const auto at = text.substr(0, 400).find(kExit); at != std::string_view::npos) {
    return !text.substr(at + kExit.size()).starts_with("0\n") && text.substr(at + kExit.size()) != "0";
  }
  if (!text.starts_with("{\"output\"")) return false;
  const auto code = JsonView(text).find("metadata").find("exit_code").as_int64();
  return code && *code != 0;
}

namespace {

std::vector<Block> said_blocks(JsonView payload, JsonView content) {
  std::vector<Block> blocks = content_blocks(content);
  if (!content || content.is_null()) append_renamed(payload, kItemMembers, blocks);
  return blocks;
}

// The result, and its pictures.
std::vector<Block> result_blocks(JsonView payload, JsonView call_id, JsonView output, bool whole) {
  std::vector<Block> blocks(1);
  blocks[0] = {.kind = BlockKind::tool_result, .id = text_of(call_id)};
  if (!whole) return blocks;
  Block block = std::move(blocks[0]);
  if (output.kind() == JsonKind::object) {
    const auto [content, success] = pick<2>(output, {"content", "success"});
    block.is_error = success.as_bool() == false;
    if (content) output = content;
  }
  if (output.kind() == JsonKind::array) {
    for (const JsonItem& part : output.elements()) {
      const auto [type, text, image] = pick<3>(part.value, {"type", "text", "image_url"});
      if (type.is_string("input_image"))
        blocks.push_back(image_block(part.value, image));
      else
        add_line(block.text, tool_output_text(text.kind() == JsonKind::string ? text : part.value));
    }
  } else {
    block.text = tool_output_text(output);
  }
  if (!output || output.is_null()) block.text = output_or_object({}, payload, kItemMembers);
  block.is_error = block.is_error || shows_failure(block.text);
  blocks[0] = std::move(block);
  return blocks;
}

// A search or a picture that the API itself made: the call and its result.
std::vector<Block> served_blocks(std::string_view name, std::string id, JsonView payload) {
  const auto [status, action, prompt, result] = pick<4>(payload, {"status", "action", "revised_prompt", "result"});
  std::vector<Block> blocks(2);
  blocks[0] = {.kind = BlockKind::tool_call, .id = id, .name = std::string(name), .json = "{}"};
  if (action) blocks[0].json = action.raw();
  if (prompt.kind() == JsonKind::string) blocks[0].json = "{\"prompt\":" + std::string(prompt.raw()) + "}";
  blocks[1] = {.kind = BlockKind::tool_result, .text = text_of(status), .id = std::move(id)};
  if (result.kind() == JsonKind::string) {
    blocks.push_back({.kind = BlockKind::image, .media_type = "image/png"});
    blocks.back().bytes = encoded_size(result);
  }
  return blocks;
}

// Decodes a short text that almost never contains escapes.
std::string_view word_of(JsonView value, std::string& decoded) {
  if (const std::string_view written = value.raw(); written.size() >= 2 && written.front() == '"') {
    const std::string_view body = written.substr(1, written.size() - 2);
    if (written.back() == '"' && is_json_plain_ascii(body)) return body;
  }
  decoded = text_of(value);
  return decoded;
}

using ItemFields = std::array<JsonView, 11>;
constexpr std::array<std::string_view, 11> kItemKeys = {"type",
                                                        "role",
                                                        "id",
                                                        "content",
                                                        "name",
                                                        "arguments",
                                                        "call_id",
                                                        "output",
                                                        "input",
                                                        "summary",
                                                        "internal_chat_message_metadata_passthrough"};

Item make_item(const ItemFields& fields, JsonView payload, bool whole) {
  const auto& [type, role, id, content, name, arguments, call_id, output, input, summary, passthrough] = fields;
  Item item;
  item.id = text_of(id);
  std::string decoded;
  const std::string_view kind = word_of(type, decoded);
  if (kind == "message" && role.is_string("assistant")) {
    item.kind = ItemKind::answer;
    item.origin = Origin::model;
    if (whole) item.blocks = said_blocks(payload, content);
  } else if (kind == "message" && role.is_string("user")) {
    item.kind = ItemKind::prompt;
    item.blocks = said_blocks(payload, content);
    item.origin = origin_of_prompt(passthrough, first_text(item.blocks));
  } else if (kind == "message") {
    item.kind = ItemKind::context;
    if (whole) item.blocks = said_blocks(payload, content);
  } else if (kind == "reasoning") {
    item.kind = ItemKind::reasoning;
    item.blocks = thinking(summary, content, whole);
  } else if (kind == "function_call" || kind == "custom_tool_call") {
    item.kind = ItemKind::call;
    item.name = text_of(name);
    item.blocks.push_back({.kind = BlockKind::tool_call,
                           .id = text_of(call_id),
                           .name = item.name,
                           .json = whole ? input_json(arguments, input, payload) : std::string()});
  } else if (kind == "local_shell_call" && call_id.kind() == JsonKind::string) {
    item.kind = ItemKind::call;
    item.name = "local_shell";
    item.blocks.push_back({.kind = BlockKind::tool_call, .id = text_of(call_id), .name = item.name, .json = "null"});
    if (whole) item.blocks[0].json = input_or_others(payload.find("action"), payload, kItemMembers, "null");
  } else if (kind.ends_with("_call_output")) {
    item.kind = ItemKind::result;
    item.blocks = result_blocks(payload, call_id, output, whole);
  } else if (kind == "web_search_call" || kind == "image_generation_call") {
    item.kind = ItemKind::call;
    item.blocks = served_blocks(kind.substr(0, kind.size() - 5), item.id, payload);
  } else {
    item.blocks.push_back(whole ? unknown_record(payload) : Block{.kind = BlockKind::other});
  }
  return item;
}

}  // namespace

Item read_item(JsonView payload) { return make_item(quick_pick<11>(payload, kItemKeys), payload, true); }

Item read_item_briefly(JsonCursor& at) { return make_item(quick_pick<11>(at, kItemKeys), {}, false); }

std::string text_of_prompt(const Item& prompt) {
  std::string text;
  for (const Block& block : prompt.blocks)
    if (block.kind == BlockKind::text) text += block.text;
  return text;
}

std::string text_of_told(const ToldPrompt& prompt) {
  std::string text = text_of(prompt.message) + text_of(prompt.content);
  for (const JsonItem& part : prompt.content.elements()) text += text_of(quick_pick<1>(part.value, {"text"})[0]);
  return text;
}

std::vector<Block> blocks_of_told(const ToldPrompt& prompt) {
  std::vector<Block> blocks;
  if (prompt.content) blocks = content_blocks(prompt.content);
  append_unknown(prompt.message, blocks);
  for (const JsonItem& image : prompt.images.elements()) blocks.push_back(image_block(image.value, image.value));
  for (const JsonItem& image : prompt.local_images.elements()) blocks.push_back(referenced_image("path", image.value));
  return blocks;
}

Usage read_usage(JsonCursor& at) {
  Usage figures;
  std::int64_t input = 0;
  std::string_view key;
  if (!at.enter_object()) {
    at.step_over();
    return figures;
  }
  while (at.next_key(key)) {
    const JsonView value = at.skip();
    if (key == "input_tokens")
      input = count_of(value);
    else if (key == "cached_input_tokens")
      figures.cache_read = count_of(value);
    else if (key == "cache_write_input_tokens")
      figures.cache_write = count_of(value);
    else if (key == "output_tokens")
      figures.output = count_of(value);
    else if (key == "reasoning_output_tokens")
      figures.reasoning = count_of(value);
  }
  figures.input = std::max<std::int64_t>(0, input - figures.cache_read - figures.cache_write);
  return figures;
}

Usage read_usage(JsonView usage) {
  JsonCursor at(usage.raw());
  return read_usage(at);
}

}  // namespace holdfast::inline v1::codex
