// `session start` and `session show` on a Lopen project: on a real terminal
// (tmux), and without one.
#include <chrono>
#include <thread>

#include "base/paths_testing.h"
#include "tests/cli/shell_testing.h"
#include "text/json_scan.h"
#include "text/yaml_value.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct StartOnATerminal : Shell {
  StartOnATerminal() : Shell("p") {}
  void SetUp() override {
    Shell::SetUp();
    fs::create_directories(home + "/p/docs/requirements/auth");
    fs::create_directories(home + "/p/.lopen");
  }
  void TearDown() override {
    for (; terminals_ > 0; --terminals_) tmux("kill-server");
    Shell::TearDown();
  }
  // Runs tmux on the terminal that was opened last.
  int tmux(const std::string& words) {
    return sh("tmux -S " + home + "/tmux" + std::to_string(terminals_) + " " + words, "TERM=xterm LC_ALL=C.UTF-8");
  }

  std::string start(const std::string& more = {}) {
    EXPECT_EQ(sh("$H session start --module auth --store lopen:. --json " + more), 0) << err;
    return field({"id"});
  }

  // Runs the same command in a terminal of 120 columns, with its own tmux server: one that was told to
  // end still accepts calls for a while, and fails them.
  void on_terminal(const std::string& words) {
    ++terminals_;
    const std::string typed = home + "/typed" + std::to_string(terminals_);
    std::ofstream(typed) << "cd " << home << "/p\n"
                         << paths::binary() + " " << words << "\necho \"left with $?\" ENDED\nexec sleep 600\n";
    ASSERT_EQ(tmux("-f /dev/null new-session -d -x 120 -y 50 'sh " + typed + "'"), 0) << err;
  }
  // Returns the screen once it shows `wanted`, or after a minute.
  std::string screen(const std::string& wanted) {
    for (int attempt = 0; attempt < 600; ++attempt) {
      tmux("capture-pane -p");
      if (out.find(wanted) != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return out;
  }
  void type(const std::string& line) {
    if (!line.empty()) tmux("send-keys -l '" + line + "'");
    tmux("send-keys Enter");
  }
  // Returns the screen when the command has ended, with all of its last line.
  std::string ended() { return screen("ENDED"); }

 private:
  int terminals_ = 0;
};

constexpr const char* kQuestion = "new session [1]:";

TEST_F(StartOnATerminal, L07_EnterResumesTheLatest) {
  const std::string first = start();
  const std::string second = start("--no-resume");
  ASSERT_NE(first, second);
  on_terminal("session start --module auth --store lopen:.");
  const std::string asked = screen(kQuestion);
  EXPECT_NE(asked.find("1  " + second), std::string::npos) << asked;
  EXPECT_NE(asked.find("(latest)"), std::string::npos) << asked;
  EXPECT_NE(asked.find("2  " + first), std::string::npos) << asked;
  type("");
  const std::string done = ended();
  EXPECT_NE(done.find("left with 0"), std::string::npos) << done;
  EXPECT_EQ(fs::read_symlink(home + "/p/.lopen/sessions/latest").filename(), second);
}

TEST_F(StartOnATerminal, L07_AnotherIncompleteSessionCanBeChosen) {
  const std::string first = start();
  start("--no-resume");
  on_terminal("session start --module auth --store lopen:.");
  screen(kQuestion);
  type("nonsense");
  type("2");
  EXPECT_NE(ended().find("left with 0"), std::string::npos);
  EXPECT_EQ(fs::read_symlink(home + "/p/.lopen/sessions/latest").filename(), first);
}

TEST_F(StartOnATerminal, L07_NewSessionCanBeChosen) {
  const std::string first = start();
  on_terminal("session start --module auth --store lopen:.");
  screen(kQuestion);
  type("n");
  EXPECT_NE(ended().find("left with 0"), std::string::npos);
  EXPECT_NE(fs::read_symlink(home + "/p/.lopen/sessions/latest").filename(), first);
}

TEST_F(StartOnATerminal, L07_EndOfInputStartsNothing) {
  const std::string first = start();
  on_terminal("session start --module auth --store lopen:.");
  screen(kQuestion);
  tmux("send-keys C-d");
  const std::string done = ended();
  EXPECT_TRUE(done.contains("nothing was changed") && done.contains("left with 1 ENDED")) << done;
  EXPECT_EQ(std::distance(fs::directory_iterator(home + "/p/.lopen/sessions"), fs::directory_iterator()), 2);
}

TEST_F(StartOnATerminal, L07_DoesNotAskIfThereIsNoChoice) {
  on_terminal("session start --module auth --store lopen:.");
  const std::string done = ended();
  EXPECT_NE(done.find("left with 0"), std::string::npos) << done;
  EXPECT_EQ(done.find("Resume which"), std::string::npos) << done;
  on_terminal("session start --module auth --no-resume --store lopen:.");
  const std::string said = ended();
  EXPECT_NE(said.find("left with 0"), std::string::npos) << said;
  EXPECT_EQ(said.find("Resume which"), std::string::npos) << said;
}

TEST_F(StartOnATerminal, L07_ResumesLatestWithoutTerminal) {
  const std::string first = start();
  EXPECT_EQ(start(), first);
  ASSERT_EQ(sh("$H session start --module auth --store lopen:."), 0) << err;
  EXPECT_EQ((out + err).find("Resume which"), std::string::npos);
  ASSERT_EQ(sh("$H session start --module auth --store lopen:. --json", "LOPEN_AUTO_RESUME=false"), 0) << err;
  EXPECT_NE(field({"id"}), first);
}

TEST_F(StartOnATerminal, L18_ShowPrintsTheLatestAsMarkdownJsonAndYaml) {
  EXPECT_EQ(sh("$H session show --store lopen:."), 3);
  EXPECT_NE(err.find("No active session found."), std::string::npos) << err;
  const std::string id = start();
  ASSERT_EQ(sh("$H session show --store lopen:."), 0) << err;
  EXPECT_TRUE(out.starts_with("# Session: " + id + "\n\n- **Phase**: ")) << out;
  EXPECT_NE(out.find("\n- **Status**: Active\n"), std::string::npos) << out;
  EXPECT_EQ(out.find("## Metrics"), std::string::npos);
  ASSERT_EQ(sh("$H metrics record " + id + " --input-tokens 12345 --output-tokens 6 --store lopen:."), 0) << err;
  ASSERT_EQ(sh("$H session show " + id + " --store lopen:. --format md"), 0) << err;
  EXPECT_NE(out.find("## Metrics\n- **Iterations**: 1\n- **Input Tokens**: 12,345\n"), std::string::npos) << out;
  ASSERT_EQ(sh("$H session show --store lopen:. --format json"), 0) << err;
  ASSERT_TRUE(check_json(out).ok()) << out;
  EXPECT_EQ(field({"session_id"}), id);
  EXPECT_EQ(field({"metrics", "input_tokens"}), "12345");
  EXPECT_NE(out.find("\n  \"last_commit\": null,\n"), std::string::npos) << out;
  ASSERT_EQ(sh("$H session show --store lopen:. --format yaml"), 0) << err;
  const auto json = yaml_to_json(out);
  ASSERT_TRUE(json) << out;
  EXPECT_EQ(JsonView(*json).find("session_id").as_string(), id);
  EXPECT_EQ(sh("$H session show nonsense --store lopen:."), 3);
  EXPECT_NE(err.find("Invalid session ID format: 'nonsense'."), std::string::npos) << err;
  EXPECT_EQ(sh("$H session show auth-20200101-1 --store lopen:."), 3);
  EXPECT_NE(err.find("Session not found: auth-20200101-1"), std::string::npos) << err;
}

TEST_F(StartOnATerminal, L20_ShowUsesTheConfiguredFormat) {
  start();
  ASSERT_EQ(sh("$H store configure '{\"format\":\"yaml\"}' --store lopen:."), 0) << err;
  ASSERT_EQ(sh("$H session show --store lopen:."), 0) << err;
  EXPECT_TRUE(out.starts_with("session_id: ")) << out;
  ASSERT_EQ(sh("$H session show --store lopen:.", "LOPEN_Display__Format=json"), 0) << err;
  EXPECT_TRUE(out.starts_with("{\n  \"session_id\": ")) << out;
  ASSERT_EQ(sh("$H session show --store lopen:. --format md", "LOPEN_FORMAT=json"), 0) << err;
  EXPECT_TRUE(out.starts_with("# Session: ")) << out;
}

TEST_F(StartOnATerminal, L22_ResumeReportsSpecificationDrift) {
  const std::string spec = home + "/p/docs/requirements/auth/SPECIFICATION.md";
  std::ofstream(spec) << "---\nname: auth\ndescription: d\n---\n# Auth\n\n## One\n\n1\n\n## Two\n\n2\n";
  const std::string id = start();
  ASSERT_EQ(sh("$H workflow pause " + id + " --store lopen:."), 0) << err;
  const std::string state = text("p/.lopen/sessions/" + id + "/state.json");
  EXPECT_EQ(state.find("hash"), std::string::npos) << state;
  std::ofstream(spec, std::ios::trunc)
      << "---\nname: auth\ndescription: d\n---\n# Auth\n\n## One\n\n1b\n\n## Three\n\n3\n";
  ASSERT_EQ(sh("$H session start --module auth --store lopen:. --json"), 0) << err;
  EXPECT_EQ(field({"id"}), id);
  const std::string drift = field({"drift"});
  EXPECT_EQ(field({"drift", "known"}), "true") << out;
  EXPECT_NE(drift.find(R"({"header":"One","previous_hash":")"), std::string::npos) << drift;
  EXPECT_NE(drift.find(R"({"header":"Three","previous_hash":null)"), std::string::npos) << drift;
  EXPECT_NE(drift.find(R"("current_hash":null,"is_new":false,"is_removed":true)"), std::string::npos) << drift;
  ASSERT_EQ(sh("$H session resume " + id + " --store lopen:. --json"), 0) << err;
  EXPECT_EQ(field({"drift", "known"}), "true") << out;
}

}  // namespace
}  // namespace holdfast::inline v1
