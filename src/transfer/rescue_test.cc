#include "transfer/rescue.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

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

TEST_F(Rescue, EveryWholeRecordOnceAndTheChainLinkedAgain) {
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

TEST_F(Rescue, AHealthyLogStaysAsItIs) {
  const std::string flat = "{\"type\":\"mode\"}\n";
  const std::string log = flat + line("a", "") + "\n" + flat + line("b", "a") + "\n" + flat;
  EXPECT_EQ(of("x.jsonl", log)->bytes, log);
}

TEST_F(Rescue, ALostHeaderComesFromTheNameAndTheNeighbours) {
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

TEST_F(Rescue, SaysWhatItCannotDo) {
  EXPECT_EQ(of("x.json", "{}").error().code, Code::unsupported);
  EXPECT_EQ(of("x.jsonl", "torn").error().code, Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
