// `archive.exclude`: nothing of an excluded project is kept, and the files of an excluded agent are not opened.
#include <sys/inotify.h>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"
#include "tests/cli/tail_process_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

// Every open of these files and folders, and of what is directly in them.
class Opens {
 public:
  explicit Opens(std::initializer_list<std::string> paths) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    for (const std::string& path : paths) EXPECT_GE(::inotify_add_watch(events_, path.c_str(), IN_OPEN), 0) << path;
  }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;
  ~Opens() { ::close(events_); }
  bool any() const {
    char event[4096];
    return ::read(events_, event, sizeof event) > 0;
  }

 private:
  int events_;
};

struct ArchiveExclude : CliHome {
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  void exclude(const std::string& what) {
    write(".config/holdfast/config.toml", "[archive]\nexclude = [\"" + what + "\"]\n");
  }
  // The files below that contain the text, also packed.
  std::string files_with(const std::string& below, const std::string& wanted) {
    sh("find $HOME/" + below +
       " -type f | while read -r f; do case $f in *.zst) zstd -dcq \"$f\";; *) cat \"$f\";; "
       "esac | grep -qa '" +
       wanted + "' && echo \"$f\"; done");
    return out;
  }
  const std::string data = ".local/share/holdfast", cache = ".cache/holdfast";
};

// The logs below are in the project /w.
TEST_F(ArchiveExclude, NothingOfExcludedProjectIsKept) {
  if (sh("command -v zstd") != 0) GTEST_SKIP() << "zstd is not installed";
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001", folder = ".claude/projects/-w/";
  ClaudeLog claude_log(home, id, "-w");
  CodexLog codex_log(home, "cccccccc-0000-4000-8000-000000000003");
  const auto talk = [&] {
    for (int i = 0; i < 3; ++i) claude_log.turn(40), codex_log.turn(40);
    claude_log.prompt("planted-in-claude"), codex_log.prompt("planted-in-codex");
  };
  claude_log.prompt("title-in-claude"), codex_log.prompt("title-in-codex");
  talk();
  write(folder + id + "/tool-results/x.txt", "planted-in-output");
  write(folder + id + "/subagents/agent-a1.jsonl",
        R"({"type":"user","uuid":"s","parentUuid":null,"isSidechain":true,"agentId":"a1","sessionId":")" + id +
            R"(","cwd":"/w","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"title-in-agent"}})"
            "\n");
  write(folder + "memory/MEMORY.md", "planted-in-memory");
  claude("bbbbbbbb-0000-4000-8000-000000000002", "\"kept-word\"");  // of another project
  exclude("/w");
  const auto expect_nothing = [&] {
    EXPECT_NE(files_with(data, "kept-word"), "") << "finds what is there";
    for (const std::string& word : {std::string("planted"), std::string("title-in"), std::string("prompt 1"), id})
      EXPECT_EQ(files_with(data, word), "") << word;
    // The cache of the list has titles, as after `ls`: it follows the agents' files.
    EXPECT_EQ(files_with(cache, "planted"), "");
    EXPECT_EQ(files_with(cache, "prompt 1"), "");
  };
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  expect_nothing();
  {
    TailProcess watch(home, {"watch"}, "archive");
    claude("dddddddd-0000-4000-8000-000000000004", "\"kept-word\"");
    EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
    // Written and removed while it watches: files that it holds are not captured either.
    talk();
    fs::remove(claude_log.path);
    claude("eeeeeeee-0000-4000-8000-000000000005", "\"kept-word\"");
    EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
    EXPECT_EQ(watch.end(SIGTERM), 0);
  }
  expect_nothing();
  EXPECT_EQ(sh("$H archive verify && $H archive compact"), 0) << err;
  expect_nothing();
  // The same sessions are captured without the rule.
  exclude("/elsewhere");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_NE(files_with(data, "planted-in-codex"), "");
}

TEST_F(ArchiveExclude, FilesOfExcludedAgentAreNotOpened) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt\"");
  CodexLog log(home, "cccccccc-0000-4000-8000-000000000003");
  log.turn();
  const std::string folder = fs::path(log.path).parent_path();
  const std::string pipe = folder + "/rollout-2026-01-01T00-00-01-dddddddd-0000-4000-8000-000000000004.jsonl";
  ASSERT_EQ(sh("mkfifo " + pipe), 0) << err;
  const Opens opens{folder, home + "/.codex/sessions"};
  exclude("codex");
  ASSERT_EQ(sh("timeout 60 $H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  EXPECT_EQ(field({"findings"}), "[]") << out;
  EXPECT_EQ(field({"missed"}), "false") << out;
  EXPECT_FALSE(opens.any());
  {
    TailProcess watch(home, {"watch"}, "archive");
    claude("bbbbbbbb-0000-4000-8000-000000000002", "\"another\"");
    EXPECT_NE(watch.next_line().find("1 session captured, "), std::string::npos);
    EXPECT_FALSE(opens.any());
    EXPECT_EQ(watch.end(SIGTERM), 0);
  }
  // An agent that is not excluded is read, and its pipe is a finding.
  exclude("gemini");
  EXPECT_EQ(sh("timeout 60 $H archive run --json"), 5) << out << err;
  EXPECT_TRUE(out.contains(pipe.substr(pipe.rfind('/')))) << out;
  EXPECT_TRUE(opens.any());
}

}  // namespace
}  // namespace holdfast::inline v1
