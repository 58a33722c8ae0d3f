// Applies the operations of a chat file (docs/formats/readers.md): messages are written
// again under the same id, {"$set":{…}} patches, {"$rewindTo":id} leaves a branch.
// Nothing that was once written disappears: messages undone by a rewind are marked
// abandoned, and messages missing from a new list (compression) stay where they were.
// One thread per object.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/feed.h"
#include "layout/gemini/chat_message.h"

namespace holdfast::inline v1::gemini {

struct ChatHeader {
  std::string session, project_hash, start, updated, kind, directory, summary;
};

enum class DocumentEnd { whole, torn, without_list };

class Conversation {
 public:
  explicit Conversation(bool raw) : raw_(raw) {}

  // Begins a further file of the same session. end_file discards the file if it holds
  // only the context that a resume writes before it continues in another file.
  void begin_file();
  void end_file();

  void take(const FeedRecord& record);
  // For the old form, one document per file. Whole messages are taken even if it is torn; a document without a list of
  // messages is kept as it is if it has words: another version may have renamed the list.
  DocumentEnd take_document(std::string_view text);

  const ChatHeader& header() const { return header_; }
  std::vector<ChatMessage>& messages() { return messages_; }

 private:
  // Returns false if nothing in the object is known.
  bool patch(JsonView object, const FeedRecord& record);
  // Keeps the value as it is.
  void keep(JsonView json, const FeedRecord& record);
  void put(JsonView json, const FeedRecord& record, bool restated);
  void rewind(const std::string& id);

  const bool raw_;
  ChatHeader header_;
  std::vector<ChatMessage> messages_;
  std::map<std::string, std::size_t, std::less<>> index_;  // kind and id -> messages_
  std::set<std::string, std::less<>> answered_;            // ids of calls with a functionResponse
  std::set<std::string> nameless_;                         // messages without an id, as written
  std::size_t files_ = 0, first_of_file_ = 0;
  ChatHeader header_before_;
};

// Whether a user's text was inserted by Gemini CLI itself, is a command, or was typed.
Origin origin_of_text(std::string_view text);

}  // namespace holdfast::inline v1::gemini
