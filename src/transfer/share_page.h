// A session as a page to give to others: one HTML file that asks nothing of the network.
// Prompts and answers in front, runs of tools and thoughts folded, records of the agent's own left out,
// pictures inside; a small script finds and filters, and the policy names it by its hash, so
// that no other can run. Text of the transcript stays text. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct ShareOptions {
  bool tools = true;     // calls, results and thoughts, folded
  bool prompts = false;  // only what the person typed
  bool system = false;   // also what the agent put into the conversation
  // A line below the title, made of all that the page tells: what was masked. Empty: none.
  std::function<std::string(std::string_view told)> note = {};
};

std::string share_page(const Transcript& transcript, const ShareOptions& options);

}  // namespace holdfast::inline v1
