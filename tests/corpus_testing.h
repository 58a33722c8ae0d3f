// One agent's store of the corpus, opened in place. Needs HOLDFAST_CORPUS.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/file_system.h>
#include <holdfast/store.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>

namespace holdfast::inline v1 {

struct CorpusAgent {
  const char* name;  // of the layout, in EXPECTED.json, and of the directory
  const char* root;
};
inline constexpr CorpusAgent kCorpusAgents[] = {
    {"claude-code", ".claude"}, {"codex", ".codex"}, {"gemini", ".gemini"},   {"opencode", ".local/share/opencode"},
    {"qwen", ".qwen"},          {"pi", ".pi/agent"}, {"copilot", ".copilot"}, {"continue", ".continue"},
    {"openclaw", ".openclaw"}};

class OpenCorpus : public testing::TestWithParam<CorpusAgent> {
 protected:
  void SetUp() override {
    const char* const corpus = ::getenv("HOLDFAST_CORPUS");
    if (corpus == nullptr) GTEST_SKIP() << "HOLDFAST_CORPUS is not set";
    corpus_ = corpus;
    StoreOptions options;
    options.layout = GetParam().name;
    options.roots[""] = (corpus_ / GetParam().name / GetParam().root).string();
    auto opened = Store::open({}, real_file_system(), options);
    ASSERT_TRUE(opened) << opened.error().text();
    store_ = std::move(*opened);
  }

  std::filesystem::path corpus_;
  std::shared_ptr<Store> store_;
};

}  // namespace holdfast::inline v1
