// `holdfast archive watch` captures files as they change, even those removed between two scans.
#include <sys/file.h>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"
#include "tests/cli/tail_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct ArchiveWatch : CliHome {
  std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(ArchiveWatch, CapturesNewAndJustRemovedFiles) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  log.turn(20);
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  // A session that begins while it watches, in a new directory.
  ClaudeLog other(home, "bbbbbbbb-0000-4000-8000-000000000002", "-other");
  other.turn(20);
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  // Written and removed at once: no scan can find it any more.
  log.turn(20);
  const std::string last = bytes_of(log.path);
  fs::remove(log.path);
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  ASSERT_EQ(sh("$H restore aaaa --yes"), 0) << err;
  EXPECT_EQ(bytes_of(log.path), last);
}

// No later scan helps: scans are a minute apart.
TEST_F(ArchiveWatch, CapturesFirstSessionOfStore) {
  fs::create_directories(home + "/.claude/projects");
  fs::create_directories(home + "/.gemini/tmp/desk/chats");
  fs::create_directories(home + "/.codex/sessions");
  TailProcess watch(home, {"watch"}, "archive");
  for (int i = 0; i < 100 && !fs::exists(home + "/.local/share/holdfast/archive/last-run.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ClaudeLog log(home, kId);
  log.turn(20);
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
}

// No later scan helps here either.
TEST_F(ArchiveWatch, WatchesFoldersThatAreMadeAgain) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  const auto is_kept = [&](const std::string& id, const std::string& wanted) {
    for (int i = 0; i < 100; ++i) {
      if (sh("rm -rf $HOME/back; $H restore " + id + " --to $HOME/back") == 0 &&
          text("back/projects/-desk/" + id + ".jsonl") == wanted)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  };
  const std::string agent = home + "/.claude", folder = agent + "/projects/-desk";
  int n = 0;
  for (const auto& [gone, to] : std::initializer_list<std::pair<std::string, std::string>>{
           {folder, ""}, {folder, home + "/away1"}, {folder, agent + "/projects/-renamed"}, {agent, home + "/away2"}}) {
    SCOPED_TRACE(gone + " " + to);
    if (to.empty())
      fs::remove_all(gone);
    else
      fs::rename(gone, to);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::string id = "bbbbbbbb-0000-4000-8000-00000000000" + std::to_string(++n);
    ClaudeLog again(home, id);
    for (int turns = 0; turns < 2; ++turns) {
      again.turn(20);
      EXPECT_TRUE(is_kept(id, bytes_of(again.path))) << turns << err;
    }
    again.turn(20);
    const std::string last = bytes_of(again.path);
    fs::remove(again.path);
    EXPECT_TRUE(is_kept(id, last)) << err;
  }
}

TEST_F(ArchiveWatch, NoticesAgentThatAppearsLater) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  CodexLog other(home, "cccccccc-0000-4000-8000-000000000003");
  other.turn(20);
  log.turn(20);  // otherwise the watch looks a minute later
  EXPECT_NE(watch.next_line().find("2 sessions captured, "), std::string::npos);
}

TEST_F(ArchiveWatch, RefusesSecondWatcher) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  EXPECT_NE(sh("timeout 20 $H archive watch"), 0) << out;
  EXPECT_TRUE(err.contains("holdfast archive watch is already running")) << err;
  log.turn(20);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
}

// A second without more ends a change, so what is written in between is one capture.
TEST_F(ArchiveWatch, ChangesInQuickSuccessionAreOneCapture) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  for (int i = 0; i < 3; ++i) {
    log.turn(20);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  EXPECT_EQ(watch.end(SIGTERM), 0);
  ASSERT_EQ(sh("$H archive status --json"), 0) << err;
  EXPECT_LT(std::stoi(field({"captures"})), 4) << "one if this machine has time, never three";
}

// The other process captures the same, so a run has nothing to do and nothing to complain of.
TEST_F(ArchiveWatch, RunBesideAnotherWriterSaysSo) {
  ClaudeLog log(home, kId);
  log.turn(20);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  log.turn(20);
  const std::string before = bytes_of(home + "/.local/share/holdfast/archive/log.jsonl");
  const int lock = ::open((home + "/.local/share/holdfast/archive/.side/locks/archive").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(out, "another process is writing to the archive now\n");
  EXPECT_EQ(err, "");
  EXPECT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"busy"}), "true") << out;
  EXPECT_EQ(field({"note"}), "another process is writing to the archive now") << out;
  EXPECT_EQ(bytes_of(home + "/.local/share/holdfast/archive/log.jsonl"), before);
  ::close(lock);
  EXPECT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"busy"}), "false") << out;
  EXPECT_EQ(field({"captured"}), "1") << out;
}

// The other process may capture one store only. The next scan is a minute later.
TEST_F(ArchiveWatch, CapturesWhatChangedBesideAnotherWriter) {
  ClaudeLog log(home, kId);
  log.turn(20);
  TailProcess watch(home, {"watch"}, "archive");
  EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
  const int lock = ::open((home + "/.local/share/holdfast/archive/.side/locks/archive").c_str(), O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 100 && ::flock(lock, LOCK_EX | LOCK_NB) != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  log.turn(20);
  EXPECT_EQ(watch.next_line(std::chrono::seconds(4)), "");
  ::close(lock);
  EXPECT_NE(watch.next_line(std::chrono::seconds(20)).find("1 session captured, "), std::string::npos);
}

TEST_F(ArchiveWatch, ExitsCleanlyOnSigterm) {
  ClaudeLog log(home, kId);
  log.turn(20);
  ASSERT_EQ(sh("$H archive watch --json > seen & P=$!; until_in captured seen;"
               " kill -TERM $P; wait $P && cat seen"),
            0)
      << err;
  EXPECT_NE(out.find("\"captured\":1"), out.rfind("\"captured\":1")) << "an item, and the sum: " << out;
  ASSERT_EQ(sh("$H archive verify"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
