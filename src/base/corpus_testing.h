// The stores of agents that tests read: those in the directory HOLDFAST_CORPUS, which real agents wrote, or if it is
// not set the small ones of tests/fixtures/corpus. Both have one folder per agent, the tree below its home directory,
// and EXPECTED.json, which says what is in them.
#pragma once

#include <stdlib.h>

#include <filesystem>

#include "base/paths_testing.h"

namespace holdfast::inline v1 {

struct CorpusAgent {
  const char* name;  // of the layout, in EXPECTED.json, and of the folder
  const char* root;  // of the store, below that folder
};
inline constexpr CorpusAgent kCorpusAgents[] = {
    {"claude-code", ".claude"}, {"codex", ".codex"}, {"gemini", ".gemini"},   {"opencode", ".local/share/opencode"},
    {"qwen", ".qwen"},          {"pi", ".pi/agent"}, {"copilot", ".copilot"}, {"continue", ".continue"},
    {"openclaw", ".openclaw"}};

inline std::filesystem::path corpus_place() {
  const char* const given = ::getenv("HOLDFAST_CORPUS");
  if (given != nullptr && *given != '\0') return given;
  return std::filesystem::path(paths::source()) / "tests" / "fixtures" / "corpus";
}

inline std::filesystem::path corpus_store(const CorpusAgent& agent) { return corpus_place() / agent.name / agent.root; }

}  // namespace holdfast::inline v1
