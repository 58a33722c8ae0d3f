// The texts of a message that a search covers: those that a person would read.
// Thread-safety: one thread per object.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// The kinds of blocks to search.
struct SearchScope {
  bool prompts = true;   // what people typed
  bool answers = true;   // what models answered
  bool thinking = true;  // what models thought
  bool tools = true;     // names, inputs and outputs of tools
  bool rest = true;      // context, summaries, commands, notices
};

class SearchableTexts {
 public:
  // Returns the texts of the selected blocks, valid until the next call and while the message lives.
  const std::vector<std::string_view>& of(const Message& message, const SearchScope& in);

 private:
  // Tool inputs (the tool's name and every string in them, one per line), and titles and texts of documents.
  std::vector<std::string> inputs_;
  std::vector<std::string_view> texts_;
};

}  // namespace holdfast::inline v1
