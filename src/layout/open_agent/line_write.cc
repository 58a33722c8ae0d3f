// Converts the model to a line, with the keys in the SDK's order.
#include <algorithm>
#include <array>

#include "layout/claude_content.h"
#include "layout/open_agent/line.h"
#include "model/check_read_back.h"
#include "model/marker.h"
#include "model/model_json.h"
#include "text/base64.h"
#include "text/json_copy.h"
#include "text/json_cursor.h"
#include "text/json_write.h"

namespace holdfast::inline v1::open_agent {
namespace {

void text_field(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.key(key).string(text);
}

// Writes a block of the API as it is, unless it would be read as one of ours.
void write_other(JsonWriter& json, const Block& block) {
  std::vector<Block> read;
  const JsonView whole(block.json);
  const std::string content = "[" + block.json + "]";
  if (JsonCursor at(content); whole.kind() == JsonKind::object) read_claude_content(at, read, {.extras = true});
  const bool plain = block.extra.empty() && read.size() == 1 && read[0].kind == BlockKind::other &&
                     read[0].extra.empty() && same_json(JsonView(read[0].json), whole);
  if (plain) {
    json.raw(block.json);
    return;
  }
  json.begin_object().key("type").string("other").key("raw").raw(block.json.empty() ? "null"
                                                                                    : std::string_view(block.json));
  if (!block.extra.empty()) json.key("extra").raw(block.extra);
  json.end_object();
}

// Whether a member of `extra` has the name of a member that the line writes itself.
bool collides(const Block& block) {
  constexpr std::array<std::string_view, 4> kOfCalls = {"type", "id", "name", "input"};
  constexpr std::array<std::string_view, 4> kOfResults = {"type", "tool_use_id", "content", "is_error"};
  constexpr std::array<std::string_view, 4> kOfThoughts = {"type", "thinking", "text", kBesideMembers};
  constexpr std::array<std::string_view, 3> kOfOthers = {"type", "text", kBesideMembers};
  const auto fields = JsonView(block.extra).fields();
  return std::ranges::any_of(fields, [&](const JsonItem& item) {
    const auto in = [&](const auto& names) { return std::ranges::find(names, item.key()) != names.end(); };
    switch (block.kind) {
      case BlockKind::tool_call: return in(kOfCalls) || item.key_is(kBesideMembers);
      case BlockKind::tool_result: return in(kOfResults) || item.key_is(kBesideMembers);
      case BlockKind::thinking: return in(kOfThoughts) || (item.key_is("signature") && !block.signature.empty());
      default: return in(kOfOthers);
    }
  });
}

void write_block(JsonWriter& json, const Block& block) {
  if (block.kind == BlockKind::other) return write_other(json, block);
  json.begin_object().key("type");
  switch (block.kind) {
    case BlockKind::text: json.string("text").key("text").string(block.text); break;
    case BlockKind::thinking:
      json.string("thinking").key("thinking").string(block.text);
      text_field(json, "signature", block.signature);
      break;
    case BlockKind::tool_call:
      json.string("tool_use").key("id").string(block.id).key("name").string(block.name);
      json.key("input").raw(block.json.empty() ? "{}" : std::string_view(block.json));
      break;
    case BlockKind::tool_result:
      json.string("tool_result").key("tool_use_id").string(block.id).key("content");
      block.json.empty() ? json.string(block.text) : json.raw(block.json);
      if (block.is_error) json.key("is_error").boolean(true);
      break;
    case BlockKind::image:
    case BlockKind::document:
    case BlockKind::audio:
      json.string(block_kind_name(block.kind));
      // If others hold the media under an address, the address is written instead.
      if (JsonView(block.extra).find("source")) break;
      json.key("source").begin_object().key("type").string("base64").key("media_type").string(block.media_type);
      if (!block.data.empty()) json.key("data").string(base64(block.data));
      json.end_object();
      break;
    case BlockKind::other: break;
  }
  if (collides(block))
    json.key(kBesideMembers).raw(block.extra);
  else
    for (const JsonItem& item : JsonView(block.extra).fields()) json.key(item.key()).raw(item.value.raw());
  json.end_object();
}

void write_blocks(JsonWriter& json, const Message& message) {
  json.begin_array();
  for (const Block& block : message.blocks) write_block(json, block);
  json.end_array();
}

// For programs that know only OpenAI's form.
void write_tool_calls(JsonWriter& json, const Message& message) {
  bool any = false;
  for (const Block& block : message.blocks) {
    if (block.kind != BlockKind::tool_call) continue;
    if (!any) json.key("tool_calls").begin_array();
    any = true;
    json.begin_object().key("id").string(block.id).key("type").string("function").key("function").begin_object();
    json.key("name").string(block.name).key("arguments").string(block.json.empty() ? "{}" : block.json);
    json.end_object().end_object();
  }
  if (any) json.end_array();
}

void write_tokens(JsonWriter& json, const Usage& usage) {
  json.begin_object().key("input_tokens").int64(usage.input).key("output_tokens").int64(usage.output);
  if (usage.cache_write != 0) json.key("cache_creation_input_tokens").int64(usage.cache_write);
  if (usage.cache_read != 0) json.key("cache_read_input_tokens").int64(usage.cache_read);
  if (usage.reasoning != 0) json.key("reasoning_tokens").int64(usage.reasoning);
  if (usage.cache_write_1h != 0)
    json.key("cache_creation").begin_object().key("ephemeral_1h_input_tokens").int64(usage.cache_write_1h).end_object();
  if (usage.reasoning_apart != 0) json.key("reasoning_apart").int64(usage.reasoning_apart);
  json.end_object();
}

bool is_tool_result(const Block& block) { return block.kind == BlockKind::tool_result; }

bool holds_result(const Message& message) { return std::ranges::any_of(message.blocks, is_tool_result); }

// The origin that a reader assumes.
Origin usual(Role role) { return role == Role::system ? Origin::notice : usual_origin(role); }

void write_head(JsonWriter& json, std::string_view type, const Message& message, const LineStamp& stamp) {
  json.begin_object().key("type").string(type);
  if (type == "system") {
    json.key("subtype").string(is_compact_boundary(message) ? "compact_boundary" : "notice");
  }
  json.key("uuid").string(message.id).key("session_id").string(stamp.session_id);
}

// Writes time, position in the tree and context, which are the same for every kind.
void write_extension(JsonWriter& json, const Message& message, const LineStamp& stamp) {
  json.key("timestamp").string(message.timestamp);
  if (stamp.knows_parent) {
    json.key("parentUuid");
    if (message.parent.empty()) {
      json.null();
    } else {
      json.string(message.parent);
    }
  }
  if (stamp.branches) json.key("isBranch").boolean(true);
  text_field(json, "cwd", message.context.cwd);
  text_field(json, "gitBranch", message.context.git_branch);
  text_field(json, "permissionMode", message.context.permission_mode);
  text_field(json, "version", message.context.version);
  text_field(json, "userType", message.context.user_type);
  text_field(json, "agentId", message.agent);
  if (message.side) json.key("isSidechain").boolean(true);
  if (message.failed) json.key("isApiErrorMessage").boolean(true);
  // Readers take a user message with a result for one of the tool, as in the API.
  if (message.role == Role::user && holds_result(message)) json.key("role").string(role_name(message.role));
  if (message.origin == Origin::summary) json.key("isCompactSummary").boolean(true);
  if (message.origin == Origin::injected && message.role == Role::user) {
    json.key("isMeta").boolean(true);
  } else if (message.origin != usual(message.role) && message.origin != Origin::summary) {
    json.key("origin").string(origin_name(message.origin));
  }
  if (!message.extra.empty()) json.key("extra").raw(message.extra);
}

std::string talk_line(const Message& message, const LineStamp& stamp) {
  const bool answer = message.role == Role::assistant;
  JsonWriter json;
  write_head(json, answer ? "assistant" : "user", message, stamp);
  json.key("message").begin_object();
  text_field(json, "id", message.response);
  json.key("role").string(answer ? "assistant" : "user").key("content");
  const bool one_text =
      message.blocks.size() == 1 && message.blocks[0].kind == BlockKind::text && message.blocks[0].extra.empty();
  if (!answer && one_text) {
    json.string(message.blocks[0].text);
  } else {
    write_blocks(json, message);
  }
  if (answer) write_tool_calls(json, message);
  json.end_object().key("parent_tool_use_id").null();
  text_field(json, "model", message.model);
  if (message.usage) {
    json.key("usage");
    write_tokens(json, *message.usage);
  }
  text_field(json, "stop_reason", message.stop_reason);
  if (!message.cost.empty()) json.key("costUSD").raw(message.cost);
  write_extension(json, message, stamp);
  return json.end_object().take();
}

std::string tool_line(const Message& message, const Block& block, const LineStamp& stamp) {
  JsonWriter json;
  write_head(json, "tool_result", message, stamp);
  json.key("tool_use_id").string(block.id).key("tool_name").string(block.name);
  json.key("result");
  block.json.empty() ? json.string(block.text) : json.raw(block.json);
  json.key("is_error").boolean(block.is_error);
  if (!block.extra.empty()) json.key("result_extra").raw(block.extra);
  write_extension(json, message, stamp);
  return json.end_object().take();
}

// Writes the mark as given, if the line says less.
void write_mark(JsonWriter& json, const Message& message, const Message& usual_mark) {
  const Block& given = message.blocks[0];
  if (same_json(JsonView(given.json), JsonView(usual_mark.blocks[0].json))) return;
  json.key("mark").raw(given.json);
}

std::string boundary_line(const Message& message, const LineStamp& stamp) {
  const JsonView whole(message.blocks[0].json);
  const JsonView told = whole.find("compact_metadata") ? whole.find("compact_metadata") : whole;
  JsonWriter json;
  write_head(json, "system", message, stamp);
  json.key("compact_metadata").begin_object();
  json.key("trigger").string(told.find("trigger").as_string().value_or("manual"));
  json.key("pre_tokens").int64(told.find("pre_tokens").as_int64().value_or(0)).end_object();
  write_mark(json, message,
             compact_boundary(told.find("trigger").as_string().value_or("manual"),
                              told.find("pre_tokens").as_int64().value_or(0)));
  text_field(json, "logicalParentUuid", message.parent);
  Message root = message;
  root.parent.clear();
  write_extension(json, root, {stamp.session_id, true});
  return json.end_object().take();
}

std::string progress_line(const Message& message, const LineStamp& stamp) {
  const Progress progress = progress_of(message).value_or(Progress());
  JsonWriter json;
  write_head(json, "progress", message, stamp);
  json.key("toolUseID").string(progress.tool_call).key("data").begin_object().key("type").string("tool_progress");
  json.key("text").string(progress.text);
  if (progress.fraction) json.key("fraction").number(*progress.fraction);
  json.end_object();
  write_mark(json, message, progress_message(progress));
  write_extension(json, message, stamp);
  return json.end_object().take();
}

std::string notice_line(const Message& message, const LineStamp& stamp) {
  JsonWriter json;
  write_head(json, "system", message, stamp);
  json.key("content").string(message.text());
  const bool one_text =
      message.blocks.size() == 1 && message.blocks[0].kind == BlockKind::text && message.blocks[0].extra.empty();
  if (!one_text && !message.blocks.empty()) {
    json.key("blocks");
    write_blocks(json, message);
  }
  write_extension(json, message, stamp);
  return json.end_object().take();
}

}  // namespace

Result<void> check_lines(const Message& message, std::span<const std::string> lines) {
  std::vector<Message> told;
  for (const std::string& line : lines) told.push_back(read_line(line).message);
  Message said = message;
  const bool mark = is_compact_boundary(message) || progress_of(message);
  // A mark is read back from its line alone, unless "mark" holds more; a boundary names its
  // parent as the logical parent.
  if (mark && told.size() == 1) {
    if (!JsonView(lines[0]).find("mark")) told[0].blocks = said.blocks;
    said.parent.clear();
  }
  // The SDK marks its summaries by their beginning alone.
  if (said.origin == Origin::model && told[0].origin == Origin::summary) said.origin = Origin::summary;
  return check_read_back(said, told, "open-agent");
}

std::vector<std::string> message_lines(const Message& message, const LineStamp& stamp,
                                       const std::function<std::string()>& next_id, std::string& last_id) {
  last_id = message.id;
  if (is_compact_boundary(message)) return {boundary_line(message, stamp)};
  if (progress_of(message)) return {progress_line(message, stamp)};
  if (message.role == Role::user || message.role == Role::assistant) return {talk_line(message, stamp)};
  if (message.role == Role::system) return {notice_line(message, stamp)};
  std::vector<std::string> lines;
  // A result among other blocks is part of a user message, as in the API.
  if (message.blocks.empty() || !std::ranges::all_of(message.blocks, is_tool_result))
    return {talk_line(message, stamp)};
  Message one = message;
  LineStamp where = stamp;
  for (const Block& block : message.blocks) {
    if (!lines.empty()) {
      one.parent = one.id;
      one.id = next_id();
      where = {stamp.session_id, true, false};
    }
    lines.push_back(tool_line(one, block, where));
    last_id = one.id;
  }
  return lines;
}

std::string leaf_line(std::string_view uuid, std::string_view session_id, std::string_view leaf,
                      std::string_view timestamp) {
  JsonWriter json;
  json.begin_object().key("type").string("system").key("subtype").string("leaf").key("uuid").string(uuid);
  json.key("session_id").string(session_id).key("leafUuid").string(leaf).key("timestamp").string(timestamp);
  return json.end_object().take();
}

}  // namespace holdfast::inline v1::open_agent
