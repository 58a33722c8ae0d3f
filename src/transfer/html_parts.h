// Pieces that exported and shared pages are made of. Text of a transcript becomes text: nothing in
// it is an element, moves a cursor or turns the page around. Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

std::string html_text(std::string_view text);                          // lines stay
std::string html_line(std::string_view text, std::size_t most = 400);  // in one line

// 'sha256-…' of a policy.
std::string policy_hash(std::string_view text);

// <!doctype html> up to <body>. `script`: empty, or what alone may run.
std::string html_opening(std::string_view title, std::string_view style, std::string_view script);

std::string session_name(const Session& session);  // title, first prompt or id
bool is_prompt(const Message& message);
// A table of what people asked, with a link to each.
std::string html_prompts(const std::vector<Message>& messages);
std::string html_row(std::string_view name, std::string_view value);  // of a list of facts; empty for an empty value

// Calls and results of a transcript by their ids; it outlives this.
struct ToolBlocks {
  explicit ToolBlocks(const Transcript& transcript);
  bool answers(const Block& result) const { return calls.contains(result.id); }
  std::map<std::string_view, const Block*> results, calls;
};

// One block as it is shown; a result whose call is there is shown with the call.
std::string html_block(const Message& message, const Block& block, const ToolBlocks& tools);
std::string html_damage(const Transcript& transcript);

}  // namespace holdfast::inline v1
