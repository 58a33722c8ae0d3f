// What somebody sees who tries the program for the first time, with only its help.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct FirstUse : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name) << bytes;
  }
  static std::string slurp(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Joins records in order: a braced list is evaluated from left to right, the operands of + in any order.
  static std::string records(std::initializer_list<std::string> all) {
    std::string bytes;
    for (const std::string& one : all) bytes += one;
    return bytes;
  }
  // A record of Claude Code; each follows the previous one.
  std::string record(const std::string& type, const std::string& time, const std::string& message) {
    const std::string uuid = "u" + std::to_string(said_++), parent = last_.empty() ? "null" : "\"" + last_ + "\"";
    last_ = uuid;
    return R"({"type":")" + type + R"(","uuid":")" + uuid + R"(","parentUuid":)" + parent + R"(,"sessionId":")" + kId +
           R"(","cwd":"/w","timestamp":")" + time + R"(","message":{)" + message + "}}\n";
  }
  std::string prompt(const std::string& time, const std::string& text) {
    return record("user", time, R"("role":"user","content":")" + text + "\"");
  }
  std::string answer(const std::string& time, int tokens) {
    return record("assistant", time,
                  R"("id":"msg_)" + std::to_string(said_) +
                      R"(","role":"assistant","model":"m","content":[{"type":"text","text":"yes"}],"usage":{)" +
                      R"("input_tokens":1,"output_tokens":)" + std::to_string(tokens) + "}");
  }
  void claude_log(const std::string& bytes) const { put(".claude/projects/-w/" + std::string(kId) + ".jsonl", bytes); }
  std::int64_t total(const std::string& line, std::string_view figure) {
    EXPECT_EQ(sh("$H stats --json " + line), 0) << err;
    const JsonView all = JsonView(out).find("total");
    return (figure == "output" ? all.find("usage").find(figure) : all.find(figure)).as_int64().value_or(-1);
  }
  // A rollout of Codex whose records are numbered.
  std::string rollout(int records) {
    const std::string time = R"({"timestamp":"2026-01-01T00:00:00.000Z","ordinal":)";
    std::string bytes = time + R"(0,"type":"session_meta","payload":{"id":")" + kId +
                        R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w","originator":"codex"}})" + "\n";
    for (int i = 1; i < records; ++i)
      bytes += time + std::to_string(i) + R"(,"type":"response_item","payload":{"type":"message","role":")" +
               (i % 2 == 1 ? "user" : "assistant") + R"(","content":[{"type":")" +
               (i % 2 == 1 ? "input_text" : "output_text") + R"(","text":"said )" + std::to_string(i) + "\"}]}}\n";
    return bytes;
  }
  const std::string codex_path =
      ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + std::string(kId) + ".jsonl";

  int said_ = 0;
  std::string last_;
};

TEST_F(FirstUse, StatsHonorExactTimeRange) {
  claude_log(records({prompt("2026-01-05T12:00:00.000Z", "go"), answer("2026-01-05T12:01:00.000Z", 1),
                      answer("2026-01-05T12:07:00.000Z", 10), answer("2026-01-05T12:07:29.999Z", 100),
                      answer("2026-01-05T12:07:30.001Z", 1000), answer("2026-01-05T12:20:00.000Z", 10000)}));
  const std::string window = "--since 2026-01-05T12:07:00Z --until 2026-01-05T12:07:30Z";
  for (int again = 0; again < 2; ++again) {  // the second time from the cache
    EXPECT_EQ(total(window, "output"), 110) << out;
    EXPECT_EQ(total(window, "answers"), 2) << out;
    EXPECT_EQ(total(window, "prompts"), 0) << out;
    EXPECT_EQ(total("--since 2026-01-05T12:07:30.001Z", "output"), 11000) << out;
    EXPECT_EQ(total("--until 2026-01-05T12:06:59Z", "output"), 1) << out;
    EXPECT_EQ(total("", "output"), 11111) << out;
  }
  EXPECT_EQ(total("--by day --since 2026-01-05T12:07:00Z --until 2026-01-05T12:07:30Z", "sessions"), 1);
  ASSERT_EQ(sh("TZ=UTC $H stats --json " + window), 0) << err;
  EXPECT_TRUE(out.contains(R"("key":"2026-01-05")")) << out;
  sh("$H stats --help");
  EXPECT_TRUE(out.contains("only messages at or after this time")) << out;
  EXPECT_FALSE(out.contains("only sessions changed")) << out;
  sh("$H ls --help");
  EXPECT_TRUE(out.contains("only sessions changed at or after this time")) << out;
}

TEST_F(FirstUse, RecordsLostBeforeRepairAreNotesNotDamage) {
  std::string bytes = rollout(12);
  const std::size_t line = bytes.find(R"("ordinal":5)");
  bytes.erase(line + 30, bytes.find('\n', line) - line - 30);
  put(codex_path, bytes);
  EXPECT_EQ(sh("$H verify aaaa"), 4) << out;
  ASSERT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("records: 11") && out.contains("torn")) << out;
  EXPECT_EQ(sh("$H verify aaaa"), 0) << out << err;
  EXPECT_TRUE(out.contains("lost before the repair")) << out;
  EXPECT_FALSE(err.contains("rescue")) << err;
  // A record that goes missing later is damage again, whether the kept file has it or not.
  std::string repaired = slurp(home + "/" + codex_path);
  const std::size_t eight = repaired.rfind('\n', repaired.find(R"("ordinal":8)")) + 1;
  repaired.erase(eight, repaired.find('\n', eight) + 1 - eight);
  put(codex_path, repaired);
  EXPECT_EQ(sh("$H verify aaaa --json"), 4) << out;
  EXPECT_EQ(field({"total"}), "1") << out;
}

TEST_F(FirstUse, RescueShowsUsageAndAcceptsSessionFile) {
  std::string bytes = rollout(12);
  const std::size_t line = bytes.find(R"("ordinal":5)");
  bytes.erase(line + 30, bytes.find('\n', line) - line - 30);
  put(codex_path, bytes);
  sh("$H rescue --help");
  EXPECT_TRUE(out.contains("holdfast rescue ID (--output PATH | --install | --undo)")) << out;
  EXPECT_TRUE(out.contains("--yes") && out.contains("--dry-run")) << out;
  EXPECT_FALSE(out.contains(" DIR")) << out;
  EXPECT_EQ(sh("$H rescue $HOME/" + codex_path + " --install --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(" are lost at 1 place")) << out;
  put("elsewhere.jsonl", bytes);
  EXPECT_EQ(sh("$H rescue $HOME/elsewhere.jsonl --install --yes"), 3) << out;
  EXPECT_TRUE(err.contains("rescue FILE -o COPY")) << err;
  EXPECT_EQ(sh("$H rescue $HOME/" + codex_path + " --install --yes"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/" + codex_path + ".damaged"));
}

TEST_F(FirstUse, FindsCodexHomeWithOnlyArchivedSessions) {
  put(".codex/archived_sessions/rollout-2026-01-01T00-00-00-" + std::string(kId) + ".jsonl", rollout(4));
  EXPECT_EQ(sh("$H stores"), 0) << err;
  EXPECT_TRUE(out.contains("codex")) << out;
  EXPECT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
}

TEST_F(FirstUse, SearchCountPrintsOnlyNumber) {
  claude_log(records({prompt("2026-01-05T12:00:00.000Z", "a needle"), prompt("2026-01-05T12:01:00.000Z", "needles")}));
  EXPECT_EQ(sh("$H search needle --count"), 0) << err;
  EXPECT_EQ(out, "2\n");
  EXPECT_EQ(sh("$H search haystack --count"), 1) << err;
  EXPECT_EQ(out, "0\n");
}

TEST_F(FirstUse, TailCountsOnlyShownMessages) {
  std::string bytes = records({prompt("2026-01-05T12:00:00.000Z", "first"), answer("2026-01-05T12:00:01.000Z", 1),
                               prompt("2026-01-05T12:00:02.000Z", "second")});
  for (int i = 0; i < 30; ++i)
    bytes += R"({"type":"attachment","uuid":"x)" + std::to_string(i) + R"(","parentUuid":"u2","sessionId":")" + kId +
             R"(","timestamp":"2026-01-05T12:00:03.000Z","attachment":{"type":"prompt_snapshot","text":")" +
             padding(2000, i) + "\"}}\n";
  claude_log(bytes);
  EXPECT_EQ(sh("$H tail aaaa -n 1"), 0) << err;
  EXPECT_TRUE(out.contains("second")) << out;
  EXPECT_FALSE(out.contains("first")) << out;
  EXPECT_EQ(sh("$H tail aaaa -n 2 --json"), 0) << err;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2) << out;
  EXPECT_TRUE(out.contains("second") && out.contains("yes")) << out;
  EXPECT_EQ(sh("$H tail aaaa -n 100 --json"), 0) << err;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3) << out;
}

TEST_F(FirstUse, ShareCountsOnlySecretsOnThePage) {
  const std::string key = "ghp_" + std::string(36, 'a');
  claude_log(records({prompt("2026-01-05T12:00:00.000Z", "use " + key),
                      record("assistant", "2026-01-05T12:00:01.000Z",
                             R"("id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"I use )" +
                                 key + " and " + key + "\"}]")}));
  EXPECT_EQ(sh("$H share aaaa --prompts --json"), 0) << err;
  EXPECT_EQ(field({"masked"}), "1") << out;
  EXPECT_TRUE(out.contains("1 secret masked")) << out;
  EXPECT_EQ(sh("$H share aaaa --json"), 0) << err;
  EXPECT_EQ(field({"masked"}), "3") << out;
}

TEST_F(FirstUse, ConfigGetShowsPriceThatWasSet) {
  EXPECT_EQ(sh("$H config get prices.my-model.input"), 1) << err;
  ASSERT_EQ(sh("$H config set prices.my-model.input 2.5"), 0) << err;
  EXPECT_EQ(sh("$H config get prices.my-model.input"), 0) << err;
  EXPECT_EQ(out, "2.5\n");
  EXPECT_EQ(sh("$H config get prices.my-model.colour"), 2) << out;
}

TEST_F(FirstUse, NewSessionBelongsToEnclosingProject) {
  fs::create_directories(home + "/mine/src");
  ASSERT_EQ(sh("cd $HOME/mine && $H init"), 0) << err;
  ASSERT_EQ(sh("cd $HOME/mine/src && $H session create --json"), 0) << err;
  EXPECT_EQ(field({"session", "project"}), home + "/mine") << out;
  ASSERT_EQ(sh("cd $HOME/mine/src && $H session create --project /elsewhere --json"), 0) << err;
  EXPECT_EQ(field({"session", "project"}), "/elsewhere") << out;
  ASSERT_EQ(sh("cd $HOME/desk && $H session create --json"), 0) << err;
  EXPECT_EQ(JsonView(out).find("session").find("project").as_string().value_or(""), "") << out;
}

TEST_F(FirstUse, RedactsPasswordsInCommandsAndSentences) {
  const std::string said =
      "curl -u bob:S3cr3tPassw0rdX https://x.test; curl -s --user bob:S3cr3tPassw0rdY https://x.test; mysql -u me "
      "-pS3cretMy5ql; docker login -u me -p S3cretDock3r; sshpass -p S3cretSs4 ssh me@host; redis://:S3cretRed1s@host; "
      "my password is hunter2Zebra! and go";
  const std::string harmless =
      "the password is required! The password is 8 characters. curl -u $USER:$PASS x; docker login --password-stdin; "
      "mysql -u root -p; sshpass -e ssh me@host";
  claude_log(records({prompt("2026-01-05T12:00:00.000Z", said), prompt("2026-01-05T12:00:01.000Z", harmless)}));
  ASSERT_EQ(sh("$H export aaaa --format md --redact"), 0) << err;
  for (const char* secret : {"S3cr3tPassw0rdX", "S3cr3tPassw0rdY", "S3cretMy5ql", "S3cretDock3r", "S3cretSs4",
                             "S3cretRed1s", "hunter2Zebra"})
    EXPECT_FALSE(out.contains(secret)) << secret << "\n" << out;
  EXPECT_TRUE(out.contains(harmless)) << out;
}

TEST_F(FirstUse, DryRunFailsLikeRealRun) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "go"));
  const std::string id = create("\"one\"");
  EXPECT_EQ(sh("$H star aaaa --dry-run"), 0) << err;
  const std::vector<std::string> commands = {"star zzz",
                                             "tag zzz a",
                                             "rename zzz a",
                                             "session update zzz --title a",
                                             "session end zzz",
                                             "message append zzz --text a",
                                             "session update " + id + " --title a --store holdfast:/nowhere"};
  for (const std::string& command : commands) {
    const int real = sh("$H " + command);
    EXPECT_NE(real, 0) << command;
    EXPECT_EQ(sh("$H " + command + " --dry-run"), real) << command << "\n" << out << err;
  }
  EXPECT_EQ(sh("$H session end " + id + " --dry-run"), 0) << err;
}

// A user who may not read everything, unlike root, and who owns the home.
struct UnprivilegedUser : FirstUse {
  std::string unprivileged_program() {
    EXPECT_EQ(sh(give_home()), 0) << err;
    return ordinary_holdfast();
  }
};

TEST_F(UnprivilegedUser, UnreadableFileIsNotReportedAsDamaged) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "go"));
  ASSERT_EQ(sh("chmod 000 $HOME/.claude/projects/-w/*.jsonl"), 0);
  const std::string as = unprivileged_program();
  EXPECT_EQ(sh(as + "verify"), 5) << out << err;
  EXPECT_TRUE(out.contains("1 file that cannot be read") && out.contains("ermission denied")) << out;
  EXPECT_FALSE(err.contains("rescue")) << err;
  EXPECT_EQ(sh(as + "doctor"), 5) << out << err;
  EXPECT_FALSE(out.contains("rescue") || out.contains("sessions with damage")) << out;
}

// A folder that may not be listed hides neither itself nor the others.
TEST_F(UnprivilegedUser, UnreadableFolderIsReportedAndHidesNoOther) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "a zebra"));
  ASSERT_EQ(sh("cp -r $HOME/.claude/projects/-w $HOME/.claude/projects/-v && chmod 000 $HOME/.claude/projects/-v"), 0);
  const std::string as = unprivileged_program();
  ASSERT_EQ(sh(as + "ls"), 0) << err;
  EXPECT_TRUE(out.contains("a zebra")) << out;
  EXPECT_TRUE(err.contains("projects/-v") && err.contains("cannot be listed")) << err;
  ASSERT_EQ(sh(as + "search zebra"), 0) << err;
  EXPECT_TRUE(err.contains("projects/-v")) << err;
  EXPECT_EQ(sh(as + "doctor"), 5) << out << err;
  EXPECT_TRUE(out.contains("projects/-v")) << out;
}

TEST_F(UnprivilegedUser, OverviewAndStoresSayWhatIsNotCounted) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "a zebra"));
  ASSERT_EQ(sh("mkdir -p $HOME/.pi/agent/sessions && chmod 000 $HOME/.pi/agent/sessions"), 0);
  const std::string as = unprivileged_program();
  ASSERT_EQ(sh(as), 0) << err;
  EXPECT_TRUE(out.contains("1 store could not be read, or only in part")) << out;
  ASSERT_EQ(sh(as + "stores"), 0) << err;
  EXPECT_TRUE(err.contains("pi:") && err.contains("may not be read: sessions")) << err;
}

TEST_F(UnprivilegedUser, UnreadableStoreIsReported) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "a zebra"));
  ASSERT_EQ(sh("mkdir -p $HOME/.codex/sessions && chmod 000 $HOME/.codex"), 0);
  const std::string as = unprivileged_program();
  ASSERT_EQ(sh(as + "ls"), 0) << err;
  EXPECT_TRUE(out.contains("a zebra")) << out;
  EXPECT_TRUE(err.contains("codex") && err.contains("ermission denied")) << err;
  EXPECT_EQ(sh(as + "doctor"), 5) << out << err;
  EXPECT_TRUE(out.contains("codex") || out.contains("Codex")) << out;
}

TEST_F(FirstUse, LinkedFolderDoesNotDuplicateSessions) {
  claude_log(prompt("2026-01-05T12:00:00.000Z", "a zebra"));
  ASSERT_EQ(sh("ln -s $HOME/.claude/projects/-w $HOME/.claude/projects/-linked && $H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  EXPECT_EQ(sh("$H show " + std::string(kId).substr(0, 8)), 0) << err;
  EXPECT_TRUE(out.contains("a zebra")) << out;
}

TEST_F(FirstUse, PipedStatsAreNotTruncatedAndHaveNoBars) {
  const std::string project = "/srv/a/rather/long/path/to/some/project/of/mine/below/many/folders";
  std::string bytes = records({prompt("2026-01-05T12:00:00.000Z", "go"), answer("2026-01-05T12:01:00.000Z", 1000)});
  for (std::size_t at = bytes.find(R"("cwd":"/w")"); at != std::string::npos; at = bytes.find(R"("cwd":"/w")"))
    bytes.replace(at, 10, R"("cwd":")" + project + "\"");
  claude_log(bytes);
  EXPECT_EQ(sh("$H stats --by project"), 0) << err;
  EXPECT_TRUE(out.contains(project)) << out;
  EXPECT_FALSE(out.contains("█")) << out;
  if (!has_tmux()) return;
  open_terminal(80, 24);
  run_line("$H stats --by project");
  EXPECT_TRUE(screen().contains("e/below/many/folders")) << "bars do not shorten a path: " << screen();
  EXPECT_FALSE(screen().contains("█")) << screen();
}

TEST_F(FirstUse, ResumeKeepsMessageOrdinals) {
  const std::string id = create("\"one\"");
  for (const char* text : {"a", "b", "c"}) ASSERT_EQ(sh("$H message append " + id + " --text " + text), 0) << err;
  ASSERT_EQ(sh("$H session resume " + id + " --last 1 --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("ordinal":2)")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
