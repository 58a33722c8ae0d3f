#include "transfer/rescue.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "index/directory_feed.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Rescue : testing::Test {
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "holdfast-rescue-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    directory = std::move(*real_file_system().open_directory(folder.string(), false));
    roots["home"] = directory.get();
  }
  void TearDown() override { fs::remove_all(folder); }

  Result<Rescued> of(const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    DirectoryFeed feed(context, roots);
    auto rescued = rescue_log(feed, {"home", name});
    std::ifstream again(folder / name, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), bytes) << "the original was touched";
    return rescued;
  }
  static std::string line(const std::string& id, const std::string& parent) {
    return R"({"type":"user","uuid":")" + id + R"(","parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
           R"(,"odd":1.50})";
  }

  Context context;
  fs::path folder;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;
};

TEST_F(Rescue, KeepsIntactRecordsOnceAndRelinksChain) {
  const std::string torn = line("b", "a").substr(0, 20);
  const auto rescued = of("x.jsonl", line("a", "") + "\n" + torn + "\n" + line("c", "b") + line("d", "c") + "\n" +
                                         std::string(100, '\0') + "\n" + line("d", "c") + "\n" + line("e", "d"));
  ASSERT_TRUE(rescued) << rescued.error().text();
  EXPECT_EQ(rescued->bytes,
            line("a", "") + "\n" + line("c", "a") + "\n" + line("d", "c") + "\n" + line("e", "d") + "\n");
  EXPECT_EQ(rescued->records, 4u);
  EXPECT_EQ(rescued->salvaged, 2u);
  EXPECT_EQ(rescued->repeated, 1u);
  EXPECT_EQ(rescued->linked, 1u);
}

TEST_F(Rescue, KeepsRepeatedRecordThatFollowsItsParent) {
  const std::string whole =
      line("a", "") + "\n" + line("b", "a") + "\n" + line("c", "b") + "\n" + line("d", "c") + "\n";
  for (const std::string& before : {line("c", "b") + "\n", line("c", "b") + "\n" + line("d", "c") + "\n"}) {
    const auto rescued = of("x.jsonl", before + whole);
    ASSERT_TRUE(rescued) << rescued.error().text();
    EXPECT_EQ(rescued->bytes, whole);
    EXPECT_EQ(rescued->linked, 0u);
  }
}

TEST_F(Rescue, HealthyLogIsUnchanged) {
  const std::string flat = "{\"type\":\"mode\"}\n";
  const std::string log = flat + line("a", "") + "\n" + flat + line("b", "a") + "\n" + flat;
  EXPECT_EQ(of("x.jsonl", log)->bytes, log);
}

TEST_F(Rescue, LostHeaderIsRebuiltFromNameAndNeighbors) {
  const std::string rest =
      R"({"timestamp":"2026-11-15T01:00:01.000Z","type":"turn_context","payload":{"cwd":"/home/dev/alpha"}})"
      "\n"
      R"({"timestamp":"2026-11-15T01:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user"}})"
      "\n";
  const auto rescued =
      of("rollout-2026-11-15T01-00-00-0199c000-0000-7000-8000-00000000000a.jsonl", "{\"type\":\"sess\n" + rest);
  ASSERT_TRUE(rescued);
  EXPECT_EQ(
      rescued->bytes,
      R"({"timestamp":"2026-11-15T01:00:00.000Z","type":"session_meta","payload":{"id":"0199c000-0000-7000-8000-00000000000a",)"
      R"("timestamp":"2026-11-15T01:00:00.000Z","cwd":"/home/dev/alpha","originator":"codex_exec","cli_version":"0.0.0"}})"
      "\n" +
          rest);
  EXPECT_EQ(rescued->headers, 1u);
}

// Values that the torn line still contains are not guessed.
TEST_F(Rescue, LostHeaderKeepsValuesOfItsRemains) {
  const std::string id = "0199c000-0000-7000-8000-00000000000a", name = "session-2026-11-15T01-12-0199c000.jsonl";
  const std::string rest =
      R"({"id":"a","timestamp":"2026-11-15T01:12:01.000Z","type":"user","content":[{"text":"hello"}]})"
      "\n"
      R"({"id":"b","timestamp":"2026-11-15T01:12:02.000Z","type":"gemini","content":"well"})"
      "\n";
  const auto header = [](const std::string& session, const std::string& hash) {
    return R"({"sessionId":")" + session + R"(","projectHash":")" + hash +
           R"(","startTime":"2026-11-15T01:12:01.000Z","lastUpdated":"2026-11-15T01:12:02.000Z","kind":"main"})" + "\n";
  };
  const std::string torn = R"({"sessionId":")" + id + R"(","projectHash":"34ef","startTime":"2026-)";
  EXPECT_EQ(of(name, torn + "\n" + rest)->bytes, header(id, "34ef") + rest);
  EXPECT_EQ(of(name, torn + rest)->bytes, header(id, "34ef") + rest) << "glued to the next record";
  EXPECT_EQ(of(name, torn.substr(0, 60) + "\n" + rest)->bytes, header(id, "unknown") + rest);
  EXPECT_EQ(of(name, torn.substr(0, 30) + "\n" + rest)->bytes,
            header("0199c000-0000-4000-8000-000000000000", "unknown") + rest);
  const std::string renamed = R"({"$set":{"sessionId":")" + id + "\"}}\n";
  EXPECT_EQ(of(name, "{\n" + rest + renamed)->bytes, header(id, "unknown") + rest + renamed);
  fs::create_directories(folder / "tmp/alpha/chats");
  std::ofstream(folder / "tmp/alpha/.project_root") << "/home/dev/alpha";
  EXPECT_EQ(of("tmp/alpha/chats/" + name, torn.substr(0, 60) + "\n" + rest)->bytes,
            header(id, sha256_hex("/home/dev/alpha")) + rest);
  const std::string whole = header(id, "34ef") + rest;
  EXPECT_EQ(of(name, whole)->bytes, whole);
  const std::string pi =
      R"({"type":"message","id":"00000001","parentId":null,"timestamp":"t","message":{"role":"user","content":"x"}})";
  EXPECT_EQ(of("2026_s.jsonl", R"({"type":"session","version":3,"id":"s","cwd":"/home/dev","times)"
                               "\n" +
                                   pi + "\n")
                ->bytes,
            R"({"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/home/dev"})"
            "\n" +
                pi + "\n");
}

TEST_F(Rescue, RejectsUnsupportedFileAndLogWithoutRecords) {
  EXPECT_EQ(of("x.json", "{}").error().code, Code::unsupported);
  EXPECT_EQ(of("x.jsonl", "torn").error().code, Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
