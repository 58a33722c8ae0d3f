// Gemini CLI deletes a session that it has resumed: if there is an archive, the session is in it before (decision 42).
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/cli/handoff_home_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct HandoffArchive : HandoffHome {
  void SetUp() override {
    HandoffHome::SetUp();
    fs::create_directories(home + "/.gemini/tmp");
    put_session(record("u1", "", "user", "\"the prompt\"") + answer("a1", "u1", "the answer"));
    put("bin/gemini", "#!/bin/sh\nrm -r $HOME/.gemini/tmp\n");
    fs::permissions(home + "/bin/gemini", fs::perms::owner_all);
  }
  // The id of a new session of Gemini.
  std::string hand_off() {
    EXPECT_EQ(sh("$H handoff bbbb --to gemini --json"), 0) << err;
    EXPECT_FALSE(out.contains("\"warnings\"")) << out;
    file = field({"file"});
    return field({"id"});
  }
  std::string status_of(const std::string& session) {
    EXPECT_EQ(sh("$H show gemini/" + session + " --json"), 0) << err;
    return field({"session", "status"});
  }
  std::string file;
  const std::string archive = ".local/share/holdfast/archive";
};

TEST_F(HandoffArchive, CapturesNewSessionOfGemini) {
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string run = text(archive + "/last-run.json");
  const std::string made = hand_off();
  EXPECT_EQ(text(archive + "/last-run.json"), run);  // that was of all stores
  fs::remove(file);
  EXPECT_EQ(status_of(made), "archived");
  EXPECT_TRUE(out.contains("the answer")) << out;
  ASSERT_EQ(sh("$H restore gemini/" + made), 0) << err;
  EXPECT_TRUE(fs::exists(file));
  // Resumed at once.
  ASSERT_EQ(sh("PATH=$HOME/bin:$PATH $H resume bbbb --in gemini"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/.gemini/tmp"));
  ASSERT_EQ(sh("$H ls --agent gemini --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2") << out;
}

TEST_F(HandoffArchive, CapturesSessionOfGeminiThatIsResumed) {
  const std::string made = hand_off();
  EXPECT_FALSE(fs::exists(home + "/" + archive)) << "nobody asked for one";
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::ofstream(file, std::ios::app)
      << R"({"id":"later","timestamp":"2026-01-02T00:00:00Z","type":"user","content":[{"text":"said later"}]})"
      << "\n";
  ASSERT_EQ(sh("PATH=$HOME/bin:$PATH $H resume gemini/" + made), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(status_of(made), "archived");
  EXPECT_TRUE(out.contains("said later")) << out;
}

TEST_F(HandoffArchive, WarnsIfTheSessionIsNotCaptured) {
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string run = text(archive + "/last-run.json");
  put(archive + "/FORMAT", "{}");
  const std::string warning = "the archive may lack this session, which Gemini CLI deletes after it has resumed it: ";
  ASSERT_EQ(sh("$H handoff bbbb --to gemini"), 0) << err;
  EXPECT_TRUE(err.contains(warning)) << err;
  ASSERT_EQ(sh("$H handoff bbbb --to codex -o $HOME/o"), 0) << err;
  EXPECT_FALSE(err.contains("archive")) << err;
  ASSERT_EQ(sh("PATH=$HOME/bin:$PATH $H resume gemini/@last"), 0) << err;
  EXPECT_TRUE(err.contains("warning: " + warning)) << err;
  EXPECT_EQ(text(archive + "/last-run.json"), run);  // that was of all stores
}

// `archive watch` captures for a moment whenever a session changes.
TEST_F(HandoffArchive, WaitsForOtherWriters) {
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const int lock = ::open((home + "/" + archive + "/.side/locks/archive").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ::flock(lock, LOCK_UN);
  });
  const std::string made = hand_off();
  other.join();
  fs::remove(file);
  EXPECT_EQ(status_of(made), "archived");
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  ASSERT_EQ(sh("$H handoff bbbb --to gemini"), 0) << err;
  EXPECT_TRUE(err.contains("another process is writing to the archive now")) << err;
  ::close(lock);
}

TEST_F(HandoffArchive, ReportsRepairsOfTheArchive) {
  const std::string another = "aaaaaaaa-0000-4000-8000-000000000002";
  std::string log = record("u1", "", "user", "\"another prompt\"");
  put(".claude/projects/-proj/" + another + ".jsonl", log.replace(log.find(id), id.size(), another));
  const auto damage_log = [&] {
    ASSERT_EQ(sh("$H archive run && cd $HOME/" + archive +
                 " && sed -i \"$(grep -n claude-code log.jsonl |"
                 " head -n1 | cut -d: -f1)s/claude-code/claude-codX/\" log.jsonl"),
              0)
        << err;
  };
  damage_log();
  ASSERT_EQ(sh("$H handoff bbbb --to gemini --json"), 0) << err;
  const std::string made = field({"id"});
  EXPECT_TRUE(JsonView(out).find("findings").raw().contains("a copy is in ")) << out;
  damage_log();
  ASSERT_EQ(sh("PATH=$HOME/bin:$PATH $H resume gemini/" + made), 0) << err;
  EXPECT_TRUE(err.contains("a copy is in ")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
