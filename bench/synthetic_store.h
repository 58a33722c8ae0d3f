// A made-up store as it might look after a year's work, generated from a seed:
// sessions of Claude Code below DIR/.claude and of Codex below DIR/.codex, in
// the shapes and sizes of real ones (see docs/performance.md). The same plan
// gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::bench {

struct SyntheticPlan {
  std::uint64_t bytes = 10'000'000;  // total size of all files, approximately
  std::size_t sessions = 50;
  std::uint64_t seed = 1;
  // "claude-code" or "codex"; empty: both in turns.
  std::string layout = {};
};

// What readers must report about a session.
struct SyntheticSession {
  std::string layout, id, project, branch, path, first_prompt, title;
  std::vector<std::string> models;  // sorted
  std::uint64_t prompts = 0, answers = 0, calls = 0, results = 0;
  std::uint64_t input = 0, output = 0, cache_read = 0, cache_write = 0;
  std::uint64_t bytes = 0;
};

// Returns the sessions in order of their beginning. Ends the program if it cannot write.
std::vector<SyntheticSession> write_synthetic_store(const SyntheticPlan& plan, const std::string& directory);

}  // namespace holdfast::bench
