#include "layout/copilot/event.h"

#include <algorithm>
#include <array>

#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::copilot {
namespace {

struct TypeRow {
  std::string_view type;
  EventKind kind;
};

constexpr TypeRow kTypes[] = {
    {"user.message", EventKind::user},
    {"assistant.message", EventKind::answer},
    {"tool.execution_complete", EventKind::tool_result},
    {"session.usage_record", EventKind::usage},
    {"session.start", EventKind::start},
    {"session.resume", EventKind::resume},
    {"session.shutdown", EventKind::shutdown},
    {"session.model_change", EventKind::model_change},
    {"assistant.turn_start", EventKind::turn_start},
    {"assistant.turn_end", EventKind::turn_end},
    {"abort", EventKind::abort},
    {"tool.execution_start", EventKind::quiet},
    {"subagent.started", EventKind::quiet},
    {"subagent.configured", EventKind::quiet},
    {"subagent.completed", EventKind::quiet},
};

EventKind kind_of(JsonView type) {
  for (const TypeRow& row : kTypes) {
    if (type.is_string(row.type)) return row.kind;
  }
  return EventKind::aside;
}

void add_text(Message& message, BlockKind kind, JsonView text, bool whole) {
  if (text.kind() != JsonKind::string || text.raw() == "\"\"") return append_unknown(text, message.blocks, kind);
  message.blocks.push_back({.kind = kind, .text = whole ? text_of(text) : std::string()});
}

bool is_missing(JsonView content) { return !content || content.is_null(); }

// The members of an event's data other than its content or its result.
constexpr auto kDataMembers = std::to_array<std::string_view>(
    {"source",       "attachments",    "messageId",     "interactionId",    "turnId",
     "delivery",     "model",          "reasoningText", "reasoningOpaque",  "toolRequests",
     "apiCallId",    "toolCallId",     "success",       "toolTelemetry",    "shellExecution",
     "fileEdits",    "phase",          "rte",           "encryptedContent", "supportedNativeDocumentMimeTypes",
     "outputTokens", "isUserRequested"});

// `call` is the object that has them all.
void add_call(Message& message, JsonView id, JsonView name, JsonView input, JsonView call, bool whole) {
  Block block{.kind = BlockKind::tool_call, .id = text_of(id), .name = text_of(name)};
  if (whole)
    block.json = input_or_others(
        input, call,
        {"toolCallId", "name", "toolName", "arguments", "type", "intentionSummary", "toolTitle", "turnId", "model",
         "shellToolInfo", "parentToolCallId", "interactionId", "mcpServerName", "mcpToolName"},
        "{}");
  message.blocks.push_back(std::move(block));
}

void read_user(JsonView data, bool whole, Message& message) {
  const auto [content, source, attachments] = pick<3>(data, {"content", "source", "attachments"});
  const std::string from = text_of(source);
  message.role = Role::user;
  // What another agent says to an agent is its task.
  const bool typed = from.empty() || from == "user" || (message.side && from.starts_with("agent-"));
  message.origin = typed ? Origin::typed : Origin::injected;
  add_text(message, BlockKind::text, content, true);
  if (!whole) return;
  if (is_missing(content)) append_renamed(data, kDataMembers, message.blocks);
  for (const JsonItem& item : attachments.elements())
    message.blocks.push_back({.kind = BlockKind::other, .json = std::string(item.value.raw())});
  append_unless_list(attachments, message.blocks);
}

void read_answer(JsonView data, bool whole, CopilotEvent& event) {
  const auto [id, model, content, reasoning, requests, api_call] =
      pick<6>(data, {"messageId", "model", "content", "reasoningText", "toolRequests", "apiCallId"});
  Message& message = event.message;
  message.role = Role::assistant;
  message.origin = Origin::model;
  message.response = text_of(id);
  message.model = text_of(model);
  event.api_call = text_of(api_call);
  add_text(message, BlockKind::thinking, reasoning, whole);
  add_text(message, BlockKind::text, content, whole);
  for (const JsonItem& item : requests.elements()) {
    const auto [call, name, arguments] = pick<3>(item.value, {"toolCallId", "name", "arguments"});
    if (call.kind() == JsonKind::string)
      add_call(message, call, name, arguments, item.value, whole);
    else
      append_unknown(item.value, message.blocks);
  }
  append_unless_list(requests, message.blocks);
  if (whole && is_missing(content)) append_renamed(data, kDataMembers, message.blocks);
}

void read_result(JsonView data, bool whole, Message& message) {
  const auto [id, success, result, error] = pick<4>(data, {"toolCallId", "success", "result", "error"});
  message.role = Role::tool;
  message.origin = Origin::tool;
  Block block{.kind = BlockKind::tool_result, .id = text_of(id)};
  block.is_error = !success.as_bool().value_or(true);
  if (whole) {
    const JsonView said = result ? result : error;
    const auto [content, text] = pick<2>(said, {"content", "message"});
    const JsonView words = content ? content : text ? text : said;
    block.text = output_or_object(tool_output_text(words), said, {"content", "message", "code"});
    if (!said) block.text = output_or_object({}, data, kDataMembers);
  }
  message.blocks.push_back(std::move(block));
}

// inputTokens includes tokens from the cache.
void read_usage(JsonView data, CopilotEvent& event) {
  const auto [model, input, output, cache_read, cache_write, reasoning, api_call] = pick<7>(
      data.find("usage"),
      {"model", "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "apiCallId"});
  Usage usage;
  usage.cache_read = count_of(cache_read);
  usage.cache_write = count_of(cache_write);
  usage.input = std::max<std::int64_t>(0, count_of(input) - usage.cache_read);
  usage.output = count_of(output);
  usage.reasoning = count_of(reasoning);
  event.message.role = Role::assistant;
  event.message.origin = Origin::notice;
  event.message.usage = usage;
  event.message.model = text_of(model);
  event.api_call = text_of(api_call);
}

// Types that people should see as text; all others are kept as they are.
void read_aside(JsonView type, JsonView data, std::string_view line, bool whole, Message& message) {
  const auto [content, text, summary, call, tool, input] =
      pick<6>(data, {"content", "message", "summaryContent", "toolCallId", "toolName", "arguments"});
  message.role = Role::system;
  message.origin = Origin::notice;
  if (type.is_string("system.message")) {
    message.origin = Origin::injected;
    add_text(message, BlockKind::text, content, whole);
  } else if (type.is_string("session.compaction_complete") && summary.kind() == JsonKind::string) {
    message.role = Role::user;
    message.origin = Origin::summary;
    add_text(message, BlockKind::text, summary, true);
  } else if (type.is_string("session.error") || type.is_string("session.info") || type.is_string("session.warning")) {
    add_text(message, BlockKind::text, text, whole);
  } else if (type.is_string("assistant.reasoning")) {
    message.role = Role::assistant;
    add_text(message, BlockKind::thinking, content, whole);
  } else if (type.is_string("tool.user_requested") && call.kind() == JsonKind::string) {
    message.role = Role::user;
    message.origin = Origin::command;
    add_call(message, call, tool, input, data, whole);
  }
  if (message.blocks.empty() && whole)
    message.blocks.push_back({.kind = BlockKind::other, .text = words_in(data), .json = std::string(line)});
}

}  // namespace

CopilotEvent read_event(std::string_view line, bool whole) {
  const auto [type, data, id, timestamp, parent, agent] =
      pick<6>(JsonView(line), {"type", "data", "id", "timestamp", "parentId", "agentId"});
  CopilotEvent event;
  Message& message = event.message;
  event.kind = kind_of(type);
  event.data = data;
  message.id = text_of(id);
  message.parent = named_parent(parent);
  message.timestamp = written_time(timestamp);
  message.agent = text_of(agent);
  message.side = !message.agent.empty();
  switch (event.kind) {
    case EventKind::user: read_user(data, whole, message); break;
    case EventKind::answer: read_answer(data, whole, event); break;
    case EventKind::tool_result: read_result(data, whole, message); break;
    case EventKind::usage: read_usage(data, event); break;
    case EventKind::aside: read_aside(type, data, line, whole, message); break;
    case EventKind::abort:
      message.role = Role::user;
      message.origin = Origin::notice;
      add_text(message, BlockKind::text, data.find("reason"), true);
      if (whole && is_missing(data.find("reason"))) append_renamed(data, kDataMembers, message.blocks);
      break;
    default: return event;
  }
  // `data` should be an object with these members but is not.
  const bool odd = event.kind != EventKind::usage && event.kind != EventKind::aside && data.kind() != JsonKind::object;
  if (odd && data) append_unknown(data, message.blocks);
  if (odd && !data && whole)
    append_renamed(JsonView(line), {"type", "id", "timestamp", "parentId", "agentId", "ephemeral"}, message.blocks);
  return event;
}

}  // namespace holdfast::inline v1::copilot
