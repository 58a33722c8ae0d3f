// Abandoned branches of Claude Code and Qwen are reachable, and marked as abandoned.
#include <gtest/gtest.h>
#include <holdfast/store.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct BranchedAgent {
  const char* layout;
  const char* file;
  const char* user;       // the record of a prompt, with $ID, $PARENT and $TEXT
  const char* assistant;  // the record of an answer
};

constexpr BranchedAgent kBranched[] = {
    {"claude-code", "projects/-home-dev-alpha/0ffbc846-e910-42c3-a401-610bc1bf1397.jsonl",
     R"({"parentUuid":$PARENT,"isSidechain":false,"type":"user","message":{"role":"user","content":"$TEXT"},"uuid":"$ID","timestamp":"2026-11-15T01:00:00.000Z","cwd":"/home/dev/alpha","sessionId":"0ffbc846-e910-42c3-a401-610bc1bf1397"})",
     R"({"parentUuid":$PARENT,"isSidechain":false,"type":"assistant","message":{"id":"msg_$ID","role":"assistant","model":"m","content":[{"type":"text","text":"$TEXT"}],"usage":{"input_tokens":1,"output_tokens":2}},"uuid":"$ID","timestamp":"2026-11-15T01:00:00.000Z","cwd":"/home/dev/alpha","sessionId":"0ffbc846-e910-42c3-a401-610bc1bf1397"})"},
    {"qwen", "projects/-home-dev-alpha/chats/0ffbc846-e910-42c3-a401-610bc1bf1397.jsonl",
     R"({"uuid":"$ID","parentUuid":$PARENT,"sessionId":"0ffbc846-e910-42c3-a401-610bc1bf1397","timestamp":"2026-11-15T01:00:00.000Z","type":"user","cwd":"/home/dev/alpha","version":"0.24.4","message":{"role":"user","parts":[{"text":"$TEXT"}]}})",
     R"({"uuid":"$ID","parentUuid":$PARENT,"sessionId":"0ffbc846-e910-42c3-a401-610bc1bf1397","timestamp":"2026-11-15T01:00:00.000Z","type":"assistant","cwd":"/home/dev/alpha","version":"0.24.4","model":"m","message":{"role":"model","parts":[{"text":"$TEXT"}]},"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2}})"}};

std::string filled(std::string record, const std::string& id, const std::string& parent) {
  const auto put = [&](std::string_view mark, const std::string& value) {
    for (std::size_t at = 0; (at = record.find(mark, at)) != std::string::npos; at += value.size())
      record.replace(at, mark.size(), value);
  };
  put("$PARENT", parent.empty() ? "null" : "\"" + parent + "\"");
  put("$ID", id);
  put("$TEXT", "said by " + id);
  return record + "\n";
}

class Branches : public testing::TestWithParam<BranchedAgent> {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "holdfast-branches-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const fs::path file = folder_ / GetParam().file;
    fs::create_directories(file.parent_path());
    // A prompt and its answer; a second turn; then the user goes back and asks something else.
    const BranchedAgent& agent = GetParam();
    std::ofstream(file, std::ios::binary)
        << filled(agent.user, "p1", "") << filled(agent.assistant, "a1", "p1") << filled(agent.user, "p2", "a1")
        << filled(agent.assistant, "a2", "p2") << filled(agent.user, "p3", "a1") << filled(agent.assistant, "a3", "p3");
    StoreOptions options;
    options.layout = agent.layout;
    options.roots[""] = folder_.string();
    auto opened = Store::open({}, real_file_system(), options);
    ASSERT_TRUE(opened) << opened.error().text();
    store_ = std::move(*opened);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string shown(const std::string& branch) {
    const auto read = store_->read({}, "0ffbc846-e910-42c3-a401-610bc1bf1397", {.branch = branch});
    EXPECT_TRUE(read) << read.error().text();
    std::string text;
    if (!read) return text;
    for (const Message& message : read->messages)
      text += (text.empty() ? "" : " ") + message.id + (message.abandoned ? "!" : "");
    return text;
  }

  fs::path folder_;
  std::shared_ptr<Store> store_;
};

TEST_P(Branches, ReadsActiveChosenOrAllBranches) {
  EXPECT_EQ(shown(""), "p1 a1 p3 a3");
  EXPECT_EQ(shown("a2"), "p1 a1 p2 a2");
  EXPECT_EQ(shown("all"), "p1 a1 p2! a2! p3 a3");
}

INSTANTIATE_TEST_SUITE_P(Of, Branches, testing::ValuesIn(kBranched));

}  // namespace
}  // namespace holdfast::inline v1
