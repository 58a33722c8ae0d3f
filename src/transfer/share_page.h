// A session as a page to share: one HTML file that makes no network requests. Prompts and answers come
// first, tools and thoughts are folded, the agent's own records are left out, pictures are included. A
// small script finds and filters; the policy names it by its hash, so no other script can run. Text of
// the transcript stays text. Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct ShareOptions {
  bool tools = true;     // calls, results and thoughts, folded
  bool prompts = false;  // only what the person typed
  bool system = false;   // also what the agent inserted into the conversation
  // Returns a line below the title, computed from all text on the page: what was masked. Empty if none.
  std::function<std::string(std::string_view told)> note = {};
};

std::string share_page(const Transcript& transcript, const ShareOptions& options);

}  // namespace holdfast::inline v1
