#include "layout/gemini/chat_message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "layout/gemini_parts.h"
#include "layout/json_pick.h"
#include "layout/unknown_content.h"

namespace holdfast::inline v1::gemini {
namespace {

void read_content(JsonView parts, ChatMessage& message) {
  std::vector<Block> blocks;
  read_gemini_parts(parts, blocks);
  for (Block& block : blocks) {
    switch (block.kind) {
      case BlockKind::tool_result: message.results.push_back(std::move(block)); break;
      case BlockKind::tool_call:
        message.calls.push_back({std::move(block.id), std::move(block.name), std::move(block.json), {}, {}});
        break;
      case BlockKind::thinking: message.thoughts.push_back(std::move(block)); break;
      default: message.content.push_back(std::move(block));
    }
  }
}

Block read_thought(JsonView thought) {
  const auto [subject, description] = pick<2>(thought, {"subject", "description"});
  if (subject.kind() != JsonKind::string && description.kind() != JsonKind::string)
    return unknown_block(thought, BlockKind::thinking);
  Block block{.kind = BlockKind::thinking, .text = text_of(subject)};
  const std::string more = text_of(description);
  if (!block.text.empty() && !more.empty()) block.text += '\n';
  block.text += more;
  return block;
}

// Members other than the result; the displayed text repeats the result.
constexpr auto kCallMembers =
    std::to_array<std::string_view>({"id", "name", "args", "result", "status", "agentId", "timestamp", "description",
                                     "displayName", "display", "renderOutputAsMarkdown", "resultDisplay"});

void read_call(JsonView json, ChatMessage& message) {
  const auto [id, name, args, result, status, agent] =
      pick<6>(json, {"id", "name", "args", "result", "status", "agentId"});
  ChatCall call{text_of(id), text_of(name), input_or_others(args, json, kCallMembers, "null"), text_of(agent), {}};
  std::vector<Block> came;
  read_gemini_parts(result, came);
  const bool answered = std::ranges::find(came, BlockKind::tool_result, &Block::kind) != came.end();
  for (Block& block : came) {
    if (block.kind == BlockKind::tool_result && !call.result) {
      call.result = std::move(block);
      call.result->id = call.id;
    } else if (answered || is_media(block.kind)) {
      call.beside.push_back(std::move(block));
    } else {  // not in the form of a response
      if (!call.result) call.result = Block{.kind = BlockKind::tool_result, .id = call.id};
      if (!call.result->text.empty()) call.result->text += '\n';
      call.result->text += block.json.empty() ? block.text : block.json;
    }
  }
  const bool ended = status.is_string("success") || status.is_string("error") || status.is_string("cancelled");
  if (!call.result && ended) {
    call.result = Block{.kind = BlockKind::tool_result, .id = call.id};
    if (!result) call.result->text = output_or_object({}, json, kCallMembers);
  }
  if (call.result && (status.is_string("error") || status.is_string("cancelled"))) call.result->is_error = true;
  const auto known = std::ranges::find(message.calls, call.id, &ChatCall::id);
  if (known != message.calls.end()) {
    *known = std::move(call);  // a functionCall of the content, now with all its members
  } else {
    message.calls.push_back(std::move(call));
  }
}

// Gemini counts cached tokens as input, and thoughts apart from output.
Usage read_tokens(JsonView tokens) {
  const auto [input, output, cached, thoughts, tool] =
      pick<5>(tokens, {"input", "output", "cached", "thoughts", "tool"});
  Usage usage;
  usage.cache_read = count_of(cached);
  usage.input = std::max<std::int64_t>(0, count_of(input) - usage.cache_read) + count_of(tool);
  usage.output = count_of(output);
  usage.reasoning = usage.reasoning_apart = count_of(thoughts);
  return usage;
}

ChatKind kind_of(JsonView type) {
  if (type.is_string("user")) return ChatKind::user;
  if (type.is_string("gemini")) return ChatKind::gemini;
  const bool notice = type.is_string("info") || type.is_string("warning") || type.is_string("error");
  return notice ? ChatKind::notice : ChatKind::other;
}

}  // namespace

std::string_view ChatMessage::text() const {
  const auto found = std::ranges::find(content, BlockKind::text, &Block::kind);
  return found == content.end() ? std::string_view() : std::string_view(found->text);
}

std::optional<ChatMessage> read_chat_message(JsonView json) {
  const auto [id, timestamp, type, content, thoughts, tokens, model, calls] =
      pick<8>(json, {"id", "timestamp", "type", "content", "thoughts", "tokens", "model", "toolCalls"});
  if (id.kind() != JsonKind::string && type.kind() != JsonKind::string) return std::nullopt;
  ChatMessage message;
  message.kind = kind_of(type);
  message.id = text_of(id);
  message.timestamp = written_time(timestamp);
  message.model = text_of(model);
  for (const JsonItem& thought : thoughts.elements()) message.thoughts.push_back(read_thought(thought.value));
  if (thoughts.kind() != JsonKind::array) append_unknown(thoughts, message.thoughts, BlockKind::thinking);
  read_content(content, message);
  for (const JsonItem& call : calls.elements()) read_call(call.value, message);
  append_unless_list(calls, message.content);
  if (tokens.kind() == JsonKind::object) message.tokens = read_tokens(tokens);
  std::erase_if(message.content,
                [](const Block& block) { return block.kind == BlockKind::text && block.text.empty(); });
  // Of an unknown type it answers no call and makes none, so what it says of calls is only in the record.
  const bool more = !message.results.empty() || !message.calls.empty() || !message.thoughts.empty();
  if (message.kind == ChatKind::other && content && more) {
    message.results.clear();
    message.calls.clear();
    message.thoughts.clear();
    message.content.assign(1, unknown_record(json));
  }
  if (content && !content.is_null()) return message;
  if (message.kind == ChatKind::other)
    message.content.push_back(unknown_record(json));
  else
    append_renamed(json, {"id", "timestamp", "type", "thoughts", "tokens", "model", "toolCalls"}, message.content);
  message.content_known = false;
  return message;
}

void merge(ChatMessage& into, ChatMessage later) {
  const bool tells_more = later.content_known || !into.content_known || into.content.empty();
  if (!later.content.empty() && tells_more) {
    into.content = std::move(later.content);
    into.content_known = later.content_known;
  }
  if (!later.thoughts.empty()) into.thoughts = std::move(later.thoughts);
  if (!later.results.empty()) into.results = std::move(later.results);
  if (!later.model.empty()) into.model = std::move(later.model);
  if (into.timestamp.empty()) into.timestamp = std::move(later.timestamp);
  if (later.tokens) into.tokens = later.tokens;
  for (ChatCall& call : later.calls) {
    const auto known = std::ranges::find(into.calls, call.id, &ChatCall::id);
    if (known == into.calls.end()) {
      into.calls.push_back(std::move(call));
    } else if (call.result) {
      *known = std::move(call);
    }
  }
  if (!later.raw.empty()) into.raw = std::move(later.raw);
  into.abandoned = false;
}

}  // namespace holdfast::inline v1::gemini
