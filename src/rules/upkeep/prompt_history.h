// history.jsonl: everything that was typed, across all sessions of a store (O14).
// Thread-safety: as Store; any number of processes append.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Prompt {
  std::string display;        // as typed
  std::string pasted = "{}";  // a JSON object: pastedContents
  std::string timestamp;      // any written form; empty: now
  std::string project;        // real path
  std::string session_id;

  bool operator==(const Prompt&) const = default;
};

struct PromptFilter {
  std::string project;  // empty: all
  std::string session_id;
  std::size_t limit = 0;  // 0: all
};

struct PromptList {
  std::vector<Prompt> prompts;  // newest first; timestamps as ISO-8601
  std::vector<Finding> findings;
};

// Fails with unsupported if the layout has no such log. Durable on return.
Result<void> append_prompt(const Context& context, Store& store, const Prompt& prompt,
                           Durability durability = Durability::power);
Result<PromptList> list_prompts(const Context& context, Store& store, const PromptFilter& filter = {});

}  // namespace holdfast::inline v1
