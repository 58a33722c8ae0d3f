// Reads a message as callers give it, in any of the known formats.
#include <algorithm>
#include <array>
#include <cmath>

#include "model/block_read.h"
#include "model/chat_completions.h"
#include "model/members.h"
#include "model/model_json.h"
#include "model/time_formats.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// The value of the first name that is present; all names mean the same figure.
std::int64_t figure(Members& usage, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (usage.has(name)) return usage.count(name);
  }
  for (const std::string_view name : names) usage.take(name);  // null
  return 0;
}

// Takes one figure from a nested object; the rest of the object stays in extra.
std::int64_t detail(Members& usage, std::string_view object, std::string_view name, Members::More& more) {
  if (usage.look(object).kind() != JsonKind::object) return 0;
  Members details(usage.take(object), usage.path(object));
  const std::int64_t value = details.count(name);
  if (std::string rest = details.rest(); !rest.empty()) more.emplace_back(object, std::move(rest));
  usage.take_over(details.check());
  return value;
}

// A figure that some libraries give by two names: counted once, and refused if they differ.
std::int64_t same_figure(Members& usage, std::string_view name, std::int64_t one, std::int64_t other) {
  if (one != 0 && other != 0 && one != other) usage.wrong(name, "is given twice, with different values");
  return std::max(one, other);
}

// A figure with a part of it that is given too.
std::int64_t whole_figure(Members& usage, std::string_view name, std::int64_t whole, std::int64_t part) {
  if (whole != 0 && whole < part) usage.wrong(name, "is less than a part of it that is given too");
  return std::max(whole, part);
}

Usage read_usage(Members& usage, Members::More& more) {
  Usage read;
  read.input = figure(usage, {"input", "input_tokens", "inputTokens", "promptTokens"});
  read.output = figure(usage, {"output", "output_tokens", "outputTokens", "completionTokens"});
  read.cache_read = figure(usage, {"cache_read", "cache_read_input_tokens", "cacheReadInputTokens"});
  read.cache_write = figure(usage, {"cache_write", "cache_creation_input_tokens", "cacheCreationInputTokens"});
  read.reasoning = figure(usage, {"reasoning", "reasoning_tokens", "reasoningTokens"});
  read.reasoning =
      same_figure(usage, "reasoning", read.reasoning, detail(usage, "output_tokens_details", "reasoning_tokens", more));
  read.reasoning_apart = figure(usage, {"reasoning_apart"});
  read.cache_write_1h = same_figure(usage, "cache_write_1h", figure(usage, {"cache_write_1h"}),
                                    detail(usage, "cache_creation", "ephemeral_1h_input_tokens", more));
  read.reasoning = whole_figure(usage, "reasoning", read.reasoning, read.reasoning_apart);
  read.cache_write = whole_figure(usage, "cache_write", read.cache_write, read.cache_write_1h);
  // The input in these formats includes tokens from a cache.
  const std::int64_t cached =
      same_figure(usage, "cached_tokens", detail(usage, "input_tokens_details", "cached_tokens", more),
                  figure(usage, {"cachedInputTokens"}));
  if (cached > read.input) usage.wrong("input_tokens", "is less than the part of it that came from a cache");
  read.input -= cached;
  read.cache_read = same_figure(usage, "cache_read", read.cache_read, cached);
  return read;
}

void read_context(Members& given, Message& message, Members::More& more) {
  if (!given.has("context")) {
    given.take("context");
    return;
  }
  // A context object of another program is not ours.
  if (given.look("context").kind() != JsonKind::object) return;
  Members context(given.take("context"), given.path("context"));
  message.context.cwd = context.nonempty_text("cwd");
  message.context.git_branch = context.nonempty_text("git_branch");
  message.context.permission_mode = context.nonempty_text("permission_mode");
  message.context.version = context.nonempty_text("version");
  message.context.user_type = context.nonempty_text("user_type");
  if (std::string rest = context.rest(); !rest.empty()) more.emplace_back("context", std::move(rest));
  given.take_over(context.check());
}

void read_blocks(Members& given, std::string_view name, UnknownBlocks unknown, Message& message) {
  std::size_t number = 0;
  for (const JsonItem& item : given.array(name).elements()) {
    const std::string where = given.path(name) + "[" + std::to_string(number++) + "]";
    given.take_over(read_input_block(item.value, where, message.role, unknown, message.blocks));
  }
}

constexpr auto kBodies = std::to_array<std::string_view>({"text", "content", "blocks", "parts"});

// The member that has the body; empty if there is none. Beside parts, content comes from an older version of the same
// library: it stays in extra. So do parts without anything in them.
std::string_view body_of(Members& given) {
  std::string_view body;
  for (const std::string_view name : kBodies) {
    if (!given.has(name)) continue;
    const JsonView parts = name == "parts" ? given.look(name) : JsonView();
    if (!body.empty() && parts.kind() == JsonKind::array && parts.elements().empty()) continue;
    if (!body.empty() && !(body == "content" && parts))
      given.wrong(given.has("blocks") ? "blocks" : "text",
                  "cannot be combined with another body; a message has one of text, content, blocks and parts");
    body = name;
  }
  return body;
}

// Reads the body alone; what else has such a name stays for extra.
void read_body(Members& given, std::string_view body, Message& message) {
  const JsonKind kind = given.look(body).kind();
  if (body == "blocks" || body == "parts") {
    read_blocks(given, body, body == "blocks" ? UnknownBlocks::refuse : UnknownBlocks::keep, message);
  } else if (body == "content" && kind == JsonKind::array) {
    read_blocks(given, body, UnknownBlocks::keep, message);
  } else if (body == "content" && kind != JsonKind::string) {
    given.wrong(body, "must be a string or an array of blocks");
  } else if (!body.empty()) {
    message.blocks.push_back({.kind = BlockKind::text, .text = given.text(body)});
  }
  for (const std::string_view name : kBodies)
    if (!given.has(name)) given.take(name);  // null
}

// A result that names its call beside its text, as in chat completions and Maestro, or the tool alone, as in the first
// version of chat completions. Several texts, or none, are kept as they are given.
void read_answered_call(Members& given, std::string_view body, Message& message) {
  if (message.role != Role::tool) return;
  if (!std::ranges::all_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::text; })) return;
  if (body.empty() && !given.look("content").is_null()) return;
  const std::string id = given.nonempty_text(given.either("tool_call_id", "toolCallId"));
  const bool function = given.look("role").is_string("function");
  if (id.empty() && !function) return;
  if (message.blocks.size() != 1) {
    message.blocks.assign(1, {});
    if (!body.empty()) set_output(given.look(body), message.blocks[0]);
  }
  message.blocks[0].kind = BlockKind::tool_result;
  message.blocks[0].id = id;
  if (function) message.blocks[0].name = given.nonempty_text("name");
}

// A body may be empty, but must be given: else what the caller means by another name would be lost. An answer whose
// content is null is one that has none.
void check_body(Members& given, const Message& message) {
  if (!message.blocks.empty() || (message.role == Role::assistant && given.look("content").is_null())) return;
  if (std::ranges::any_of(kBodies, [&](std::string_view name) { return given.has(name); })) return;
  given.wrong("text", "is missing; a message has one of text, content, blocks and parts");
}

void read_role(Members& given, Message& message, Members::More& more) {
  const std::string word = given.text("role");
  if (word == "developer") {  // OpenAI's name for system
    message.role = Role::system;
    more.emplace_back("role", json_quoted(word));
  } else if (word == "function") {  // for tool, in the first version of chat completions
    message.role = Role::tool;
  } else if (const auto role = role_of(word)) {
    message.role = *role;
  } else {
    given.wrong("role", "must be user, assistant, tool or system");
  }
}

// What Anthropic calls a user message is a tool message in our model if it contains results.
void settle_role(Message& message, const Members& given) {
  const bool theirs = given.look("content").kind() == JsonKind::array;
  const bool results =
      std::ranges::any_of(message.blocks, [](const Block& block) { return block.kind == BlockKind::tool_result; });
  if (theirs && results && message.role == Role::user) message.role = Role::tool;
}

void read_origin(Members& given, Message& message) {
  message.origin = usual_origin(message.role);
  if (!given.has("origin")) return;
  const std::string word = given.text("origin");
  const auto origin = origin_of(word);
  if (!origin) return given.wrong("origin", "is not a known origin: " + word);
  if (*origin == Origin::typed && message.role != Role::user)
    return given.wrong("origin", "typed is only for messages with the role user");
  message.origin = *origin;
}

void read_time(Members& given, Message& message) {
  const std::string_view name = given.either("timestamp", "createdAt");
  message.timestamp = given.text_or_number(name);
  if (!message.timestamp.empty() && !parse_any_time(message.timestamp))
    given.wrong(name, "is not a time: " + message.timestamp);
}

void read_cost(Members& given, Message& message) {
  const JsonView cost = given.take("cost_usd");
  const auto dollars = cost.as_double();
  if (cost && (cost.kind() != JsonKind::number || !dollars || !std::isfinite(*dollars) || *dollars < 0))
    given.wrong("cost_usd", "must be a number, not below 0");
  message.cost = cost.raw();
}

// An item that is a block by itself. Its id belongs to the item, not to the message.
Result<Message> read_item(JsonView json, Role role) {
  Message message;
  message.role = role;
  message.origin = usual_origin(role);
  HOLDFAST_TRY(read_input_block(json, {}, role, UnknownBlocks::keep, message.blocks));
  return message;
}

}  // namespace

Result<Message> message_from_json(JsonView json) {
  if (json.kind() != JsonKind::object) return fail(Code::invalid_argument, "a message must be a JSON object");
  const std::string type = json.find("type").as_string().value_or("");
  if (const auto role = role_of_item(type); role && !json.find("role")) return read_item(json, *role);
  if (!type.empty() && type != "message" && !json.find("role"))
    return fail(Code::invalid_argument, "a message without a role is not known by its type: \"" + type +
                                            "\"; give it as a block {\"type\":\"other\",\"raw\":…} of a message");
  Members given(json, {});
  Message message;
  Members::More more;
  read_role(given, message, more);
  const std::string_view body = body_of(given);
  read_body(given, body, message);
  settle_role(message, given);
  read_answered_call(given, body, message);
  read_chat_calls(given, message);
  check_body(given, message);
  read_origin(given, message);
  read_time(given, message);
  read_cost(given, message);
  read_context(given, message, more);
  message.id = given.text("id");
  message.parent = given.text("parent");
  message.model = given.nonempty_text("model");
  message.stop_reason = given.nonempty_text("stop_reason");
  if (message.stop_reason.empty()) message.stop_reason = given.nonempty_text("stopReason");
  message.response = given.nonempty_text("response");
  message.agent = given.nonempty_text("agent");
  message.failed = given.flag("failed");
  message.side = given.flag("side");
  if (const JsonView usage = given.object("usage")) {
    Members figures(usage, given.path("usage"));
    Members::More details;
    message.usage = read_usage(figures, details);
    if (std::string rest = figures.rest(details); !rest.empty()) more.emplace_back("usage", std::move(rest));
    given.take_over(figures.check());
  }
  // Reading adds these, and always the ordinal. Without it, they are another program's.
  if (given.look("ordinal").kind() == JsonKind::number)
    for (const std::string_view read : {"ordinal", "abandoned", "raw", "estimated_usd"}) given.take(read);
  message.extra = given.rest(more);
  HOLDFAST_TRY(given.check());
  return message;
}

}  // namespace holdfast::inline v1
