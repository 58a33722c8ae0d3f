// One session on two machines, through the command line: a copy that goes further represents the other, copies that
// diverged are branches of one session, and so is a hand-off (decision 50).
#include <cstdlib>
#include <tuple>

#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Branches : TwoMachines {
  // Both machines share the project; b has a copy of the session in a directory of another name.
  void share_from_both() {
    share_from_a();
    fs::create_directories(home + "/b/.claude/projects/-copy");
    fs::copy_file(log("a"), log("b"));
    share_from_b();
  }
  void share_from_b() {
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
    sync();
  }
  std::string log(const std::string& which) const {
    return home + "/" + which + "/.claude/projects/" + (which == "a" ? "-thing/" : "-copy/") + id + ".jsonl";
  }
  // Afterwards both machines know of everything.
  void sync(const std::string& how = "") {
    for (const char* const which : {"a", "b", "a"}) ASSERT_EQ(on(which, "sync " + how), 0) << out << err;
  }
  // Adds a prompt to the log of Claude Code on that machine.
  void say(const std::string& which, const std::string& prompt, int minute) {
    const std::string uuid = "w" + std::to_string(minute);
    std::ofstream(log(which), std::ios::app)
        << R"({"type":"user","uuid":")" << uuid << R"(","parentUuid":"u3","sessionId":")" << id << R"(","cwd":")"
        << home << "/" << which << (which == "a" ? "/src/thing" : "/src/copy") << R"(","timestamp":"2026-01-01T00:)"
        << minute << R"(:00Z","message":{"role":"user","content":")" << prompt << "\"}}\n";
  }
  int rows(const std::string& wanted) const {
    int count = 0;
    for (std::size_t at = 0; (at = out.find(wanted, at)) != std::string::npos; ++at) ++count;
    return count;
  }
};

TEST_F(Branches, CopyIsListedOnce) {
  share_from_both();
  for (const char* const which : {"a", "b"}) {
    ASSERT_EQ(on(which, "ls --machine all"), 0) << err;
    EXPECT_EQ(rows(id), 1) << which << out;
    EXPECT_FALSE(out.contains("[")) << "this machine's own: " << out;
    ASSERT_EQ(on(which, "ls --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"total\":1,") && !out.contains("branches")) << out;
    ASSERT_EQ(on(which, "show cccccccc"), 0) << out;
    EXPECT_EQ(err, "");
  }
  ASSERT_EQ(on("a", "machine list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"machine":"tower","sessions":1,)")) << "it has it, whoever else does: " << out;
}

// Its machine has captured it in two stores, because the agent's directory was moved.
TEST_F(Branches, CopiesOfOneMachineAreListedOnce) {
  share_from_a();
  fs::rename(home + "/a/.claude", home + "/a/moved");
  const std::string moved = "env HOME=$HOME/a CLAUDE_CONFIG_DIR=$HOME/a/moved $H sync";
  ASSERT_EQ(sh("cd $HOME/a && " + moved), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  const auto expect_read = [&](const std::string& words) {
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains(words)) << out;
    ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("total":1,)") && !out.contains("branches")) << out;
    ASSERT_EQ(on("b", "show " + id + " --machine all"), 0) << err;
    ASSERT_EQ(on("b", "export " + id + " --machine laptop"), 0) << err;
    ASSERT_EQ(on("b", "search list --machine all --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("sessions":1,)")) << out;
  };
  ASSERT_NO_FATAL_FAILURE(expect_read("and now count them"));
  // It goes on in the new place. Which copy is longer shows once their bytes are here.
  record({"please list the files", "and now count them", "the third prompt"});
  fs::rename(home + "/a/.claude/projects/-thing/" + id + ".jsonl", home + "/a/moved/projects/-thing/" + id + ".jsonl");
  fs::remove_all(home + "/a/.claude");
  ASSERT_EQ(sh("cd $HOME/a && " + moved), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_NO_FATAL_FAILURE(expect_read("the third prompt"));
}

// The same for a machine that has read neither copy before.
TEST_F(Branches, LongerCopyOfOneMachineIsRead) {
  share_from_a();
  fs::rename(home + "/a/.claude", home + "/a/moved");
  record({"please list the files", "and now count them", "the third prompt"});
  fs::rename(home + "/a/.claude/projects/-thing/" + id + ".jsonl", home + "/a/moved/projects/-thing/" + id + ".jsonl");
  fs::remove_all(home + "/a/.claude");
  ASSERT_EQ(sh("cd $HOME/a && env HOME=$HOME/a CLAUDE_CONFIG_DIR=$HOME/a/moved $H sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("the third prompt")) << out;
}

TEST_F(Branches, LongerCopyRepresentsBoth) {
  share_from_both();
  say("b", "only on the tower", 30);
  sync("--fetch all");
  ASSERT_EQ(on("a", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_TRUE(out.contains("[tower] please list the files")) << out;
  ASSERT_EQ(on("a", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("total":1,)") && out.contains(R"("machine":"tower","here":true)")) << out;
  EXPECT_FALSE(out.contains("branches")) << out;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_FALSE(out.contains("[")) << "b has all of it: " << out;
  // Without --machine, this machine's copy is shown.
  ASSERT_EQ(on("a", "show cccccccc"), 0) << err;
  EXPECT_FALSE(out.contains("only on the tower")) << out;
  EXPECT_EQ(err, "note: tower continued this session: holdfast show claude-code/" + id + " --machine tower\n");
  ASSERT_EQ(on("a", "show cccccccc --machine tower"), 0) << err;
  EXPECT_TRUE(out.contains("only on the tower")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(on("a", "show cccccccc --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("only on the tower")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(on("b", "show cccccccc"), 0) << err;
  EXPECT_EQ(err, "");
  // A filter that the other copy does not pass hides nothing of this machine.
  ASSERT_EQ(on("a", "ls --machine all --status active"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_FALSE(out.contains("tower")) << out;
}

TEST_F(Branches, MessagesSinceLastCaptureAreNotHidden) {
  share_from_both();
  say("b", "only on the tower", 30);
  sync("--fetch all");
  say("a", "only on the laptop", 40);
  ASSERT_EQ(on("a", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_TRUE(out.contains("[2 branches: here, tower] please list the files")) << out;
  ASSERT_EQ(on("a", "show cccccccc"), 0) << err;
  EXPECT_TRUE(out.contains("only on the laptop")) << out;
  EXPECT_EQ(err,
            "note: tower has another branch of this session: holdfast show claude-code/" + id + " --machine tower\n");
}

TEST_F(Branches, DivergedCopiesAreBranchesOfOneSession) {
  share_from_both();
  say("b", "only on the tower", 30);
  say("a", "only on the laptop", 40);
  sync();
  ASSERT_EQ(on("a", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_TRUE(out.contains("[2 branches: here, tower (not here)] please list the files")) << out;
  sync("--fetch all");
  ASSERT_EQ(on("a", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_TRUE(out.contains("[2 branches: here, tower] please list the files")) << out;
  ASSERT_EQ(on("a", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("total":1,)")) << out;
  const std::string name = R"(,"layout":"claude-code","id":")" + id + R"(","messages":5,"updated_at":"2026-01-01T00:)";
  EXPECT_TRUE(out.contains(R"("branches":[{"machine":null)" + name + R"(40:00.000Z","here":true},{"machine":"tower")" +
                           name + R"(30:00.000Z","here":true}])"))
      << out;
  // The row is that of the copy that was changed last.
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_EQ(rows(id), 1) << out;
  EXPECT_TRUE(out.contains("[2 branches: laptop, here] please list the files")) << out;
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop","here":true)")) << out;
  // Each branch can be shown, and the one that is not shown is named.
  ASSERT_EQ(on("b", "show cccccccc"), 0) << err;
  EXPECT_TRUE(out.contains("only on the tower") && !out.contains("only on the laptop")) << out;
  EXPECT_EQ(err,
            "note: laptop has another branch of this session: holdfast show claude-code/" + id + " --machine laptop\n");
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("only on the laptop") && !out.contains("only on the tower")) << out;
  ASSERT_EQ(on("b", "show cccccccc --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("other_branches":[{"machine":"laptop","layout":"claude-code","id":")" + id)) << out;
  EXPECT_TRUE(out.contains(R"("continues":false,"handed_off":false}])")) << out;
  // None of this touches a file of an agent.
  std::ifstream mine(log("b"));
  const std::string bytes{std::istreambuf_iterator<char>(mine), {}};
  EXPECT_TRUE(bytes.contains("only on the tower") && !bytes.contains("only on the laptop"));
}

TEST_F(Branches, HintsOfSearchOpenTheBranchOfTheHit) {
  share_from_both();
  say("b", "only on the tower", 30);
  say("a", "only on the laptop", 40);
  sync("--fetch all");
  // The number of the first hit.
  const auto number = [&] { return std::to_string(std::atoi(out.c_str() + out.find("\n  [") + 4)); };
  ASSERT_EQ(on("a", "search laptop --machine all"), 0) << err;
  EXPECT_TRUE(err.contains("open one with holdfast show ID --at N\n")) << err;
  ASSERT_EQ(on("a", "show " + id + " --at " + number()), 0) << err;
  EXPECT_TRUE(out.contains("only on the laptop")) << out;
  ASSERT_EQ(on("a", "search tower --machine all"), 0) << err;
  EXPECT_TRUE(err.contains("open one with holdfast show ID --at N --machine tower\n")) << err;
  ASSERT_EQ(on("a", "show " + id + " --at " + number() + " --machine tower"), 0) << err;
  EXPECT_TRUE(out.contains("only on the tower")) << out;
  for (const std::string session : {"", " --session cccccccc"}) {
    ASSERT_EQ(on("a", "search only --machine all" + session), 0) << err;
    EXPECT_TRUE(out.contains("only on the laptop") && out.contains("only on the tower")) << out;
    EXPECT_TRUE(err.contains("holdfast show ID --at N, with --machine NAME for a session of [NAME]\n")) << err;
  }
  ASSERT_EQ(on("a", "show cccccccc --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("only on the laptop") && !out.contains("only on the tower")) << out;
  EXPECT_EQ(err,
            "note: tower has another branch of this session: holdfast show claude-code/" + id + " --machine tower\n");
  // A machine without a branch of its own has to choose.
  fs::create_directories(home + "/c");
  ASSERT_EQ(on("c", "remote add nas dir:" + home + "/share --as third"), 0) << err;
  ASSERT_EQ(on("c", "sync --fetch all"), 0) << err;
  EXPECT_EQ(on("c", "show cccccccc --machine all"), 3) << out;
  for (const char* const machine : {"laptop", "tower"}) {
    EXPECT_TRUE(err.contains("\n  claude-code/" + id + " --machine " + machine + "\n")) << err;
    ASSERT_EQ(on("c", "show claude-code/" + id + " --machine " + machine), 0) << err;
    EXPECT_TRUE(out.contains(std::string("only on the ") + machine)) << out;
    ASSERT_EQ(on("c", "show cccccccc --machine all"), 3) << out;
  }
  EXPECT_EQ(on("c", "show eeeeeeee --machine all"), 3) << out;
  EXPECT_TRUE(err.contains("there is no session eeeeeeee on this machine, nor in what sync has read of others")) << err;
}

// What branches and copies have in common is counted once, and they are one session.
// A home was copied, and the copy goes on under the same name.
TEST_F(Branches, TwoHomesOfOneMachineAreToldApart) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/c"), 0) << err;
  say("a", "said in the first home", 11);
  const std::string copied = home + "/c/.claude/projects/-thing/" + id + ".jsonl";
  std::ofstream(copied, std::ios::app)
      << R"({"type":"user","uuid":"w12","parentUuid":"u3","sessionId":")" << id << R"(","cwd":")" << home
      << R"(/a/src/thing","timestamp":"2026-01-01T00:12:00Z","message":{"role":"user","content":"said in the copy"}})"
      << "\n";
  for (const char* const which : {"a", "c", "a"}) ASSERT_EQ(on(which, "sync"), 0) << out << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[2 branches: laptop@2, laptop@1]")) << out;
  // Neither is meant more than the other, and each can be named.
  EXPECT_EQ(on("b", "show cccccccc"), 3) << out;
  for (const std::string machine : {"laptop@1", "laptop@2"}) {
    const std::string command = "show cccccccc --machine " + machine;
    EXPECT_TRUE(err.contains("; laptop@1, laptop@2 have it:\n") && err.contains("\n  holdfast " + command + "\n"))
        << err;
  }
  for (const std::string machine : {"laptop", "all"}) {
    EXPECT_EQ(on("b", "show cccccccc --machine " + machine), 3) << out;
    EXPECT_TRUE(err.contains(id + " --machine laptop@1\n") && err.contains(id + " --machine laptop@2")) << err;
  }
  for (const auto& [machine, said, not_said] : {std::tuple("laptop@1", "said in the first home", "said in the copy"),
                                                std::tuple("laptop@2", "said in the copy", "said in the first home")}) {
    ASSERT_EQ(on("b", std::string("search \"") + said + "\" --machine all"), 0) << err;
    EXPECT_TRUE(out.contains(std::string("[") + machine + "]")) << out;
    EXPECT_TRUE(err.contains(std::string("holdfast show ID --at N --machine ") + machine)) << err;
    for (const char* const how : {"show cccccccc --machine ", "export cccccccc --format md --machine "}) {
      ASSERT_EQ(on("b", std::string(how) + machine), 0) << how << err;
      EXPECT_TRUE(out.contains(said) && !out.contains(not_said)) << how << out;
    }
    ASSERT_EQ(on("b", std::string("search said --machine ") + machine), 0) << err;
    EXPECT_TRUE(err.contains(std::string("--machine ") + machine) && !out.contains(not_said)) << out << err;
  }
  EXPECT_EQ(on("b", "show cccccccc --machine laptop@3"), 3) << out;
  EXPECT_TRUE(err.contains("there is no machine laptop@3; known machines: laptop")) << err;
}

TEST_F(Branches, StatisticsCountWhatBranchesShareOnce) {
  // "sessions, prompts, answers" of the last row, which is the sum.
  const auto figures = [&](const std::string& which, const std::string& options) {
    EXPECT_EQ(on(which, "stats --json " + options), 0) << err;
    const std::size_t total = out.find(R"("total":{)");
    const auto number = [&](const std::string& key) {
      const std::size_t at = out.find("\"" + key + "\":", total);
      return std::to_string(std::atoi(out.c_str() + at + key.size() + 3));
    };
    return number("sessions") + ", " + number("prompts") + ", " + number("answers");
  };
  share_from_both();
  EXPECT_EQ(figures("a", ""), "1, 2, 2");
  EXPECT_EQ(figures("a", "--machine all"), "1, 2, 2") << out;
  // The copy of the tower continues this one.
  say("b", "only on the tower", 30);
  sync("--fetch all");
  EXPECT_EQ(figures("a", ""), "1, 2, 2");
  EXPECT_EQ(figures("a", "--machine all"), "1, 3, 2") << out;
  EXPECT_EQ(figures("a", "--machine tower"), "1, 3, 2") << out;
  // Both were continued.
  say("a", "only on the laptop", 40);
  sync("--fetch all");
  for (const char* const which : {"a", "b"}) {
    EXPECT_EQ(figures(which, ""), "1, 3, 2") << which;
    for (const char* const by : {"day", "session", "agent", "model"})
      EXPECT_EQ(figures(which, std::string("--machine all --by ") + by), "1, 4, 2") << which << by << out;
    ASSERT_EQ(on(which, "stats --machine all --by session --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("sessions":1,"messages":6,"prompts":4,)")) << out;
  }
}

// A prefix may be that of one session here and of another one elsewhere.
TEST_F(Branches, PrefixOfSessionsOnTwoMachinesIsAmbiguous) {
  share_from_a();
  std::string other = id;
  other.back() = '2';
  put(home + "/b/.claude/projects/-copy/" + other + ".jsonl",
      R"({"type":"user","uuid":"v","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
          R"(/b/src/copy","timestamp":"2026-01-02T00:00:00Z","message":{"role":"user","content":"of my own"}})" + "\n");
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(on("b", "show cccccccc --machine all"), 3) << out;
  EXPECT_TRUE(err.contains("\n  claude-code/" + other + "\n  claude-code/" + id + " --machine laptop")) << err;
  ASSERT_EQ(on("b", "show " + other + " --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("of my own")) << out;
  ASSERT_EQ(on("b", "show " + id + " --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
}

// In its own directory, with another agent, on the same machine: no remote is involved.
TEST_F(Branches, HandoffIsListedWithItsSource) {
  fs::create_directories(home + "/a/.codex/sessions");
  ASSERT_EQ(on("a", "handoff cccccccc --to codex --json"), 0) << err;
  EXPECT_FALSE(out.contains("warnings")) << out;
  const std::string made = field({"id"});
  ASSERT_EQ(on("a", "ls"), 0) << err;
  const std::size_t first = out.find(made), second = out.find(id);
  EXPECT_TRUE(out.contains("[2 branches: codex, claude-code] please list the files")) << out;
  EXPECT_TRUE(first < second && out.contains("└ please list the files")) << out;
  ASSERT_EQ(on("a", "ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("handed_off_from":{"layout":"claude-code","id":")" + id + R"("})")) << out;
  EXPECT_EQ(rows(R"("branches":[{"machine":null,"layout":"codex")"), 2) << "each tells it: " << out;
  ASSERT_EQ(on("a", "ls --agent claude"), 0) << err;
  EXPECT_FALSE(out.contains("branches")) << "only what is listed: " << out;
  ASSERT_EQ(on("a", "show cccccccc"), 0) << out;
  EXPECT_EQ(err, "note: this session was handed off to codex: holdfast show codex/" + made + "\n");
  ASSERT_EQ(on("a", "handoff cccccccc --to claude-code --json"), 0) << err;
  const std::string file = field({"file"});
  ASSERT_EQ(on("a", "ls --agent claude"), 0) << err;
  EXPECT_TRUE(out.contains("[2 branches] please list the files")) << out;
  fs::remove(file);
  fs::remove_all(home + "/a/.codex/sessions");
  ASSERT_EQ(on("a", "show cccccccc"), 0) << out;
  EXPECT_EQ(err, "") << "it is gone";
  ASSERT_EQ(on("a", "ls"), 0) << err;
  EXPECT_FALSE(out.contains("branches")) << out;
}

TEST_F(Branches, DryRunRecordsNothing) {
  fs::create_directories(home + "/a/.codex/sessions");
  ASSERT_EQ(on("a", "handoff cccccccc --to codex --dry-run"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/a/.local/share/holdfast/notes")) << out;
}

// A person's story, on a terminal: recorded here, continued there with another agent, then continued on both.
TEST_F(Branches, TwoMachinesContinueOneSessionInTwoAgents) {
  if (!has_tmux()) GTEST_SKIP() << "tmux is not installed";
  put(home + "/bin/codex",
      "#!/bin/sh\n"
      "test \"$1\" = resume || exit 9\n"
      "file=$(find \"$HOME/.codex/sessions\" -name \"rollout-*-$2.jsonl\")\n"
      "test -n \"$file\" || exit 8\n"
      "now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)\n"
      "printf '{\"timestamp\":\"%s\",\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\","
      "\"content\":[{\"type\":\"input_text\",\"text\":\"codex goes on\"}]}}\\n' \"$now\" >> \"$file\"\n"
      "printf '{\"timestamp\":\"%s\",\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\","
      "\"message\":\"codex goes on\"}}\\n' \"$now\" >> \"$file\"\n"
      "echo codex worked in $PWD\n");
  fs::permissions(home + "/bin/codex", fs::perms::owner_all);
  open_terminal(160, 24);
  const auto at = [&](const std::string& which, const std::string& line) {
    run_line("cd " + home + "/" + which + (which == "a" ? "/src/thing" : "/src/copy") + " && HOME=" + home + "/" +
             which + " PATH=" + home + "/bin:$PATH $H " + line);
  };
  at("a", "remote add nas dir:" + home + "/share --as laptop");
  at("a", "remote share . --with nas");
  at("a", "sync");
  EXPECT_TRUE(screen().contains("sent 1 session")) << screen();
  at("b", "remote add nas dir:" + home + "/share --as tower");
  at("b", "remote share . --with nas");
  at("b", "sync");
  EXPECT_TRUE(screen().contains("new here: laptop")) << screen();
  // The list needs no remote.
  fs::rename(home + "/share", home + "/away");
  at("b", "ls --machine all");
  EXPECT_TRUE(screen().contains("[laptop, not here] please list the files")) << screen();
  fs::rename(home + "/away", home + "/share");
  at("b", "show cccccccc --machine laptop | cat");
  EXPECT_TRUE(screen().contains("and now count them")) << screen();
  at("b", "resume cccccccc --machine laptop --in codex --yes");
  EXPECT_TRUE(screen().contains("codex worked in " + home + "/b/src/copy")) << screen();
  // The laptop continues in its own agent, a little later.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ASSERT_EQ(sh("date -u +%Y-%m-%dT%H:%M:%S.000Z"), 0);
  std::ofstream(log("a"), std::ios::app) << R"({"type":"user","uuid":"w","parentUuid":"u3","sessionId":")" << id
                                         << R"(","cwd":")" << home << R"(/a/src/thing","timestamp":")"
                                         << out.substr(0, out.find('\n'))
                                         << R"(","message":{"role":"user","content":"claude goes on"}})" << "\n";
  at("a", "sync");
  at("b", "sync");
  at("a", "sync");
  for (const std::string which : {"a", "b"}) {
    at(which, "ls --machine all");
    const std::string seen = screen();
    const std::string mark = which == "a" ? "[2 branches: here (claude-code), tower (codex, not here)] please list"
                                          : "[2 branches: laptop (claude-code, not here), here (codex)] please list";
    EXPECT_TRUE(seen.contains(mark)) << seen;
    EXPECT_TRUE(seen.contains(which == "a" ? "└ [tower, not here] please list" : "└ please list")) << seen;
    EXPECT_LT(seen.find("branches"), seen.find("└")) << seen;
  }
  at("a", "show cccccccc | tail -n 1");
  EXPECT_TRUE(screen().contains("claude goes on")) << screen();
  EXPECT_TRUE(screen().contains("note: this session was handed off to codex on tower: holdfast show ")) << screen();
  ASSERT_EQ(on("a", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("handed_off_from":{"layout":"claude-code","id":")" + id + R"("})")) << out;
  const std::string before = R"("machine":"tower","layout":"codex","id":")";
  const std::size_t branch = out.find(before);
  ASSERT_NE(branch, std::string::npos) << out;
  ASSERT_EQ(on("a", "show codex/" + out.substr(branch + before.size(), 36) + " --machine tower"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them") && out.contains("codex goes on")) << out;
  // Each agent has only its own messages.
  const std::string mine = text("a/.claude/projects/-thing/" + id + ".jsonl");
  EXPECT_TRUE(mine.contains("claude goes on") && !mine.contains("codex goes on")) << mine;
}

// The row that others read does not name the source.
TEST_F(Branches, RedactedHandoffDoesNotNameItsSource) {
  fs::create_directories(home + "/a/.codex/sessions");
  ASSERT_EQ(on("a", "handoff cccccccc --to codex --json"), 0) << err;
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"total\":2,") && !out.contains("handed_off_from")) << out;
  EXPECT_EQ(sh("grep -r handed_off_from $HOME/b/.local"), 1) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
