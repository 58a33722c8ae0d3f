// Carries out the operations of a chat file (docs/formats/readers.md): messages
// are written again under the same id, {"$set":{…}} patches, {"$rewindTo":id}
// leaves a branch. Nothing that was once written disappears: what a rewind takes
// back is marked abandoned, what a new list of messages leaves out (compression)
// stays where it was. One thread an object.
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

class Conversation {
 public:
  explicit Conversation(bool raw) : raw_(raw) {}

  // A further file of the same session; end_file undoes it when it holds no
  // more than the context that a resume writes before it goes on elsewhere.
  void begin_file();
  void end_file();

  void take(const FeedRecord& record);
  // The old form: the whole file is one document. False: torn; what is whole was taken.
  bool take_document(std::string_view text);

  const ChatHeader& header() const { return header_; }
  std::vector<ChatMessage>& messages() { return messages_; }

 private:
  // False: it says nothing that is known.
  bool patch(JsonView object, const FeedRecord& record);
  // As it is.
  void keep(JsonView json, const FeedRecord& record);
  void put(JsonView json, const FeedRecord& record, bool restated);
  void rewind(const std::string& id);

  const bool raw_;
  ChatHeader header_;
  std::vector<ChatMessage> messages_;
  std::map<std::string, std::size_t, std::less<>> index_;  // kind and id -> messages_
  std::set<std::string, std::less<>> answered_;            // call ids with a functionResponse
  std::set<std::string> nameless_;                         // messages without an id, as they are written
  std::size_t files_ = 0, first_of_file_ = 0;
  ChatHeader header_before_;
};

// Whether a user's text was put there by Gemini CLI itself, or is a command.
Origin origin_of_text(std::string_view text);

}  // namespace holdfast::inline v1::gemini
