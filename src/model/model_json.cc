#include "model/model_json.h"

#include <array>

#include "model/session_view.h"
#include "model/when.h"

namespace holdfast::inline v1 {
namespace {

void text_or_null(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_block(JsonWriter& json, const Block& block) {
  json.begin_object().key("type").string(block_kind_name(block.kind));
  switch (block.kind) {
    case BlockKind::text:
    case BlockKind::thinking: json.key("text").string(block.text); break;
    case BlockKind::tool_call:
      json.key("id").string(block.id).key("name").string(block.name);
      json.key("input").raw(block.json.empty() ? "{}" : std::string_view(block.json));
      break;
    case BlockKind::tool_result:
      json.key("id").string(block.id).key("output").string(block.text).key("is_error").boolean(block.is_error);
      if (!block.spilled.empty()) json.key("spilled").string(block.spilled);
      break;
    case BlockKind::image: json.key("media_type").string(block.media_type); break;
    case BlockKind::other: json.key("raw").raw(block.json.empty() ? "null" : std::string_view(block.json)); break;
  }
  json.end_object();
}

constexpr std::array<std::pair<Origin, std::string_view>, 7> kOrigins = {{{Origin::typed, "typed"},
                                                                          {Origin::model, "model"},
                                                                          {Origin::tool, "tool"},
                                                                          {Origin::injected, "injected"},
                                                                          {Origin::summary, "summary"},
                                                                          {Origin::command, "command"},
                                                                          {Origin::notice, "notice"}}};

std::string string_of(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

// A time is a string, or a number of seconds or milliseconds.
std::string time_of(JsonView value) {
  if (value.kind() == JsonKind::number) return std::string(value.raw());
  return value.as_string().value_or("");
}

Origin usual_origin(Role role) {
  switch (role) {
    case Role::user: return Origin::typed;
    case Role::assistant: return Origin::model;
    case Role::tool: return Origin::tool;
    case Role::system: return Origin::injected;
  }
  return Origin::notice;
}

template <typename Row>
void write_counts(JsonWriter& json, const Row& session) {
  json.begin_object();
  json.key("user").int64(session.counts.user).key("assistant").int64(session.counts.assistant);
  json.key("tool_calls").int64(session.counts.tool_calls).key("tool_results").int64(session.counts.tool_results);
  json.key("records").int64(session.counts.records).end_object();
  json.key("models").begin_array();
  for (const std::string_view model : session.models) json.string(model);
  json.end_array();
  json.key("usage");
  write_usage(json, session.usage);
}

// A Session or a SessionView.
template <typename Row>
void write_row(JsonWriter& json, const Row& session) {
  json.begin_object();
  json.key("id").string(session.id).key("layout").string(session.layout).key("store").string(session.store);
  json.key("path").string(session.path);
  text_or_null(json, "project", session.project);
  text_or_null(json, "title", session.title);
  text_or_null(json, "first_prompt", session.first_prompt);
  json.key("status").string(status_name(session.status));
  text_or_null(json, "created_at", session.created_at);
  text_or_null(json, "updated_at", session.updated_at);
  json.key("counts");
  if (session.counted) {
    write_counts(json, session);
  } else {
    json.null().key("models").begin_array().end_array().key("usage").null();
  }
  text_or_null(json, "git_branch", session.git_branch);
  json.key("parent");
  if (session.parent) {
    json.begin_object().key("id").string(session.parent->id);
    json.key("kind").string(parent_kind_name(session.parent->kind));
    if (!session.parent->message.empty()) json.key("message").string(session.parent->message);
    json.end_object();
  } else {
    json.null();
  }
  json.key("subagents").int64(session.subagents).key("bytes").uint64(session.bytes);
  json.key("damage").int64(session.damage);
  if (session.archived) json.key("archived").boolean(true);
  if (!session.summary.empty()) json.key("summary").string(session.summary);
  if (!session.metadata.empty()) json.key("metadata").raw(session.metadata);
  json.end_object();
}

}  // namespace

std::string_view origin_name(Origin origin) {
  for (const auto& [known, name] : kOrigins) {
    if (known == origin) return name;
  }
  return "notice";
}

std::optional<Origin> origin_of(std::string_view name) {
  for (const auto& [origin, known] : kOrigins) {
    if (known == name) return origin;
  }
  return std::nullopt;
}

void write_usage(JsonWriter& json, const Usage& usage) {
  json.begin_object().key("input").int64(usage.input).key("output").int64(usage.output);
  json.key("cache_read").int64(usage.cache_read).key("cache_write").int64(usage.cache_write);
  if (usage.reasoning != 0) json.key("reasoning").int64(usage.reasoning);
  json.end_object();
}

void write_session(JsonWriter& json, const Session& session) { write_row(json, session); }
void write_session(JsonWriter& json, const SessionView& session) { write_row(json, session); }

namespace {

void write_context(JsonWriter& json, const MessageContext& context) {
  if (context == MessageContext()) return;
  json.key("context").begin_object();
  const std::pair<std::string_view, const std::string*> fields[] = {{"cwd", &context.cwd},
                                                                    {"git_branch", &context.git_branch},
                                                                    {"permission_mode", &context.permission_mode},
                                                                    {"version", &context.version},
                                                                    {"user_type", &context.user_type}};
  for (const auto& [name, value] : fields) {
    if (!value->empty()) json.key(name).string(*value);
  }
  json.end_object();
}

}  // namespace

void write_message(JsonWriter& json, const Message& message, std::int64_t ordinal) {
  json.begin_object().key("ordinal").int64(ordinal);
  text_or_null(json, "id", message.id);
  text_or_null(json, "parent", message.parent);
  json.key("role").string(role_name(message.role));
  text_or_null(json, "timestamp", iso_when(message.timestamp));
  text_or_null(json, "model", message.model);
  text_or_null(json, "stop_reason", message.stop_reason);
  if (!message.agent.empty()) json.key("agent").string(message.agent);
  json.key("usage");
  if (message.usage) {
    write_usage(json, *message.usage);
  } else {
    json.null();
  }
  if (!message.cost.empty()) json.key("cost_usd").raw(message.cost);
  json.key("blocks").begin_array();
  for (const Block& block : message.blocks) write_block(json, block);
  json.end_array();
  if (message.origin != usual_origin(message.role)) json.key("origin").string(origin_name(message.origin));
  if (!message.response.empty()) json.key("response").string(message.response);
  if (message.failed) json.key("failed").boolean(true);
  if (message.side) json.key("side").boolean(true);
  if (message.abandoned) json.key("abandoned").boolean(true);
  if (!message.raw.empty()) json.key("raw").string(message.raw);
  write_context(json, message.context);
  json.end_object();
}

std::optional<Usage> usage_from_json(JsonView json) {
  if (json.kind() != JsonKind::object) return std::nullopt;
  const auto figure = [&](std::string_view first, std::string_view second) {
    const auto value = json.find(first).as_int64();
    return value ? *value : json.find(second).as_int64().value_or(0);
  };
  Usage usage;
  usage.input = figure("input", "input_tokens");
  usage.output = figure("output", "output_tokens");
  usage.cache_read = figure("cache_read", "cache_read_input_tokens");
  usage.cache_write = figure("cache_write", "cache_creation_input_tokens");
  usage.reasoning = figure("reasoning", "reasoning_tokens");
  return usage;
}

Result<Block> block_from_json(JsonView json) {
  const auto kind = block_kind_of(string_of(json, "type"));
  if (!kind) return fail(Code::invalid_argument, "a block has no known type: " + string_of(json, "type"));
  Block block;
  block.kind = *kind;
  block.text = string_of(json, "text");
  block.id = string_of(json, "id");
  block.name = string_of(json, "name");
  block.media_type = string_of(json, "media_type");
  block.is_error = json.find("is_error").as_bool().value_or(false);
  if (*kind == BlockKind::tool_call) block.json = json.find("input").raw();
  if (*kind == BlockKind::other) block.json = json.find("raw").raw();
  if (*kind == BlockKind::tool_result) {
    const JsonView output = json.find("output");
    block.text = output.kind() == JsonKind::string ? output.as_string().value_or("") : std::string(output.raw());
  }
  return block;
}

Result<Message> message_from_json(JsonView json) {
  if (json.kind() != JsonKind::object) return fail(Code::invalid_argument, "a message is a JSON object");
  Message message;
  const auto role = role_of(string_of(json, "role"));
  if (!role) return fail(Code::invalid_argument, "role must be user, assistant, tool or system");
  message.role = *role;
  message.origin = usual_origin(*role);
  if (const JsonView origin = json.find("origin")) {
    const auto known = origin_of(origin.as_string().value_or(""));
    if (!known) return fail(Code::invalid_argument, "origin is not one of the known words");
    message.origin = *known;
  }
  message.id = string_of(json, "id");
  message.parent = string_of(json, "parent");
  message.timestamp = time_of(json.find("timestamp"));
  if (!message.timestamp.empty() && !parse_when(message.timestamp)) {
    return fail(Code::invalid_argument, "timestamp is not a time: " + message.timestamp);
  }
  message.model = string_of(json, "model");
  message.stop_reason = string_of(json, "stop_reason");
  message.usage = usage_from_json(json.find("usage"));
  message.cost = json.find("cost_usd").kind() == JsonKind::number ? std::string(json.find("cost_usd").raw()) : "";
  message.response = string_of(json, "response");
  message.agent = string_of(json, "agent");
  message.failed = json.find("failed").as_bool().value_or(false);
  message.side = json.find("side").as_bool().value_or(false);
  if (const JsonView context = json.find("context")) {
    message.context.cwd = string_of(context, "cwd");
    message.context.git_branch = string_of(context, "git_branch");
    message.context.permission_mode = string_of(context, "permission_mode");
    message.context.version = string_of(context, "version");
    message.context.user_type = string_of(context, "user_type");
  }
  for (const std::string_view key : {"text", "content"}) {
    if (const auto text = json.find(key).as_string())
      message.blocks.push_back({.kind = BlockKind::text, .text = *text});
  }
  for (const JsonItem& item : json.find("blocks").elements()) {
    HOLDFAST_LET(block, block_from_json(item.value));
    message.blocks.push_back(std::move(block));
  }
  return message;
}

}  // namespace holdfast::inline v1
