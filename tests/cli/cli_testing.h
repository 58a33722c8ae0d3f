// The real binary in its own home, without a terminal and on one (tmux).
#pragma once

#include <chrono>
#include <thread>

#include "base/paths_testing.h"
#include "tests/cli/shell_testing.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

struct CliHome : Shell {
  CliHome() : Shell("desk") {}
  void TearDown() override {
    if (terminal_) sh("tmux -S " + home + "/tmux kill-server");
    Shell::TearDown();
  }

  int sh(const std::string& line) { return Shell::sh(line, "LC_ALL=C.UTF-8"); }
  std::string create(const std::string& title) {
    std::ofstream(home + "/title") << "{\"title\":" << title << "}";
    EXPECT_EQ(sh("$H call session.create @$HOME/title"), 0) << err;
    return field({"id"});
  }
  // Writes a session of Claude Code, a layout that Holdfast only reads.
  void claude(const std::string& id, const std::string& prompt_json) {
    const std::string path = home + "/.claude/projects/-desk/" + id + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null,\"sessionId\":\"" << id
                        << "\",\"cwd\":\"/srv/proj\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":"
                           "\"user\",\"content\":"
                        << prompt_json << "}}\n";
  }

  // ---- a terminal
  bool has_tmux() { return sh("command -v tmux") == 0; }
  // Opens a shell in a terminal of this size; $H is the binary.
  void open_terminal(int columns, int lines) {
    terminal_ = true;
    std::ofstream(home + "/rc") << "PS1='$ '\nexport H=" + paths::binary() + " HOME=" << home << "\ncd " << home
                                << "/desk\n";
    ASSERT_EQ(sh("tmux -S $HOME/tmux -f /dev/null new-session -d -x " + std::to_string(columns) + " -y " +
                 std::to_string(lines) + " 'env ENV=$HOME/rc sh -i'"),
              0)
        << err;
    ASSERT_TRUE(shows("$")) << screen();
  }
  void type(const std::string& keys) { ASSERT_EQ(sh("tmux -S $HOME/tmux send-keys " + keys), 0) << err; }
  void type_line(const std::string& line) {
    std::string quoted;
    for (const char c : line) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    type("-l -- '" + quoted + "' && tmux -S $HOME/tmux send-keys Enter");
  }
  // Runs a line on an empty screen, and waits until it ends.
  void run_line(const std::string& line) {
    const std::string end = "END" + std::to_string(++lines_run_);
    type_line("clear; " + line + "; echo " + end);
    ASSERT_TRUE(shows("\n" + end)) << screen();
  }
  std::string screen() {
    sh("tmux -S $HOME/tmux capture-pane -p");
    return out;
  }
  // Waits until the screen shows the text; returns false if it does not.
  bool shows(const std::string& wanted) {
    for (int i = 0; i < 200; ++i) {
      if (screen().find(wanted) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

 private:
  bool terminal_ = false;
  int lines_run_ = 0;
};

}  // namespace holdfast::inline v1
