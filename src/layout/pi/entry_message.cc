#include "layout/pi/entry_message.h"

#include <array>

#include "layout/encoded_size.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::pi {
namespace {

Block read_block(JsonView json) {
  if (json.kind() == JsonKind::string) return {.kind = BlockKind::text, .text = text_of(json)};
  const auto [type, text, thinking, id, name, arguments, mime] =
      pick<7>(json, {"type", "text", "thinking", "id", "name", "arguments", "mimeType"});
  if (type.is_string("text") && text.kind() == JsonKind::string)
    return {.kind = BlockKind::text, .text = text_of(text)};
  if (type.is_string("thinking") && thinking.kind() == JsonKind::string)
    return {.kind = BlockKind::thinking, .text = text_of(thinking)};
  if (type.is_string("toolCall")) {
    return {.kind = BlockKind::tool_call,
            .id = text_of(id),
            .name = text_of(name),
            .json = input_or_others(arguments, json, {"type", "id", "name", "arguments", "thoughtSignature"}, "{}")};
  }
  if (type.is_string("image") && mime.kind() == JsonKind::string) {
    Block image{.kind = BlockKind::image, .media_type = text_of(mime)};
    image.bytes = encoded_size(json.find("data"));
    return image;
  }
  return unknown_block(json);
}

// Whether openclaw's gateway itself inserted the answer: a copy of what it sent.
bool is_mirror(JsonView provider, JsonView model) {
  return provider.is_string("openclaw") && (model.is_string("delivery-mirror") || model.is_string("gateway-injected"));
}

// The members of a message other than its content.
constexpr auto kSaidMembers = std::to_array<std::string_view>(
    {"role", "api", "provider", "model", "usage", "stopReason", "responseId", "errorMessage", "timestamp", "toolCallId",
     "toolName", "isError", "details", "provenance", "customType", "display"});

void read_answer(JsonView json, Message& message) {
  const auto [content, provider, model, usage, stop, response, error] =
      pick<7>(json, {"content", "provider", "model", "usage", "stopReason", "responseId", "errorMessage"});
  message.role = Role::assistant;
  message.origin = is_mirror(provider, model) ? Origin::notice : Origin::model;
  read_blocks(content, message.blocks);
  if (!content || content.is_null()) append_renamed(json, kSaidMembers, message.blocks);
  message.stop_reason = text_of(stop);
  message.failed = stop.is_string("error");
  if (message.failed) append_unknown(error, message.blocks);
  if (message.origin == Origin::notice) return;
  message.model = text_of(model);
  message.response = text_of(response);
  if (usage.kind() != JsonKind::object) return;
  message.usage = read_usage(usage);
  const JsonView cost = usage.find("cost").find("total");
  if (cost.kind() == JsonKind::number) message.cost = cost.raw();
}

void read_result(JsonView json, Message& message) {
  const auto [call, content, failed] = pick<3>(json, {"toolCallId", "content", "isError"});
  message.role = Role::tool;
  message.origin = Origin::tool;
  std::vector<Block> parts;
  read_blocks(content, parts);
  Block result{.kind = BlockKind::tool_result, .id = text_of(call)};
  result.is_error = failed.as_bool().value_or(false);
  std::vector<Block> others;
  bool first = true;
  for (Block& part : parts) {
    if (part.kind != BlockKind::text) {
      others.push_back(std::move(part));
      continue;
    }
    if (!first) result.text += '\n';
    result.text += part.text;
    first = false;
  }
  if (!content || content.is_null()) result.text = output_or_object({}, json, kSaidMembers);
  message.blocks.push_back(std::move(result));
  for (Block& part : others) message.blocks.push_back(std::move(part));
}

// Typed by a person, unless openclaw records that a program or another session sent it.
Origin origin_of_user(JsonView provenance) {
  const JsonView kind = provenance.find("kind");
  return kind.kind() != JsonKind::string || kind.is_string("external_user") ? Origin::typed : Origin::injected;
}

// A command line that the person ran without the model ("!ls").
void read_shell(JsonView json, Message& message) {
  const auto [command, output] = pick<2>(json, {"command", "output"});
  message.origin = Origin::command;
  if (!command && !output) return append_renamed(json, kSaidMembers, message.blocks);
  std::string text = "!" + tool_output_text(command);
  if (const std::string printed = tool_output_text(output); !printed.empty()) (text += '\n') += printed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
}

// Prompts of the agent itself; their sections and tools are not text that anybody wrote.
void read_system(JsonView json, JsonView content, bool whole, Message& message) {
  message.role = Role::system;
  message.origin = Origin::injected;
  read_blocks(content, message.blocks);
  std::erase_if(message.blocks, [](const Block& block) { return block.kind == BlockKind::text && block.text.empty(); });
  const bool more = json.find("sections") || json.find("toolsAdded");
  if (!whole || (!more && !message.blocks.empty())) return;
  message.blocks.push_back({.kind = BlockKind::other, .json = std::string(json.raw())});
}

// A message of an unknown role.
void read_unknown(JsonView json, JsonView content, Message& message) {
  message.origin = Origin::notice;
  read_blocks(content, message.blocks);
  std::erase_if(message.blocks, [](const Block& block) { return block.kind == BlockKind::text && block.text.empty(); });
  if (message.blocks.empty()) append_unknown(json, message.blocks);
}

}  // namespace

void read_blocks(JsonView content, std::vector<Block>& blocks) {
  if (content.kind() == JsonKind::string) {
    blocks.push_back(read_block(content));
    return;
  }
  if (content.kind() == JsonKind::object)
    blocks.push_back(read_block(content));
  else
    append_unless_list(content, blocks);
  for (const JsonItem& item : content.elements()) blocks.push_back(read_block(item.value));
}

void read_summary_text(JsonView summary, std::vector<Block>& blocks) {
  if (summary.kind() == JsonKind::string || !summary)
    blocks.push_back({.kind = BlockKind::text, .text = text_of(summary)});
  else
    append_unknown(summary, blocks);
}

Usage read_usage(JsonView usage) {
  const auto [input, output, cache_read, cache_write, reasoning] =
      pick<5>(usage, {"input", "output", "cacheRead", "cacheWrite", "reasoningTokens"});
  return {count_of(input), count_of(output), count_of(cache_read), count_of(cache_write), count_of(reasoning)};
}

void read_entry_message(JsonView json, bool whole, Message& message) {
  const auto [role, content, timestamp, summary, provenance] =
      pick<5>(json, {"role", "content", "timestamp", "summary", "provenance"});
  if (message.timestamp.empty() && timestamp) message.timestamp = written_time(timestamp);
  if (role.is_string("assistant")) return read_answer(json, message);
  if (role.is_string("toolResult")) return read_result(json, message);
  if (role.is_string("bashExecution")) return read_shell(json, message);
  if (role.is_string("user")) {
    message.origin = origin_of_user(provenance);
    return content ? read_blocks(content, message.blocks) : append_unknown(json, message.blocks);
  }
  if (role.is_string("custom") || role.is_string("hookMessage")) {
    message.origin = Origin::injected;
    return content ? read_blocks(content, message.blocks) : append_renamed(json, kSaidMembers, message.blocks);
  }
  if (role.is_string("compactionSummary") || role.is_string("branchSummary")) {
    if (role.is_string("branchSummary")) message.role = Role::system;
    message.origin = Origin::summary;
    return summary ? read_summary_text(summary, message.blocks) : append_renamed(json, kSaidMembers, message.blocks);
  }
  if (role.is_string("system") || json.find("sections") || json.find("toolsAdded"))
    return read_system(json, content, whole, message);
  read_unknown(json, content, message);
}

}  // namespace holdfast::inline v1::pi
