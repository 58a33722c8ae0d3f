// What of a message a search looks at: the texts that a person would read.
// Thread-safety: one thread an object.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Which blocks are looked at.
struct SearchIn {
  bool prompts = true;   // what people typed
  bool answers = true;   // what models said
  bool thinking = true;  // what they thought
  bool tools = true;     // names, inputs and outputs of tools
  bool rest = true;      // context, summaries, commands, notices
};

class SaidTexts {
 public:
  // The texts of the wanted blocks, valid until the next call and while the message is.
  const std::vector<std::string_view>& of(const Message& message, const SearchIn& in);

 private:
  std::vector<std::string> inputs_;  // of tools: their name and every string in them, a line each
  std::vector<std::string_view> texts_;
};

}  // namespace holdfast::inline v1
