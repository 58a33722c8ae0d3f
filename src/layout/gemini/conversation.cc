#include "layout/gemini/conversation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "layout/json_pick.h"
#include "layout/unknown_content.h"
#include "text/json_cursor.h"
#include "text/json_deep.h"

namespace holdfast::inline v1::gemini {
namespace {

std::string key_of(const ChatMessage& message) { return std::to_string(static_cast<int>(message.kind)) + message.id; }

// The members of a document other than its messages; the summary is shown as the title.
constexpr auto kDocumentMembers = std::to_array<std::string_view>(
    {"sessionId", "projectHash", "startTime", "lastUpdated", "kind", "directories", "summary", "memoryScratchpad"});

void set_if(std::string& into, JsonView value) {
  if (value.kind() == JsonKind::string) into = text_of(value);
}

void set_time_if(std::string& into, JsonView value) {
  if (std::string time = written_time(value); !time.empty()) into = std::move(time);
}

}  // namespace

Origin origin_of_text(std::string_view text) {
  constexpr std::string_view kInjected[] = {"<session_context>", "<hook_context>", "<environment_context>",
                                            "This is the Gemini CLI. We are setting up the context",
                                            "System: Please continue."};
  if (text.starts_with("<state_snapshot>")) return Origin::summary;
  if (std::ranges::any_of(kInjected, [&](std::string_view start) { return text.starts_with(start); })) {
    return Origin::injected;
  }
  const bool slash = text.starts_with('/') && text.size() > 1 && text.find_first_of("/ \n", 1) != 1;
  const std::size_t next = text.find_first_of("/ \n", 1);
  if (slash && (next == std::string_view::npos || text[next] != '/')) return Origin::command;
  return Origin::typed;
}

void Conversation::begin_file() {
  ++files_;
  first_of_file_ = messages_.size();
  header_before_ = header_;
}

void Conversation::end_file() {
  if (files_ < 2) return;
  const bool something = std::any_of(
      messages_.begin() + static_cast<std::ptrdiff_t>(first_of_file_), messages_.end(), [](const ChatMessage& message) {
        return message.kind == ChatKind::gemini || message.kind == ChatKind::other ||
               (message.kind == ChatKind::user && origin_of_text(message.text()) == Origin::typed);
      });
  if (something) return;
  std::erase_if(index_, [&](const auto& entry) { return entry.second >= first_of_file_; });
  messages_.resize(first_of_file_);
  header_ = header_before_;
}

void Conversation::take(const FeedRecord& record) {
  const JsonView json(record.bytes);
  const auto [id, set, rewind_to, type] = pick<4>(json, {"id", "$set", "$rewindTo", "type"});
  if (rewind_to.kind() == JsonKind::string) {
    rewind(text_of(rewind_to));
  } else if (set.kind() == JsonKind::object) {
    patch(set, record);
  } else if (id.kind() == JsonKind::string || type.kind() == JsonKind::string) {
    put(json, record, false);
  } else if (!patch(json, record)) {
    keep(json, record);
  }
}

void Conversation::keep(JsonView json, const FeedRecord& record) {
  ChatMessage& message = messages_.emplace_back();
  message.content.push_back(unknown_record(json));
  message.offset = record.offset;
  if (raw_) message.raw = json.raw();
}

bool Conversation::patch(JsonView object, const FeedRecord& record) {
  const auto [session, hash, start, updated, kind, directories, summary, messages] = pick<8>(
      object, {"sessionId", "projectHash", "startTime", "lastUpdated", "kind", "directories", "summary", "messages"});
  set_if(header_.session, session);
  set_if(header_.project_hash, hash);
  if (header_.start.empty()) set_time_if(header_.start, start);  // a resume writes the header again
  set_time_if(header_.updated, updated);
  set_if(header_.kind, kind);
  set_if(header_.summary, summary);
  for (const JsonItem& directory : directories.elements()) {
    if (header_.directory.empty()) set_if(header_.directory, directory.value);
  }
  for (const JsonItem& message : messages.elements()) put(message.value, record, true);
  return session || hash || start || updated || kind || directories || summary || messages;
}

void Conversation::put(JsonView json, const FeedRecord& record, bool restated) {
  auto message = read_chat_message(json);
  // Without an id, only identical bytes show that it is a repetition.
  if ((!message || message->id.empty()) && !nameless_.insert(std::string(json.raw())).second && restated) return;
  if (!message) return keep(json, record);
  message->offset = record.offset;
  if (raw_) message->raw = json.raw();
  if (!message->id.empty()) {
    const auto [at, fresh] = index_.try_emplace(key_of(*message), messages_.size());
    if (!fresh) {
      merge(messages_[at->second], std::move(*message));
      return;
    }
    // A resume repeats each result, as a message with the call's id.
    const bool only_results = !message->results.empty() && message->content.empty();
    const bool known = std::ranges::all_of(message->results, [&](const Block& b) { return answered_.contains(b.id); });
    if (restated && only_results && known) {
      index_.erase(at);
      return;
    }
  }
  for (const Block& block : message->results) answered_.insert(block.id);
  messages_.push_back(std::move(*message));
}

// Abandons everything from this message on; everything if the message is not known.
void Conversation::rewind(const std::string& id) {
  auto from = std::ranges::find(messages_, id, &ChatMessage::id);
  if (from == messages_.end()) from = messages_.begin();
  for (; from != messages_.end(); ++from) from->abandoned = true;
}

DocumentEnd Conversation::take_document(std::string_view text) {
  const FeedRecord record{text, 0, false};
  patch(JsonView(text), record);
  bool deep = false;
  const bool whole = check_deep_json(without_bom(text), deep).ok();
  if (whole && !deep) {
    const JsonView document(without_bom(text));
    if (document.find("messages").kind() == JsonKind::array) return DocumentEnd::whole;
    ChatMessage message;
    append_renamed(document, kDocumentMembers, message.content);
    if (raw_) message.raw = document.raw();
    if (!message.content.empty()) messages_.push_back(std::move(message));
    return DocumentEnd::without_list;
  }
  // Its agent rewrites the file in place, so it can end anywhere: take the messages that are whole.
  const std::size_t at = text.find("\"messages\"");
  const std::size_t list = at == std::string_view::npos ? at : text.find('[', at);
  if (list == std::string_view::npos) return whole ? DocumentEnd::without_list : DocumentEnd::torn;
  if (!whole) {
    for (const JsonItem& message : JsonView(text.substr(list)).elements()) put(message.value, record, true);
    return DocumentEnd::torn;
  }
  // Too deep to be parsed as a whole.
  JsonCursor element(text.substr(list));
  if (element.enter_array())
    while (element.next_element()) put(element.skip(), record, true);
  return DocumentEnd::whole;
}

}  // namespace holdfast::inline v1::gemini
