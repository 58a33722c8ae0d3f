// Parses one message as Gemini CLI stores it, and merges two states of the same message
// (the log writes a message again when it grows).
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1::gemini {

enum class ChatKind {
  user,
  gemini,
  notice,  // of the client, to the person
  other,   // unknown; kept as it is, and nobody's turn
};

struct ChatCall {
  std::string id, name, input;  // input: JSON
  std::string agent;            // the sub-agent that the call started
  std::optional<Block> result;
  std::vector<Block> beside = {};  // besides the output: images and anything else that came with it
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
  bool content_known = true;  // false if `content` is the whole record, because the member is missing

  std::string_view text() const;  // of the first text part
};

// nullopt if it has neither id nor type.
std::optional<ChatMessage> read_chat_message(JsonView json);

// Values in `later` win; what it leaves out stays. When a resumed session repeats a
// message, token counts and calls are left out.
void merge(ChatMessage& into, ChatMessage later);

}  // namespace holdfast::inline v1::gemini
