// What Gemini CLI 0.61 deletes at startup: a session whose "lastUpdated" is older than its retention, whatever the
// time of the file, and a session with a file that has no conversation. A resume leaves such a file behind: the
// client creates one with the same id, and continues in the old one.
#include <algorithm>

#include "layout/gemini/belongings.h"
#include "layout/gemini/conversation.h"
#include "text/json_write.h"

namespace holdfast::inline v1::gemini {

std::string renewal(std::string_view path, std::string_view time) {
  if (!path.ends_with(".jsonl")) return {};
  JsonWriter json;
  json.begin_object().key("$set").begin_object().key("lastUpdated").string(time).end_object();
  return json.end_object().take() + "\n";
}

std::string time_in_content(std::string_view text) {
  if (!text.contains("\"lastUpdated\"")) return {};
  const JsonView record(text);
  const JsonView set = record.find("$set");
  return (set ? set : record).find("lastUpdated").as_string().value_or("");
}

bool is_empty_conversation(std::string_view bytes) {
  if (!bytes.starts_with('{')) return false;
  Conversation conversation(false);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    conversation.take({.bytes = bytes.substr(at, end - at), .offset = at});
    at = end + 1;
  }
  return std::ranges::none_of(conversation.messages(), [](const ChatMessage& message) {
    return message.kind == ChatKind::gemini ||
           (message.kind == ChatKind::user && origin_of_text(message.text()) != Origin::injected);
  });
}

}  // namespace holdfast::inline v1::gemini
