#include "layout/record_extension.h"

#include <algorithm>

#include "model/model_json.h"
#include "text/json_copy.h"

namespace holdfast::inline v1 {
namespace {

// Visits the texts of a message with their names in the member.
template <typename Visit>
void each_text(auto& message, const Visit& visit) {
  visit("id", message.id);
  visit("parent", message.parent);
  visit("timestamp", message.timestamp);
  visit("model", message.model);
  visit("stop_reason", message.stop_reason);
  visit("cost_usd", message.cost);
  visit("response", message.response);
  visit("agent", message.agent);
  visit("cwd", message.context.cwd);
  visit("git_branch", message.context.git_branch);
  visit("permission_mode", message.context.permission_mode);
  visit("version", message.context.version);
  visit("user_type", message.context.user_type);
}

// On one line, however the record is formatted.
std::string object_in(JsonView rest, std::string_view name) {
  const JsonView value = rest.find(name);
  return value.kind() == JsonKind::object ? compact_json(value) : std::string();
}

// The origin that readers assume: the programs' own system messages are notices.
Origin assumed_origin(Role role) { return role == Role::system ? Origin::notice : usual_origin(role); }

// The usual origin is not written, so that a system message looks as the program writes it.
bool says_origin(const Message& message) {
  return message.origin != assumed_origin(message.role) && message.origin != usual_origin(message.role);
}

void write_message(JsonWriter& rest, const Message& message, const ExtensionData& what) {
  each_text(message, [&](std::string_view name, const std::string& text) {
    if ((what.first || name == "response") && !text.empty()) rest.key(name).string(text);
  });
  if (what.role) rest.key("role").string(role_name(message.role));
  if (says_origin(message)) rest.key("origin").string(origin_name(message.origin));
  if (what.first && message.usage) {
    rest.key("usage");
    write_usage(rest, *message.usage);
  }
  if (message.side) rest.key("side").boolean(true);
  if (message.failed) rest.key("failed").boolean(true);
  if (what.first && !message.extra.empty()) rest.key("extra").raw(message.extra);
}

void write_block(JsonWriter& rest, const Block& block, const ExtensionData& what) {
  if (!block.id.empty() || what.no_id) rest.key("call").string(block.id);
  if (what.tool && block.kind == BlockKind::tool_result && !block.name.empty()) rest.key("tool").string(block.name);
  if (block.is_error) rest.key("is_error").boolean(true);
  if (what.kind) rest.key("block").string(block_kind_name(block.kind));
  if (block.kind == BlockKind::tool_result && !block.json.empty())
    rest.key("output").raw(block.json);
  else if (what.output)
    rest.key("output").string(block.text);
  if (!block.extra.empty()) rest.key("block_extra").raw(block.extra);
  if (what.texts == nullptr || what.texts->size() < 2) return;
  rest.key("texts").begin_array();
  for (const std::string& text : *what.texts) rest.uint64(text.size());
  rest.end_array();
}

std::vector<std::size_t> sizes_in(JsonView rest) {
  std::vector<std::size_t> sizes;
  for (const JsonItem& item : rest.find("texts").elements())
    sizes.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, item.value.as_int64().value_or(0))));
  return sizes;
}

}  // namespace

void write_extension(JsonWriter& record, const ExtensionData& what) {
  JsonWriter rest;
  rest.begin_object();
  const std::size_t nothing = rest.text().size();
  if (what.message != nullptr) write_message(rest, *what.message, what);
  if (what.block != nullptr) write_block(rest, *what.block, what);
  if (rest.text().size() == nothing) return;
  record.key(kRest).raw(rest.end_object().text());
}

std::string joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) all += (i == 0 ? "" : "\n") + texts[i];
  return all;
}

std::vector<Block> split_texts(Block joined, const std::vector<std::size_t>& sizes) {
  std::vector<Block> blocks;
  std::string_view left = joined.text;
  for (const std::size_t size : sizes) {
    const bool follows = !blocks.empty();
    if (left.size() < follows || left.size() - follows < size || (follows && left[0] != '\n')) return {joined};
    blocks.push_back({.kind = BlockKind::text, .text = std::string(left.substr(follows, size))});
    left.remove_prefix(follows + size);
  }
  if (blocks.size() < 2 || !left.empty()) return {std::move(joined)};
  return blocks;
}

BlockExtension read_extension(JsonView rest, Message& message) {
  each_text(message, [&](std::string_view name, std::string& text) {
    if (const auto written = rest.find(name).as_string()) text = *written;
  });
  if (const auto role = role_of(rest.find("role").as_string().value_or(""))) {
    message.role = *role;
    message.origin = assumed_origin(*role);
  }
  if (const auto origin = rest.find("origin").as_string()) message.origin = origin_of(*origin).value_or(message.origin);
  if (const JsonView usage = rest.find("usage")) message.usage = usage_from_json(usage);
  message.side = rest.find("side").as_bool().value_or(false);
  message.failed = rest.find("failed").as_bool().value_or(false);
  message.extra = object_in(rest, "extra");
  return {.call = rest.find("call").as_string(),
          .tool = rest.find("tool").as_string().value_or(""),
          .is_error = rest.find("is_error").as_bool().value_or(false),
          .kind = block_kind_of(rest.find("block").as_string().value_or("")),
          .output = rest.find("output"),
          .extra = object_in(rest, "block_extra"),
          .texts = sizes_in(rest)};
}

}  // namespace holdfast::inline v1
