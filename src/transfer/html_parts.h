// Building blocks of exported and shared pages. Text of a transcript stays text: nothing in it
// becomes an element, moves a cursor or changes the text direction. Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace holdfast::inline v1 {

std::string html_text(std::string_view text);                          // keeps line breaks
std::string html_line(std::string_view text, std::size_t most = 400);  // on one line

// The 'sha256-…' for a content security policy.
std::string policy_hash(std::string_view text);

// From <!doctype html> to <body>. `script` is the only script that may run; empty if none.
std::string html_opening(std::string_view title, std::string_view style, std::string_view script);

std::string session_name(const Session& session);  // title, first prompt or id
bool is_prompt(const Message& message);
// A list of what people asked, with a link to each prompt.
std::string html_prompts(const std::vector<Message>& messages);
std::string html_row(std::string_view name, std::string_view value);  // in a list of facts; empty for an empty value

// Which results of a transcript answer which calls; the transcript must outlive this object.
class ToolBlocks {
 public:
  explicit ToolBlocks(const Transcript& transcript);
  // Both take blocks of the transcript, not copies.
  const Block* result_of(const Block& call) const;  // nullptr if it has none
  bool answers(const Block& result) const { return answers_.contains(&result); }

 private:
  std::unordered_map<const Block*, const Block*> results_;  // by call
  std::unordered_set<const Block*> answers_;
};

// One block as shown; a result whose call exists is shown with the call.
std::string html_block(const Message& message, const Block& block, const ToolBlocks& tools);
// Names only the damaged file, not its folders, which tell about the machine, if `paths` is false.
std::string html_damage(const Transcript& transcript, bool paths);

}  // namespace holdfast::inline v1
