// Every command that shows a session says so if a part of it is lost.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct DamageTold : CliHome {
  const std::string id = "7772ed23-0000-4000-8000-000000000001";
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";

  void damage(int places) {
    claude(id, "\"hello\"");
    std::ofstream file(home + "/" + log, std::ios::app);
    for (int n = 0; n < places; ++n) file << "not json\n";
    file.close();
    fs::last_write_time(home + "/" + log, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
};

TEST_F(DamageTold, ShareAndTailWarn) {
  damage(1);
  for (const char* words :
       {"show 7772", "export 7772", "share 7772", "share 7772 -o $HOME/page.html", "tail 7772 -n 3"}) {
    EXPECT_EQ(sh(std::string("$H ") + words), 0) << err;
    EXPECT_TRUE(err.contains("warning: ") && err.contains("a line that is not a JSON object")) << words << err;
    EXPECT_TRUE(err.contains("holdfast rescue claude-code/" + id + " --install")) << words << err;
  }
  const std::string page = text("page.html");
  EXPECT_TRUE(page.contains("Damaged places") && page.contains("<li>" + id + ".jsonl at byte ")) << page;
  EXPECT_FALSE(page.contains("projects/-desk")) << page;
  EXPECT_EQ(sh("$H share 7772 -o $HOME/other.html --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"kind\":\"not_json\"")) << out;
  EXPECT_EQ(sh("$H call session.follow '{\"id\":\"7772\",\"follow\":false}'"), 0) << err;
  EXPECT_TRUE(out.contains("\"kind\":\"not_json\"")) << out;
}

// A file that is relative to one of several stores could be in any of them.
TEST_F(DamageTold, AnswersAboutSeveralStoresNameTheWholePath) {
  damage(1);
  for (const char* words : {"ls", "stats", "search hello"}) {
    ASSERT_EQ(sh(std::string("$H ") + words), 0) << err;
    EXPECT_TRUE(err.contains("warning: projects/-desk/" + id + ".jsonl, byte ")) << "one store: " << words << err;
  }
  ASSERT_EQ(sh("$H session create --title another"), 0) << err;
  for (const char* words : {"ls", "stats", "search hello"}) {
    ASSERT_EQ(sh(std::string("$H ") + words), 0) << err;
    EXPECT_TRUE(err.contains("warning: " + home + "/" + log + ", byte ")) << words << err;
  }
  ASSERT_EQ(sh("$H ls --store claude-code:$HOME/.claude"), 0) << err;
  EXPECT_TRUE(err.contains("warning: projects/-desk/")) << err;
}

// The archive has the bytes of the file, but no file of that name.
TEST_F(DamageTold, AnswersAboutSeveralStoresNameNoPathInTheArchive) {
  damage(1);
  ASSERT_EQ(sh("$H session create --title another && $H archive run && rm -r $HOME/.claude"), 0) << err;
  for (const char* words : {"ls", "stats", "search hello"}) {
    ASSERT_EQ(sh(std::string("$H ") + words), 0) << err;
    EXPECT_TRUE(err.contains("warning: projects/-desk/" + id + ".jsonl, byte ")) << words << err;
  }
}

TEST_F(DamageTold, ManyPlacesAreCountedAndPaged) {
  damage(150);
  EXPECT_EQ(sh("$H doctor"), 4) << err;
  EXPECT_TRUE(out.contains(id + ".jsonl: not_json: a line that is not a JSON object; left out (150 places)\n")) << out;
  EXPECT_EQ(out.find("not_json"), out.rfind("not_json")) << out;
  EXPECT_EQ(sh("$H verify | grep -c not_json"), 0) << err;
  EXPECT_EQ(out, "100\n");
  EXPECT_TRUE(err.contains("150 in total; use --skip 100 for the next page, or -n 150 for all")) << err;
  EXPECT_EQ(sh("$H verify --skip 100 | grep -c not_json"), 0) << err;
  EXPECT_EQ(out, "50\n");
}

}  // namespace
}  // namespace holdfast::inline v1
