#include "layout/continue_dev/element.h"

#include <algorithm>

#include "layout/json_pick.h"
#include "layout/unknown_content.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1::continue_dev {
namespace {

// data:image/png;base64,... -> image/png
std::string media_type_of(JsonView url) {
  const std::string text = url.kind() == JsonKind::string && url.raw().size() < 64 ? text_of(url) : std::string();
  const std::string_view start = text.empty() ? url.raw().substr(0, 64) : std::string_view(text);
  const std::size_t data = start.find("data:");
  const std::size_t end = start.find_first_of(";,", data == std::string_view::npos ? 0 : data);
  if (data == std::string_view::npos || end == std::string_view::npos) return {};
  return std::string(start.substr(data + 5, end - data - 5));
}

// Bytes with a media type, or an address.
Block picture_of(JsonView image) {
  std::string media_type = media_type_of(image.find("url"));
  if (media_type.empty()) return referenced_image("imageUrl", image);
  return {.kind = BlockKind::image, .media_type = std::move(media_type)};
}

// A text, or a list of parts.
void read_content(JsonView content, BlockKind kind, bool whole, std::vector<Block>& blocks) {
  if (content.kind() == JsonKind::string) {
    if (content.raw() != "\"\"") blocks.push_back({.kind = kind, .text = whole ? text_of(content) : std::string()});
    return;
  }
  append_unless_list(content, blocks, kind);
  for (const JsonItem& item : content.elements()) {
    const auto [type, text, image] = pick<3>(item.value, {"type", "text", "imageUrl"});
    if (text.kind() == JsonKind::string)
      blocks.push_back({.kind = kind, .text = whole ? text_of(text) : std::string()});
    else if (image)
      blocks.push_back(picture_of(image));
    else if (whole)
      blocks.push_back(unknown_block(item.value, kind));
  }
}

// Arguments are JSON in a string; anything but JSON stays a string.
std::string input_of(JsonView arguments, JsonView function) {
  std::string text = text_of(arguments);
  if (check_json(text).ok()) return text;
  return input_or_others(arguments, function, {"name", "arguments"}, "{}");
}

void add_call(JsonView call, bool whole, std::vector<Block>& blocks) {
  const auto [id, function] = pick<2>(call, {"id", "function"});
  const auto [name, arguments] = pick<2>(function, {"name", "arguments"});
  Block block{.kind = BlockKind::tool_call, .id = text_of(id), .name = text_of(name)};
  if (block.id.empty()) return append_unknown(call, blocks);
  if (std::ranges::find(blocks, block.id, &Block::id) != blocks.end()) return;
  if (whole) block.json = input_of(arguments, function);
  blocks.push_back(std::move(block));
}

// A figure of cn, or of the extensions for editors, which spell it differently.
std::int64_t figure(JsonView json, std::string_view snake, std::string_view camel) {
  const auto [first, second] = pick<2>(json, {snake, camel});
  return count_of(first ? first : second);
}

// prompt_tokens includes tokens from the cache.
Usage read_usage(JsonView json) {
  const auto [prompt, prompt_camel, completion, completion_camel] = pick<4>(
      json, {"prompt_tokens_details", "promptTokensDetails", "completion_tokens_details", "completionTokensDetails"});
  const JsonView prompt_details = prompt ? prompt : prompt_camel;
  const JsonView completion_details = completion ? completion : completion_camel;
  Usage usage;
  usage.cache_read = figure(prompt_details, "cached_tokens", "cachedTokens");
  usage.cache_write = figure(prompt_details, "cache_write_tokens", "cacheWriteTokens");
  usage.input = std::max<std::int64_t>(0, figure(json, "prompt_tokens", "promptTokens") - usage.cache_read);
  usage.output = figure(json, "completion_tokens", "completionTokens");
  usage.reasoning = figure(completion_details, "reasoning_tokens", "reasoningTokens");
  return usage;
}

// A file or a selection that the user attached is a document that is a text; anything else is kept as it is.
Block attached(JsonView item) {
  const auto [name, content] = pick<2>(item, {"name", "content"});
  if (content.kind() != JsonKind::string || content.raw() == "\"\"") {
    return {.kind = BlockKind::other, .text = words_in(item), .json = std::string(item.raw())};
  }
  Block document{.kind = BlockKind::document, .media_type = "text/plain"};
  document.bytes = text_of(content).size();
  JsonWriter beside;
  beside.begin_object();
  if (name.kind() == JsonKind::string) beside.key("title").raw(name.raw());
  beside.key("source").begin_object().key("type").string("text").key("media_type").string(document.media_type);
  beside.key("data").raw(content.raw()).end_object();
  for (const JsonItem& field : item.fields())
    if (!field.key_is("name") && !field.key_is("content") && !field.key_is("title") && !field.key_is("source"))
      beside.key(field.key()).raw(field.value.raw());
  document.extra = beside.end_object().take();
  return document;
}

// nullopt if there is no result yet.
std::optional<Block> read_result(JsonView state, bool whole) {
  const auto [id, status, output] = pick<3>(state, {"toolCallId", "status", "output"});
  const bool failed = status.is_string("errored");
  const bool ended = failed || status.is_string("done") || status.is_string("canceled");
  if (id.kind() != JsonKind::string || (!ended && output.kind() != JsonKind::array)) return std::nullopt;
  Block block{.kind = BlockKind::tool_result, .id = text_of(id), .is_error = failed};
  bool first = true;
  if (output.kind() != JsonKind::array && whole) block.text = tool_output_text(output);
  for (const JsonItem& item : output.elements()) {
    if (!whole) break;
    const JsonView content = item.value.find("content");
    if (!first) block.text += '\n';
    block.text += tool_output_text(content.kind() == JsonKind::string ? content : item.value);
    first = false;
  }
  return block;
}

void read_answer(JsonView message, JsonView element, bool whole, Message& answer) {
  const auto [calls, usage] = pick<2>(message, {"toolCalls", "usage"});
  for (const JsonItem& call : calls.elements()) add_call(call.value, whole, answer.blocks);
  for (const JsonView state : tool_states(element)) add_call(state.find("toolCall"), whole, answer.blocks);
  append_unless_list(calls, answer.blocks);
  append_unless_list(element.find("toolCallStates"), answer.blocks);
  if (usage.kind() != JsonKind::object) return;
  answer.usage = read_usage(usage);
  answer.model = text_of(usage.find("model"));
}

void keep_element(JsonView element, bool whole, Message& message) {
  if (whole)
    message.blocks.push_back({.kind = BlockKind::other, .text = words_in(element), .json = std::string(element.raw())});
}

}  // namespace

std::vector<JsonView> tool_states(JsonView element) {
  const auto [states, one] = pick<2>(element, {"toolCallStates", "toolCallState"});
  std::vector<JsonView> all;
  for (const JsonItem& state : states.elements()) all.push_back(state.value);
  if (states.kind() != JsonKind::array && one.kind() == JsonKind::object) all.push_back(one);
  return all;
}

std::string answered_call(JsonView element) {
  const auto [role, call] = pick<2>(element.find("message"), {"role", "toolCallId"});
  return role.is_string("tool") ? text_of(call) : std::string();
}

std::vector<Message> read_element(JsonView element, const std::set<std::string>& elsewhere, bool whole) {
  const auto [inner, context, reasoning, summary] =
      pick<4>(element, {"message", "contextItems", "reasoning", "conversationSummary"});
  const auto [role, content] = pick<2>(inner, {"role", "content"});
  std::vector<Message> messages(1);
  Message& message = messages.front();
  message.role = Role::system;
  message.origin = Origin::notice;
  if (role.is_string("user")) {
    message.role = Role::user;
    message.origin = Origin::typed;
    read_content(content, BlockKind::text, true, message.blocks);
  } else if (role.is_string("assistant")) {
    message.role = Role::assistant;
    message.origin = Origin::model;
    const JsonView thought = reasoning.kind() == JsonKind::object ? reasoning.find("text") : reasoning;
    read_content(thought, BlockKind::thinking, whole, message.blocks);
    read_content(content, BlockKind::text, whole, message.blocks);
    read_answer(inner, element, whole, message);
  } else if (role.is_string("thinking")) {
    message.role = Role::assistant;
    read_content(content, BlockKind::thinking, whole, message.blocks);
  } else if (role.is_string("tool")) {
    message.role = Role::tool;
    message.origin = Origin::tool;
    std::vector<Block> parts;
    read_content(content, BlockKind::text, whole, parts);
    Message text{.blocks = std::move(parts)};
    message.blocks.push_back({.kind = BlockKind::tool_result, .text = text.text(), .id = answered_call(element)});
    for (Block& block : text.blocks)
      if (block.kind != BlockKind::text) message.blocks.push_back(std::move(block));
  } else if (role.is_string("system")) {
    message.origin = Origin::injected;
    read_content(content, BlockKind::text, whole, message.blocks);
  } else {
    keep_element(element, whole, message);
  }
  const bool known = message.role != Role::system || message.origin == Origin::injected;
  if (whole && known && (!content || content.is_null()))
    append_renamed(inner, {"role", "toolCalls", "toolCallId", "usage", "id", "metadata"}, message.blocks);
  append_unless_list(context, message.blocks);
  for (const JsonItem& item : context.elements())
    if (whole) message.blocks.push_back(attached(item.value));
  Message results{.role = Role::tool, .origin = Origin::tool};
  for (const JsonView state : tool_states(element)) {
    auto result = read_result(state, whole);
    if (result && !elsewhere.contains(result->id)) results.blocks.push_back(std::move(*result));
  }
  if (!results.blocks.empty()) messages.push_back(std::move(results));
  if (summary && !summary.is_null()) {
    messages.push_back({.role = Role::user, .origin = Origin::summary});
    read_content(summary, BlockKind::text, true, messages.back().blocks);
  }
  return messages;
}

}  // namespace holdfast::inline v1::continue_dev
