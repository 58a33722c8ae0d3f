// ls, show and pick on a real terminal (tmux), at 80 and 200 columns, with titles that
// try to take it over.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct OnATerminal : CliHome, testing::WithParamInterface<int> {
  void SetUp() override {
    CliHome::SetUp();
    if (!has_tmux()) GTEST_SKIP() << "tmux is not installed";
    // Titles that clear the screen, set the window's title, reverse the order, break the line, are wide, or combine.
    create(R"("evil\u001b[2J\u001b[31m\u001b]0;OWNED\u0007 \u202etitle\u202c\u000bsecond line")");
    create(
        R"("日本語のとても長いタイトル、日本語のとても長いタイトル、日本語のとても長いタイトル、日本語のとても長いタイトル、終")");
    create(R"("zalgo z\u0336\u0335\u0334a\u0336\u0335l\u0336g\u0336o")");
    create(R"("plain parser title")");
  }
  // Returns the number that follows these words on the screen, -1 if there is none.
  int seconds_after(const std::string& words) {
    const std::string seen = screen();
    const auto at = seen.find(words);
    return at == std::string::npos ? -1 : std::atoi(seen.c_str() + at + words.size());
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    std::string rest = screen();
    while (!rest.empty()) {
      all.push_back(rest.substr(0, rest.find('\n')));
      rest.erase(0, std::min(rest.size(), all.back().size() + 1));
    }
    return all;
  }
  std::string line_with(const std::string& text) {
    for (const std::string& line : lines()) {
      if (line.find(text) != std::string::npos) return line;
    }
    return {};
  }
};

TEST_P(OnATerminal, LsFitsTheWidthWithHostileTitles) {
  open_terminal(GetParam(), 24);
  run_line("$H ls");
  const auto seen = lines();
  ASSERT_TRUE(seen.at(0).starts_with("id")) << screen();
  for (int row = 1; row <= 4; ++row)
    EXPECT_TRUE(seen.at(static_cast<std::size_t>(row)).starts_with("ses_")) << screen() << "a row is a line";
  EXPECT_EQ(seen.at(5), "END1") << screen();
  EXPECT_NE(line_with("evil titlesecond line"), "") << screen();
  EXPECT_NE(line_with("日本語"), "") << screen();
  EXPECT_EQ(line_with("日本語").find("終") != std::string::npos, GetParam() == 200) << screen();
  sh("tmux -S $HOME/tmux display-message -p '#{pane_title}'");
  EXPECT_EQ(out.find("OWNED"), std::string::npos) << out;
}

// Both ids have to be shown whole: they differ in the last letter only.
TEST_P(OnATerminal, LongIdMovesNoColumn) {
  const std::string id = "the-parser-of-the-second-attempt-on-monday-";
  ASSERT_EQ(sh("$H session create --id " + id + "a --title first && $H session create --id " + id + "b --title other"),
            0)
      << err;
  open_terminal(GetParam(), 24);
  run_line("$H ls");
  const auto seen = lines();
  const auto agent = seen.at(0).find("agent");
  ASSERT_NE(agent, std::string::npos) << screen();
  for (const std::string title : {"first", "other", "plain parser title"})
    EXPECT_EQ(line_with(title).find("holdfast  "), agent) << screen();
  for (const std::string last : {"a", "b"})
    EXPECT_NE(std::ranges::find(seen, id + last), seen.end()) << "on a line of its own: " << screen();
}

TEST_P(OnATerminal, SecretPromptDoesNotEcho) {
  open_terminal(GetParam(), 24);
  type_line(
      "stty -g > before; mkdir $HOME/share; $H remote add nas dir:$HOME/share --as one --encrypt; clear; $H remote "
      "remove nas --yes");
  ASSERT_TRUE(shows("removed: nas")) << screen();
  type_line("clear; $H remote add nas dir:$HOME/share --as one --recover -; echo code $?; stty -g > after");
  ASSERT_TRUE(shows("--recover (not shown):")) << screen();
  type("-l typed-by-hand && tmux -S $HOME/tmux send-keys BSpace Enter");
  ASSERT_TRUE(shows("code 2")) << screen();
  EXPECT_FALSE(screen().contains("typed-by")) << screen();
  EXPECT_TRUE(screen().contains("recovery phrase")) << screen();
  // The first prompt may still be on the screen.
  type_line(
      "clear; echo ag''ain; $H remote add nas dir:$HOME/share --as one --recover -; echo code $?; stty -g > after; "
      "echo END 1");
  ASSERT_TRUE(shows("again\n--recover (not shown):")) << screen();
  type("C-c");
  ASSERT_TRUE(shows("code 130")) << screen();
  ASSERT_TRUE(shows("\nEND 1"));
  EXPECT_EQ(text("desk/before"), text("desk/after"));
}

TEST_P(OnATerminal, PickFiltersAndRestoresTheTerminal) {
  open_terminal(GetParam(), 24);
  type_line("stty -g > before; $H pick; echo code $?; stty -g > after; echo END 0");
  ASSERT_TRUE(shows("enter opens")) << screen();
  EXPECT_TRUE(shows("4/4")) << screen();
  EXPECT_NE(line_with("> now"), "") << screen();
  EXPECT_NE(line_with("evil titlesecond line"), "") << screen();
  for (const std::string& line : lines()) EXPECT_EQ(line.find("OWNED"), std::string::npos);
  type("Down Down Up");
  type("parser");
  ASSERT_TRUE(shows("1/4")) << screen();
  EXPECT_NE(line_with("> now").find("plain parser title"), std::string::npos) << screen();
  type("Enter");
  for (const char* const key : {"q", "Escape", "Enter"}) {
    ASSERT_TRUE(shows("(q, esc or enter: back to the list)")) << screen();
    EXPECT_NE(screen().find("plain parser title"), std::string::npos) << screen();
    type(key);
    ASSERT_TRUE(shows("> parser  1/4")) << screen() << key << ": the list is as it was";
    if (std::string_view(key) != "Enter") type("Enter");
  }
  type("Escape");
  ASSERT_TRUE(shows("code 1")) << screen();
  ASSERT_TRUE(shows("\nEND 0"));
  EXPECT_EQ(text("desk/before"), text("desk/after"));
  EXPECT_NE(text("desk/before"), "");
}

TEST_P(OnATerminal, PickFindsTextOfMessages) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"the first words\"");
  std::ofstream(home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl", std::ios::app)
      << R"({"type":"user","uuid":"v","parentUuid":"u","sessionId":"aaaaaaaa-0000-4000-8000-000000000001",)"
      << R"("timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"and then zyzzyva"}})"
      << "\n";
  claude("aaaaaaaa-0000-4000-8000-000000000002", "\"another one\"");
  open_terminal(GetParam(), 24);
  type_line("$H pick; echo code $?");
  ASSERT_TRUE(shows("6/6")) << screen();
  type("zyzzyva");
  ASSERT_TRUE(shows("> zyzzyva  1/6")) << screen() << "no title has it, a message does";
  ASSERT_TRUE(shows("[1] user: and then zyzzyva")) << screen();
  EXPECT_NE(line_with("the first words"), "") << screen();
  type("C-u");
  type("aaaaaaaa-0000-4000-8000-000000000002");
  ASSERT_TRUE(shows("1/6")) << screen() << "by the beginning of its id";
  type("C-u");
  type("Tab");
  ASSERT_TRUE(shows("code 0")) << screen();
}

TEST_P(OnATerminal, PickResumesOnCtrlRAndExitsOnEscape) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt of claude\"");
  std::filesystem::create_directories(home + "/bin");
  std::ofstream(home + "/bin/claude") << "#!/bin/sh\nstty -a | grep -q ' icanon' && echo agent \"$@\"\n";
  std::filesystem::permissions(home + "/bin/claude", std::filesystem::perms::owner_all);
  std::ofstream(home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl")
      << R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":"aaaaaaaa-0000-4000-8000-000000000001","cwd":")"
      << home << R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"rare words"}})"
      << "\n";
  open_terminal(GetParam(), 24);
  type_line("PATH=$HOME/bin:$PATH $H pick --layout claude-code; echo code $?");
  ASSERT_TRUE(shows("rare words")) << screen();
  type("r");
  ASSERT_TRUE(shows("> r  1/1")) << screen() << "a letter filters";
  type("C-r");
  ASSERT_TRUE(shows("code 0")) << screen();
  EXPECT_NE(screen().find("agent --resume aaaaaaaa-0000-4000-8000-000000000001\n"), std::string::npos)
      << screen() << "on a terminal as it should be";
  type_line("clear; $H pick; echo code $?");
  ASSERT_TRUE(shows("enter opens")) << screen();
  type("Escape");
  ASSERT_TRUE(shows("code 1")) << screen();
  type_line("clear; $H pick; echo code $?");
  ASSERT_TRUE(shows("enter opens")) << screen();
  type("C-c");
  ASSERT_TRUE(shows("code 130")) << screen();
}

TEST_P(OnATerminal, PickContinuesInAnotherAgent) {
  namespace fs = std::filesystem;
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"a prompt of claude\"");
  std::ofstream(home + "/.claude/projects/-desk/aaaaaaaa-0000-4000-8000-000000000001.jsonl")
      << R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":"aaaaaaaa-0000-4000-8000-000000000001","cwd":")"
      << home << R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"rare words"}})"
      << "\n";
  fs::create_directories(home + "/.codex/sessions");
  fs::create_directories(home + "/.qwen/projects");
  fs::create_directories(home + "/bin");
  std::ofstream(home + "/bin/codex") << "#!/bin/sh\nstty -a | grep -q ' icanon' && echo agent \"$@\"\n";
  fs::permissions(home + "/bin/codex", fs::perms::owner_all);
  open_terminal(GetParam(), 24);
  type_line("PATH=$HOME/bin:$PATH $H pick --layout claude-code; echo code $?");
  ASSERT_TRUE(shows("rare words")) << screen();
  EXPECT_TRUE(screen().contains("^o other agent")) << screen();
  type("C-o");
  ASSERT_TRUE(shows("Continue in which agent?")) << screen();
  EXPECT_TRUE(screen().contains("3/3")) << screen() << "those that are here";
  EXPECT_FALSE(screen().contains("gemini")) << screen();
  type("Escape");
  ASSERT_TRUE(shows("enter opens")) << screen();
  EXPECT_TRUE(fs::is_empty(home + "/.codex/sessions")) << "nothing is written before an agent was chosen";
  type("C-o");
  ASSERT_TRUE(shows("Continue in which agent?")) << screen();
  type("codex");
  ASSERT_TRUE(shows("> codex  1/3")) << screen();
  type("Enter");
  ASSERT_TRUE(shows("code 0")) << screen();
  EXPECT_TRUE(screen().contains("agent resume ")) << screen() << "on a terminal as it should be";
  ASSERT_EQ(sh("$H ls --layout codex --json"), 0) << err;
  EXPECT_TRUE(out.contains("rare words")) << out;
}

TEST_P(OnATerminal, PickPrintsOnlyTheNameForTheShell) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"touch ran; $(touch ran)\"");
  open_terminal(GetParam(), 24);
  for (const std::string key : {"Enter", "C-r", "C-o", "Tab"}) {
    type_line(
        "clear; chosen=$($H pick --layout claude-code); printf '%s' \"$chosen\" > chosen; eval \"$chosen\"; echo END " +
        key);
    ASSERT_TRUE(shows("enter opens")) << screen();
    type(key);
    ASSERT_TRUE(shows("\nEND " + key)) << screen();
    EXPECT_EQ(text("desk/chosen"), "claude-code/aaaaaaaa-0000-4000-8000-000000000001") << key;
    EXPECT_FALSE(std::filesystem::exists(home + "/desk/ran")) << key;
  }
}

// An imported copy has the id of its original, and a bare id would name the copy.
TEST_P(OnATerminal, PickNamesTheChosenSessionAmongEqualIds) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"the original\"");
  ASSERT_EQ(sh("$H export aaaaaaaa --format json > copy.json && $H import copy.json"), 0) << err;
  open_terminal(GetParam(), 24);
  type_line("clear; $H show --json $($H pick --layout claude-code) > shown; echo END 0");
  ASSERT_TRUE(shows("the original")) << screen();
  type("Tab");
  ASSERT_TRUE(shows("END 0")) << screen();
  EXPECT_TRUE(text("desk/shown").contains("\"layout\":\"claude-code\"")) << text("desk/shown");
}

TEST_P(OnATerminal, PickPrintsTheSessionAsJson) {
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"the prompt\"");
  open_terminal(GetParam(), 24);
  type_line("clear; $H pick --json --agent claude > chosen; echo END $?");
  ASSERT_TRUE(shows("the prompt")) << screen();
  type("Tab");
  ASSERT_TRUE(shows("END 0")) << screen();
  ASSERT_EQ(sh("$H ls --json --agent claude"), 0) << err;
  const auto listed = JsonView(out).find("sessions").elements();
  ASSERT_NE(listed.begin(), listed.end()) << out;
  const std::string printed = text("desk/chosen");
  const JsonView chosen = JsonView(printed).find("session");
  EXPECT_TRUE(chosen.find("id").is_string("aaaaaaaa-0000-4000-8000-000000000001")) << printed;
  for (const JsonItem& member : listed.begin()->value.fields())
    EXPECT_EQ(chosen.find(member.key()).raw(), member.value.raw()) << printed;
  type_line("clear; $H pick --json --agent claude > chosen; echo END $?");
  ASSERT_TRUE(shows("the prompt")) << screen();
  type("Escape");
  ASSERT_TRUE(shows("END 1")) << screen();
  EXPECT_EQ(text("desk/chosen"), "");
}

// Somebody else holds the lock of the log, so the append waits.
TEST_P(OnATerminal, ProgressIsShownAfterASecondAndRemoved) {
  const std::string id = create("\"busy\"");
  ASSERT_EQ(sh("$H message append " + id + " first"), 0) << err;
  ASSERT_EQ(sh("find $HOME/.local -path '*/" + id + "/messages.jsonl'"), 0) << err;
  const int log = ::open(out.substr(0, out.find('\n')).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(log, 0);
  ASSERT_EQ(::flock(log, LOCK_EX), 0);
  open_terminal(GetParam(), 24);
  type_line("clear; $H message append " + id + " hello > said; echo END $?");
  ASSERT_TRUE(shows("working, ")) << screen();
  const int first = seconds_after("working, ");
  EXPECT_GE(first, 1) << screen();
  for (int look = 0; look < 200 && seconds_after("working, ") <= first; ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(seconds_after("working, "), first) << "it goes on: " << screen();
  ASSERT_EQ(::flock(log, LOCK_UN), 0);
  ASSERT_TRUE(shows("END 0")) << screen();
  EXPECT_FALSE(screen().contains("working")) << screen();
  EXPECT_FALSE(text("desk/said").contains("working")) << text("desk/said");

  ASSERT_EQ(::flock(log, LOCK_EX), 0);
  type_line("clear; $H message append " + id + " again > said; echo END $?");
  ASSERT_TRUE(shows("working, ")) << screen();
  type("C-c");
  ASSERT_TRUE(shows("END 130")) << screen();
  EXPECT_FALSE(screen().contains("working")) << screen();
  ::close(log);
  ASSERT_EQ(sh("$H show " + id), 0) << err;
  EXPECT_TRUE(out.contains("hello") && !out.contains("again")) << out;
}

TEST_P(OnATerminal, PickHandlesResizeAndRestoresTerminalOnSignals) {
  open_terminal(GetParam(), 24);
  for (const std::string signal : {"TERM", "HUP", "SEGV"}) {
    type_line("clear; stty -g > before; $H pick & echo $! > pid; fg; stty -g > after; echo END " + signal);
    ASSERT_TRUE(shows("enter opens")) << screen();
    ASSERT_EQ(sh("tmux -S $HOME/tmux resize-window -x 120 -y 30"), 0) << err;
    ASSERT_TRUE(shows("│")) << screen() << "beside each other when there is room";
    ASSERT_EQ(sh("tmux -S $HOME/tmux resize-window -x 60 -y 16"), 0) << err;
    ASSERT_TRUE(shows("────")) << screen();
    ASSERT_EQ(sh("kill -" + signal + " $(cat pid)"), 0) << err;
    ASSERT_TRUE(shows("\nEND " + signal)) << screen();
    EXPECT_EQ(text("desk/before"), text("desk/after")) << signal;
    EXPECT_NE(text("desk/before"), "");
  }
}

TEST_P(OnATerminal, LongOutputIsPagedOnlyOnTerminal) {
  const std::string id = create("\"long\"");
  ASSERT_EQ(sh("for i in $(seq 60); do echo \"{\\\"session\\\":\\\"" + id +
               "\\\",\\\"text\\\":\\\"line $i\\\"}\" | $H call message.append - > /dev/null; done"),
            0)
      << err;
  open_terminal(GetParam(), 24);
  run_line("PAGER='sed s/line/PAGED/' $H show " + id + "");
  EXPECT_NE(line_with("PAGED 60"), "") << screen();
  run_line("PAGER='sed s/line/PAGED/' $H show " + id + " --no-pager");
  EXPECT_NE(line_with("line 60"), "") << screen();
  run_line("PAGER='sed s/line/PAGED/' $H show " + id + " | tail -n 3");
  EXPECT_NE(line_with("line 60"), "") << screen();
  run_line("PAGER='cat > /dev/null; echo less-$LESS-$LESSCHARSET' $H show " + id + "");
  EXPECT_NE(line_with("less-FRX-utf-8"), "") << screen();
  run_line("PAGER=/nonexistent $H show " + id + " 2> /dev/null");
  EXPECT_NE(line_with("line 60"), "") << screen() << "without a pager the text comes all the same";
}

INSTANTIATE_TEST_SUITE_P(Columns, OnATerminal, testing::Values(80, 200),
                         [](const auto& columns) { return std::to_string(columns.param); });

struct Scripts : CliHome {};

TEST_F(Scripts, LsHasJsonNulAndExitCodes) {
  EXPECT_EQ(sh("$H ls"), 1) << "nothing found";
  EXPECT_EQ(sh("$H ls --json"), 1);
  EXPECT_EQ(field({"total"}), "0");
  EXPECT_EQ(sh("$H session list --json"), 0) << "an empty list is an answer";
  const std::string id = create("\"one\"");
  create("\"two\"");
  EXPECT_EQ(sh("$H ls --limit 1 --json"), 0);
  EXPECT_EQ(field({"next"}), "1");
  EXPECT_EQ(sh("$H ls -0"), 0) << err;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\0'), 2);
  EXPECT_NE(out.find("holdfast/" + id + std::string(1, '\0')), std::string::npos);
  EXPECT_EQ(sh("$H ls -0 | xargs -0 -n 1 $H session get > got && grep -c '^id: ' got"), 0) << err << out;
  EXPECT_EQ(out, "2\n");
  EXPECT_EQ(sh("$H ls --status failed"), 1);
  EXPECT_EQ(sh("$H pick --nonsense"), 2);
  EXPECT_EQ(sh("setsid -w $H pick"), 2) << "no terminal";
  EXPECT_NE(err.find("needs a terminal"), std::string::npos) << err;
}

TEST_F(Scripts, BrokenPipeIsNotAnError) {
  for (int i = 0; i < 3; ++i) create("\"session\"");
  EXPECT_EQ(sh("(i=0; while [ $i -lt 40 ]; do $H help; i=$((i+1)); done; echo $? > code) | head -n 1; cat code"), 0);
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.ends_with("0\n")) << out;
  EXPECT_EQ(sh("{ $H ls --json; echo $? > code; } | true; cat code"), 0);
  EXPECT_EQ(out, "0\n");
  EXPECT_EQ(err, "");
  EXPECT_EQ(sh("$H ls > /dev/full"), 5) << "a full disk is one";
}

TEST_F(Scripts, RpcFailsIfAnswersCannotBeWritten) {
  const std::string id = create("\"one\"");
  std::ofstream(home + "/in") << R"({"jsonrpc":"2.0","id":1,"method":"hello"})" << '\n'
                              << R"({"jsonrpc":"2.0","id":2,"method":"message.append","params":{"session":")" << id
                              << R"(","text":"hi"}})" << '\n';
  EXPECT_EQ(sh("$H rpc <$HOME/in >/dev/full"), 5);
  EXPECT_NE(err.find("cannot write to standard output: No space left on device"), std::string::npos) << err;
  EXPECT_EQ(sh("{ $H rpc <$HOME/in; echo $? > code; } | true; cat code"), 0);
  EXPECT_EQ(out, "0\n") << "a reader that went away is none";
  EXPECT_EQ(err, "");
}

TEST_F(Scripts, ColorsRequireTerminalOrOption) {
  create("\"one\"");
  EXPECT_EQ(sh("$H ls"), 0);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(sh("$H ls --color always"), 0);
  EXPECT_NE(out.find("\x1b["), std::string::npos);
  EXPECT_EQ(sh("NO_COLOR=1 TERM=xterm script -qec \"$H ls\" /dev/null"), 0) << err;
  EXPECT_EQ(out.find("\x1b[3"), std::string::npos) << out;
  EXPECT_EQ(sh("TERM=xterm script -qec \"$H ls\" /dev/null"), 0) << err;
  EXPECT_NE(out.find("\x1b[36m"), std::string::npos) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
