#include "layout/qwen/chat_record.h"

#include <algorithm>
#include <array>

#include "layout/gemini_parts.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::qwen {
namespace {

// Input includes tokens from the cache; output is Qwen's own count, including thoughts.
Usage read_usage(JsonView json) {
  const auto [prompt, candidates, thoughts, cached, tools] =
      pick<5>(json, {"promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount",
                     "toolUsePromptTokenCount"});
  Usage usage;
  usage.cache_read = count_of(cached);
  usage.input = std::max<std::int64_t>(0, count_of(prompt) - usage.cache_read) + count_of(tools);
  usage.output = count_of(candidates);
  usage.reasoning = count_of(thoughts);
  return usage;
}

// Versions that record the origin of a text use `provenance`; what a person did not
// type has a subtype. Older versions have only the text.
Origin origin_of_user(JsonView subtype, JsonView provenance, const Message& message) {
  constexpr std::string_view kInjected[] = {"<system-reminder>", "<task-notification", "<environment_context>",
                                            "This is the Qwen Code. We are setting up the context",
                                            "System: Please continue."};
  if (provenance.kind() == JsonKind::string && !provenance.is_string("real_user")) return Origin::injected;
  if (subtype.kind() == JsonKind::string && !subtype.is_string("mid_turn_user_message")) return Origin::injected;
  if (provenance.kind() == JsonKind::string) return Origin::typed;
  const std::string text = message.text();
  if (text.starts_with("<state_snapshot>")) return Origin::summary;
  const bool injected = std::ranges::any_of(kInjected, [&](std::string_view start) { return text.starts_with(start); });
  return injected ? Origin::injected : Origin::typed;
}

bool has_results(const Message& message) {
  return std::ranges::any_of(message.blocks, [](const Block& b) { return b.kind == BlockKind::tool_result; });
}

void finish_results(JsonView result, ChatRecord& record) {
  record.message.role = Role::tool;
  record.message.origin = Origin::tool;
  const auto [call, status, display] = pick<3>(result, {"callId", "status", "resultDisplay"});
  record.started_agent = display.find("type").is_string("task_execution");
  if (!has_results(record.message) && call.kind() == JsonKind::string) {
    record.message.blocks.push_back(
        {.kind = BlockKind::tool_result, .text = tool_output_text(display), .id = text_of(call)});
  }
  for (Block& block : record.message.blocks) {
    if (block.kind == BlockKind::tool_result && status.is_string("error")) block.is_error = true;
  }
}

// The members of a record other than its message; a result without a message is what was displayed.
constexpr auto kRecordMembers = std::to_array<std::string_view>(
    {"uuid",       "parentUuid", "sessionId", "timestamp",   "type",          "subtype",        "provenance",
     "cwd",        "version",    "gitBranch", "model",       "usageMetadata", "toolCallResult", "systemPayload",
     "forkedFrom", "agentId",    "agentName", "isSidechain", "agentRunId",    "agentRound",     "contextWindowSize"});

// What Qwen kept of a compressed history: the summary is its first text.
std::string summary_in(JsonView payload) {
  for (const JsonItem& content : payload.find("compressedHistory").elements()) {
    Message message;
    read_gemini_parts(content.value.find("parts"), message.blocks);
    if (std::string text = message.text(); !text.empty()) return text;
  }
  return {};
}

// Reads parts of the Gemini API, or whatever is there instead.
void read_content(JsonView content, std::vector<Block>& blocks) {
  const JsonView parts = content.find("parts");
  if (parts && !parts.is_null())
    read_gemini_parts(parts, blocks);
  else
    append_unknown(content, blocks);
}

void finish_system(std::string_view line, JsonView subtype, JsonView payload, bool whole, ChatRecord& record) {
  Message& message = record.message;
  message.role = Role::system;
  message.origin = Origin::injected;
  if (subtype.is_string("chat_compression")) {
    message.role = Role::user;
    message.origin = Origin::summary;
    if (!payload.find("compressedHistory")) append_renamed(payload, {"info"}, message.blocks);
    if (message.blocks.empty()) message.blocks.push_back({.kind = BlockKind::text, .text = summary_in(payload)});
    return;
  }
  if (subtype.is_string("slash_command")) {
    const auto [phase, command] = pick<2>(payload, {"phase", "rawCommand"});
    message.origin = Origin::command;
    if (!phase.is_string("result")) {
      message.role = Role::user;
      if (!command) append_renamed(payload, {"phase"}, message.blocks);
      if (message.blocks.empty()) message.blocks.push_back({.kind = BlockKind::text, .text = text_of(command)});
      return;
    }
  }
  if (subtype.is_string("custom_title")) record.title = text_of(payload.find("customTitle"));
  if (subtype.is_string("parent_session")) record.parent = text_of(payload.find("parentSessionId"));
  record.rewound = subtype.is_string("rewind");
  if (whole) message.blocks.push_back({.kind = BlockKind::other, .json = std::string(line)});
}

// A record of an unknown type.
void finish_unknown(std::string_view line, bool whole, Message& message) {
  message.role = Role::system;
  message.origin = Origin::injected;
  if (message.blocks.empty() && whole)
    message.blocks.push_back({.kind = BlockKind::other, .text = words_in(JsonView(line)), .json = std::string(line)});
}

}  // namespace

ChatRecord read_chat_record(std::string_view line, bool whole) {
  const auto [uuid, parent, session, timestamp, type, subtype, provenance, cwd, version, branch, model, content, usage,
              result, payload, forked] =
      pick<16>(JsonView(line),
               {"uuid", "parentUuid", "sessionId", "timestamp", "type", "subtype", "provenance", "cwd", "version",
                "gitBranch", "model", "message", "usageMetadata", "toolCallResult", "systemPayload", "forkedFrom"});
  ChatRecord record;
  Message& message = record.message;
  message.id = text_of(uuid);
  message.parent = named_parent(parent);
  message.timestamp = written_time(timestamp);
  message.context = {.cwd = text_of(cwd), .git_branch = text_of(branch), .version = text_of(version)};
  record.session = text_of(session);
  record.forked_from = text_of(forked.find("sessionId"));
  if (!type.is_string("system")) read_content(content, message.blocks);
  const bool said = type.is_string("user") || type.is_string("assistant") || type.is_string("tool_result");
  if (said && whole && (!content || content.is_null())) append_renamed(JsonView(line), kRecordMembers, message.blocks);
  if (type.is_string("assistant")) {
    message.role = Role::assistant;
    message.origin = Origin::model;
    message.model = text_of(model);
    if (usage.kind() == JsonKind::object) message.usage = read_usage(usage);
  } else if (type.is_string("tool_result") || (type.is_string("user") && has_results(message))) {
    finish_results(result, record);
  } else if (type.is_string("user")) {
    message.origin = origin_of_user(subtype, provenance, message);
  } else if (type.is_string("system")) {
    finish_system(line, subtype, payload, whole, record);
  } else {
    finish_unknown(line, whole, message);
  }
  return record;
}

}  // namespace holdfast::inline v1::qwen
