#include "layout/belongings.h"

#include <gtest/gtest.h>

#include <array>

#include "layout/layout.h"
#include "layout/memory_feed_testing.h"

namespace holdfast {
namespace {

constexpr auto kMain = std::to_array<std::string_view>({"projects/*/{id}.jsonl"});
constexpr auto kBeside = std::to_array<std::string_view>({"{dir}/{id}/**", "todos/{id}-*.json", "FORMAT"});
constexpr auto kMemory = std::to_array<std::string_view>({"projects/{1}/memory/**"});
constexpr Belongings kFiles{.main = kMain, .beside = kBeside, .memory = kMemory};

struct BelongingsWalk : testing::Test {
  MemoryFeed feed{"home",
                  {{"projects/p/a.jsonl", ""},
                   {"projects/p/a/x.txt", ""},
                   {"projects/p/a/sub/deep/y.txt", ""},
                   {"projects/p/memory/notes.md", ""},
                   {"todos/a-1.json", ""},
                   {"todos/b-1.json", ""},
                   {"FORMAT", ""}}};
  SessionRef ref{.id = "a", .place = {"home", "projects/p/a.jsonl"}, .project = {}, .hint = {}};

  void link(const std::string& path) { feed.links[{"home", path}] = "/elsewhere"; }
  std::vector<std::string> paths(const Result<std::vector<Place>>& places) {
    EXPECT_TRUE(places);
    std::vector<std::string> all;
    if (places)
      for (const Place& place : *places) all.push_back(place.path);
    return all;
  }
  std::vector<std::string> files() { return paths(files_of_session({}, kFiles, feed, ref)); }
  using Paths = std::vector<std::string>;
};

TEST_F(BelongingsWalk, FindsMainFileFirst) {
  EXPECT_EQ(files(), (Paths{"projects/p/a.jsonl", "FORMAT", "projects/p/a/sub/deep/y.txt", "projects/p/a/x.txt",
                            "todos/a-1.json"}));
  EXPECT_EQ(paths(memory_beside({}, kFiles, feed, ref)), Paths{"projects/p/memory/notes.md"});
}

TEST_F(BelongingsWalk, LinkStandsForWhatIsBehindIt) {
  link("projects/p/a/sub");
  link("projects/p/memory");
  link("todos");
  EXPECT_EQ(files(), (Paths{"projects/p/a.jsonl", "FORMAT", "projects/p/a/sub", "projects/p/a/x.txt", "todos"}));
  EXPECT_EQ(paths(memory_beside({}, kFiles, feed, ref)), Paths{"projects/p/memory"});
  feed.files.erase({"home", "todos/a-1.json"});
  EXPECT_EQ(files(), (Paths{"projects/p/a.jsonl", "FORMAT", "projects/p/a/sub", "projects/p/a/x.txt"}))
      << "nothing of this session is behind the link";
}

TEST_F(BelongingsWalk, FollowsLinksToTheMainFile) {
  link("projects");
  link("projects/p");
  EXPECT_EQ(files(), (Paths{"projects/p/a.jsonl", "FORMAT", "projects/p/a/sub/deep/y.txt", "projects/p/a/x.txt",
                            "todos/a-1.json"}));
}

TEST_F(BelongingsWalk, StopsWhenCancelled) {
  std::stop_source stop;
  Context context;
  context.stop = stop.get_token();
  stop.request_stop();
  const auto files = files_of_session(context, kFiles, feed, ref);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, Code::cancelled);
}

TEST_F(BelongingsWalk, MainNameHasAnyId) {
  EXPECT_TRUE(is_main_name(kFiles, "projects/q/zzz.jsonl"));
  EXPECT_FALSE(is_main_name(kFiles, "projects/q/zzz.txt"));
  EXPECT_FALSE(is_main_name(kFiles, "projects/q/r/zzz.jsonl"));
}

}  // namespace
}  // namespace holdfast
