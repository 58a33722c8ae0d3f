// One message as Gemini CLI stores it, taken apart; and two states of the same
// message put together (the log writes a message again when it grows).
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1::gemini {

enum class ChatKind { user, gemini, other };

struct ChatCall {
  std::string id, name, input;  // input: JSON
  std::string agent;            // the sub-agent that it started
  std::optional<Block> result;
  std::vector<Block> beside = {};  // the output: images, and whatever else came with it
};

struct ChatMessage {
  ChatKind kind = ChatKind::other;
  std::string id, timestamp, model;
  std::vector<Block> thoughts;
  std::vector<Block> content;  // text, images, other
  std::vector<ChatCall> calls;
  std::vector<Block> results;  // functionResponse parts of a user message
  std::optional<Usage> tokens;
  std::string raw;
  std::uint64_t offset = 0;
  bool abandoned = false;
  bool content_known = true;  // false: `content` is the whole record, in which it has another name

  std::string_view text() const;  // of the first text part
};

// A record that is no message as far as is known: shown as it is.
Block odd_record(JsonView json);

// nullopt when it has neither id nor type.
std::optional<ChatMessage> read_chat_message(JsonView json);

// What `later` says wins; what it leaves out stays. A restatement at a resume
// leaves out figures and calls.
void merge(ChatMessage& into, ChatMessage later);

}  // namespace holdfast::inline v1::gemini
