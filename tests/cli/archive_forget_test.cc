// `holdfast forget --match` removes lines, or a whole session if a line cannot be removed alone. Afterwards
// nothing that Holdfast owns contains the text, whatever the agents still have.
#include <random>

#include "store/small_disk_testing.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 262144;

struct ArchiveForget : CliHome {
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  void append(const std::string& name, const std::string& bytes) {
    std::ofstream(home + "/" + name, std::ios::binary | std::ios::app) << bytes;
  }
  // A line of a session of Claude Code, with `json` as its content.
  std::string line(const std::string& session, int n, const std::string& role, const std::string& json) const {
    const std::string parent = n == 0 ? "null" : "\"u" + std::to_string(n - 1) + "\"";
    return R"({"type":")" + role + R"(","uuid":"u)" + std::to_string(n) + R"(","parentUuid":)" + parent +
           R"(,"sessionId":")" + session + R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:0)" +
           std::to_string(n % 10) + R"(Z","message":{"role":")" + role + R"(","content":)" + json + "}}\n";
  }
  // Returns whether a file below contains `wanted`, unpacked.
  bool is_in_files(const std::string& below, const std::string& wanted) {
    EXPECT_EQ(sh("find $HOME/" + below + " -type f | while read -r f; do case $f in *.zst) zstd -dcq \"$f\";; " +
                 "*) cat \"$f\";; esac; done"),
              0)
        << err;
    return out.find(wanted) != std::string::npos;
  }
  bool has_zstd() { return sh("command -v zstd") == 0; }

  const std::string data = ".local/share/holdfast";
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string folder = ".claude/projects/-desk/";
};

// With task-1 gone, task-1 must not mean task-12.
TEST_F(ArchiveForget, NumberDoesNotAbbreviateALongerOne) {
  write(folder + "task-12.jsonl", line("task-12", 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H archive versions task-12"), 0) << err;
  EXPECT_EQ(sh("$H forget task-1 --yes"), 3) << out;
  EXPECT_TRUE(err.contains("no session task-1") && !out.contains("task-12")) << out << err;
  write(folder + "task-1.jsonl", line("task-1", 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H forget task-1 --yes && $H archive run && $H archive versions task-12"), 0) << err;
  ASSERT_EQ(sh("$H archive versions claude-code/task-1"), 0) << err;
  EXPECT_TRUE(out.starts_with("claude-code/task-12\n")) << out;
  EXPECT_EQ(sh("$H forget task --yes"), 3) << out;
  EXPECT_TRUE(err.contains("ambiguous") && err.contains("\n  claude-code/task-12")) << err;
  ASSERT_EQ(sh("rm $HOME/" + folder + "task-1.jsonl && $H forget task --yes"), 0) << err;
}

TEST_F(ArchiveForget, MatchedSecretsAreErasedAndStayForgotten) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  // hunter2"ü: as plain text, in JSON, and in JSON inside of JSON.
  const std::string plain = "hunter2\"\xC3\xBC", escaped = R"(hunter2\"\u00fc)", twice = R"(hunter2\\\"\\u00fc)";
  std::string kept, all;
  int n = 0;
  const auto add = [&](const std::string& bytes, bool secret) {
    all += bytes;
    if (!secret) kept += bytes;
  };
  add(line(id, n++, "user", "\"the key is " + escaped + ", keep it\""), true);  // the title, and the first prompt
  add(line(id, n++, "assistant", "[{\"type\":\"text\",\"text\":\"noted\"}]"), false);
  add("{\"type\":\"custom-title\",\"customTitle\":\"" + escaped + "\",\"sessionId\":\"" + id + "\"}\n", true);
  add(line(id, n++, "user",
           R"([{"type":"tool_result","tool_use_id":"t","content":"{\"stdout\":\")" + twice + R"(\"}"}])"),
      true);
  // Across the boundary of two blocks.
  const std::string long_line = line(id, n, "user", "\"FILL" + escaped + "\"");
  const std::size_t at = all.size() + long_line.find("FILL") + 4;
  std::string across = long_line;
  across.replace(across.find("FILL"), 4, std::string(kBlock - at + 4 - 3, 'x'));
  ASSERT_EQ((all + across).find("hunter2", kBlock - 10), kBlock - 3);
  ++n;
  add(across, true);
  add(line(id, n++, "user", "\"and now something else\""), false);
  write(folder + id + ".jsonl", all);
  write(folder + id + "/tool-results/x.txt", "first\nPASSWORD=" + plain + "\nlast\n");
  write(folder + "memory/MEMORY.md", "- the key is " + plain + "\n- tabs\n");
  write(folder + other + ".jsonl", line(other, 0, "user", "\"another prompt\""));
  write(".continue/sessions/" + other + ".json",
        "{\"sessionId\":\"" + other + "\",\"title\":\"" + escaped + "\",\"history\":[]}");
  const std::string own = create("\"" + escaped + "\"");
  ASSERT_EQ(sh("$H archive run && $H ls && $H search hunter2 && $H rm " + own + " --yes"), 0) << err;
  ASSERT_TRUE(is_in_files(data, "hunter2") && is_in_files(data + "/archive", "hunter2"));
  write("wanted", plain);
  ASSERT_EQ(sh("$H forget --match \"$(cat $HOME/wanted)\" --dry-run"), 0) << err;
  EXPECT_NE(out.find("lines for good"), std::string::npos) << out;
  EXPECT_NE(out.find("continue/" + other), std::string::npos) << "a document has no line to lose: " << out;
  ASSERT_TRUE(is_in_files(data + "/archive", "hunter2"));

  ASSERT_EQ(sh("$H forget --match \"$(cat $HOME/wanted)\" --yes --json"), 0) << err;
  EXPECT_EQ(field({"still_there"}), "[]") << out;
  EXPECT_NE(field({"holed"}).find(id), std::string::npos) << out;
  EXPECT_NE(field({"forgotten"}).find(other), std::string::npos) << out;
  EXPECT_EQ(field({"lines"}), "6") << out;
  for (const std::string& file :
       {folder + id + ".jsonl", folder + id + "/tool-results/x.txt", ".continue/sessions/" + other + ".json"})
    EXPECT_NE(field({"out_of_reach"}).find(file), std::string::npos) << file << out;
  EXPECT_FALSE(is_in_files(data, "hunter2")) << out;
  EXPECT_FALSE(is_in_files(".cache", "hunter2")) << out;
  EXPECT_EQ(text(folder + id + ".jsonl"), all) << "the agent's own file stays";

  for (int run = 0; run < 10; ++run) {
    const std::string more = "{\"type\":\"mode\",\"n\":" + std::to_string(run) + "}\n";
    add(more, false);
    append(folder + id + ".jsonl", more);
    append(folder + id + "/tool-results/x.txt", "more\n");
    append(folder + "memory/MEMORY.md", "- more\n");
    write(".continue/sessions/" + other + ".json",
          "{\"sessionId\":\"" + other + "\",\"title\":\"" + escaped + std::to_string(run) + "\",\"history\":[]}");
    ASSERT_EQ(sh("$H archive run"), 0) << err;
  }
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  ASSERT_EQ(sh("$H archive compact && $H archive verify"), 0) << out << err;
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  ASSERT_EQ(sh("rm -r $HOME/.claude $HOME/.continue && $H restore aaaaaaaa --memory --json"), 0) << err;
  EXPECT_NE(out.find("some of its lines were forgotten"), std::string::npos) << out;
  EXPECT_EQ(text(folder + id + ".jsonl"), kept);
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += "more\n";
  EXPECT_EQ(text(folder + id + "/tool-results/x.txt"), "first\nlast\n" + ten);
  EXPECT_EQ(text(folder + "memory/MEMORY.md").find("- tabs\n- more\n"), 0U);
  ASSERT_EQ(sh("$H show aaaaaaaa"), 0) << err;
  EXPECT_NE(out.find("and now something else"), std::string::npos) << out;
  EXPECT_EQ(sh("$H restore continue/" + other), 3) << out;
  EXPECT_EQ(sh("$H restore claude-code/" + other), 0) << err;
}

// Lines that were captured once, but are no longer in the file, are removed as well.
TEST_F(ArchiveForget, RemovesMatchingLinesFromOlderVersions) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\"") + line(id, 1, "user", "\"hunter2\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  const std::string now = line(id, 0, "user", "\"hello\"") + line(id, 1, "user", "\"something else, and longer\"");
  write(folder + id + ".jsonl", now);
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_TRUE(is_in_files(data + "/archive", "hunter2"));
  ASSERT_EQ(sh("$H forget --match hunter2 --yes --json"), 0) << err;
  EXPECT_EQ(field({"lines"}), "1") << out;
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  ASSERT_EQ(sh("rm -r $HOME/.claude && $H restore aaaaaaaa && $H archive verify"), 0) << err;
  EXPECT_EQ(text(folder + id + ".jsonl"), now);
}

// The cache may contain the text as long as the agent does, and no longer.
TEST_F(ArchiveForget, CacheDropsTextOnceAgentFileIsGone) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hunter2Zebra\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H forget --match hunter2Zebra --yes && $H ls"), 0) << err;
  ASSERT_EQ(sh("rm $HOME/" + folder + id + ".jsonl && $H ls && $H archive run"), 0) << err;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.cache $HOME/.local"), 0) << out;
}

// The same holds for the counts, which contain titles.
TEST_F(ArchiveForget, CachedStatsDropTitleOnceAgentFileIsGone) {
  write(folder + id + ".jsonl", R"({"type":"summary","summary":"Title hunter2Zebra","leafUuid":"u0"})"
                                "\n" +
                                    line(id, 0, "user", "\"hello\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H forget --match hunter2Zebra --yes && $H ls && $H stats && $H search hello"), 0);
  ASSERT_EQ(sh("grep -rl hunter2Zebra $HOME/.cache"), 0) << "as long as the agent has it";
  // The second time, the cache is cleared, not reported as out of reach.
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes"), 0) << err;
  EXPECT_FALSE(out.contains(home + "/.cache")) << out;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.cache"), 0) << out;
  ASSERT_EQ(sh("$H ls && $H stats && $H search hello"), 0) << err;
  ASSERT_EQ(sh("rm $HOME/" + folder + id + ".jsonl && $H ls && $H archive run"), 0) << err;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.cache $HOME/.local"), 0) << out;
}

// A person's notes on a session are removed with it, and so are earlier versions of the notes.
TEST_F(ArchiveForget, RemovesNotesOfForgottenSession) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H rename aaaa hunter2Zebra && $H tag aaaa zebra2 && $H rename bbbb kept"), 0) << err;
  ASSERT_EQ(sh("$H forget aaaa --yes"), 0) << err;
  EXPECT_NE(sh("grep -rlE 'hunter2Zebra|zebra2' $HOME/.local $HOME/.cache"), 0) << out;
  ASSERT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(out.contains("kept")) << out;
}

// The archive forgets all files with one id together; each has notes of its own.
TEST_F(ArchiveForget, RemovesNotesOfFurtherFilesWithTheId) {
  write(".claude/projects/-a/" + id + ".jsonl", line(id, 0, "user", "\"hello\""));
  write(".claude/projects/-b/" + id + ".jsonl", line(id, 0, "user", "\"hello\"") + line(id, 1, "user", "\"more\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H rename " + id + "@-a hunter2Zebra && $H rename bbbb kept"), 0) << err;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 0) << err;
  ASSERT_EQ(sh("$H forget " + id + " --yes"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2Zebra"));
  EXPECT_TRUE(is_in_files(data + "/notes", "kept"));
}

// Titles and tags that contain the text are removed from the notes of sessions that stay.
TEST_F(ArchiveForget, RemovesTextFromNotes) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H rename aaaa 'my hunter2Zebra' && $H tag aaaa fine && $H tag bbbb hunter2zebra"), 0)
      << err;
  ASSERT_EQ(sh("$H forget --match hunter2zebra --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("would remove it from your notes about claude-code/" + other)) << out;
  ASSERT_TRUE(is_in_files(data, "hunter2zebra")) << "it only looked";
  ASSERT_EQ(sh("$H forget --match hunter2zebra --yes"), 0) << err;
  EXPECT_TRUE(out.contains("removed from your notes about claude-code/" + other)) << out;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes"), 0) << err;
  EXPECT_FALSE(out.contains("notes.json") || out.contains("nothing was forgotten")) << out;
  EXPECT_FALSE(is_in_files(data, "hunter2Zebra") || is_in_files(data, "hunter2zebra")) << out;
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"fine\"") && out.contains(id) && out.contains(other)) << "the rest stays: " << out;
  EXPECT_EQ(sh("$H forget --match hunter2Zebra --yes"), 1) << out << err;
}

// No line can be removed that would take the text out of the session's row.
TEST_F(ArchiveForget, ForgetsEntireSessionOfMatchingProject) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"look into /srv/proj\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));  // no run has captured it
  ASSERT_EQ(sh("$H forget --match srv/proj --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("would remove 2 sessions")) << out;
  ASSERT_EQ(sh("$H forget --match srv/proj --yes"), 0) << out << err;
  EXPECT_TRUE(out.contains("forgot 2 sessions") && !out.contains("still in the archive")) << out;
  EXPECT_FALSE(out.contains("log.jsonl")) << out;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "srv/proj")) << out;
  ASSERT_EQ(sh("$H forget --match srv/proj --yes"), 0) << err;
  EXPECT_TRUE(out.contains("nothing was forgotten")) << out;
}

// A dry run also reports what would be removed from Holdfast's own copies.
TEST_F(ArchiveForget, DryRunChecksHoldfastsOwnCopies) {
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  const std::string own = create("\"hunter2Zebra\"");
  ASSERT_EQ(sh("$H archive run --store claude-code:$HOME/.claude && $H rm " + own + " --yes"), 0) << err;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("would do nothing")) << out;
  ASSERT_TRUE(is_in_files(data, "hunter2Zebra")) << "it only looked";
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2Zebra"));
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 1) << err;
  EXPECT_TRUE(out.contains("would do nothing")) << out;
}

// The agent's own file still contains what was forgotten: out of reach, but found.
TEST_F(ArchiveForget, DryRunAndRunAgreeOnWhatWasForgottenBefore) {
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hunter2Zebra\""));
  const std::string file = home + "/" + folder + other + ".jsonl";
  const std::string none = "the archive does not contain that text and would not capture it";
  ASSERT_EQ(sh("$H archive run && $H forget --match hunter2Zebra --yes"), 0) << err;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("would do nothing: " + none + "; out of reach: " + file)) << out;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes"), 0) << err;
  EXPECT_TRUE(out.contains("nothing was forgotten: " + none) && out.contains(file)) << out;
  fs::remove(file);
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 1) << err;
  EXPECT_TRUE(out.contains("would do nothing: " + none + "\n")) << out;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes"), 1) << err;
  EXPECT_TRUE(out.contains("nothing was forgotten: " + none)) << out;
}

TEST_F(ArchiveForget, MatchInCompressedLogForgetsEntireSession) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  const std::string log = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
  write(
      log,
      R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":")" + id +
          R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv/p"}})"
          "\n"
          R"({"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"hunter2"}})"
          "\n");
  ASSERT_EQ(sh("zstd -q --rm $HOME/" + log + " && $H archive run --json"), 0) << err;
  ASSERT_EQ(field({"captured"}), "1") << out;
  ASSERT_EQ(sh("$H forget --match hunter2 --yes --json"), 0) << err;
  EXPECT_NE(field({"forgotten"}).find(id), std::string::npos) << out;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << out;
}

// Matching lines that an agent wrote since the last run are not captured by the next one.
TEST_F(ArchiveForget, MatchingUncapturedLinesAreNeverCaptured) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  append(folder + id + ".jsonl", line(id, 1, "user", "\"hunter2\"") + line(id, 2, "user", "\"more\""));
  ASSERT_EQ(sh("$H forget --match hunter2 --yes --json && $H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  ASSERT_EQ(sh("rm -r $HOME/.claude && $H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(folder + id + ".jsonl"), line(id, 0, "user", "\"hello\"") + line(id, 2, "user", "\"more\""));
}

// Nor are sessions that were never captured: line by line, or as a whole if no line can be removed alone.
TEST_F(ArchiveForget, MatchAppliesToUncapturedSessions) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + id + ".jsonl", line(id, 0, "user", R"("hunter2\"x")") + line(id, 1, "user", "\"more\""));
  write(folder + id + "/tool-results/x.txt", "first\nPASSWORD=hunter2\"x\nlast\n");
  write(".continue/sessions/" + other + ".json",
        "{\"sessionId\":\"" + other + R"(","title":"hunter2\"x","history":[]})");
  ASSERT_EQ(sh("$H forget --match 'hunter2\"x' --dry-run"), 0) << err;
  EXPECT_NE(out.find("2 lines for good"), std::string::npos) << out;
  EXPECT_NE(out.find("continue/" + other), std::string::npos) << out;
  ASSERT_EQ(sh("$H forget --match 'hunter2\"x' --yes"), 0) << err;
  EXPECT_NE(out.find("forgot 1 session: continue/" + other), std::string::npos) << out;
  EXPECT_NE(out.find("forgot 2 lines that would have been captured next"), std::string::npos) << out;
  for (const std::string& file :
       {folder + id + ".jsonl", folder + id + "/tool-results/x.txt", ".continue/sessions/" + other + ".json"})
    EXPECT_NE(out.find(file), std::string::npos) << file << out;
  EXPECT_EQ(out.find(folder + other), std::string::npos) << "it holds nothing: " << out;
  for (int run = 0; run < 3; ++run) ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  ASSERT_EQ(sh("$H forget --match 'hunter2\"x' --yes"), 0) << err;
  EXPECT_NE(out.find("nothing was forgotten"), std::string::npos) << "it is known: " << out;
  ASSERT_EQ(sh("rm -r $HOME/.claude $HOME/.continue && $H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(text(folder + id + ".jsonl"), line(id, 1, "user", "\"more\""));
  EXPECT_EQ(text(folder + id + "/tool-results/x.txt"), "first\nlast\n");
  EXPECT_EQ(sh("$H restore continue/" + other), 3) << out;
}

TEST_F(ArchiveForget, NamesEverySessionThatLosesLines) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\"") + line(id, 1, "user", "\"hunter2\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hunter2 again\""));
  ASSERT_EQ(sh("$H forget --match hunter2 --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("out of claude-code/" + id + "; also out of claude-code/" + other +
                           ", which would have been "
                           "captured next"))
      << out;
  ASSERT_EQ(sh("$H forget --match hunter2 --yes"), 0) << err;
  EXPECT_TRUE(out.starts_with("forgot 2 lines out of claude-code/" + id +
                              ", and lines that would have been captured next out of claude-code/" + other + "\n"))
      << out;
  append(folder + other + ".jsonl", line(other, 1, "user", "\"hunter2 once more\""));
  ASSERT_EQ(sh("$H forget --match hunter2 --yes"), 0) << err;
  EXPECT_TRUE(out.starts_with("forgot 1 line that would have been captured next out of claude-code/" + other + "\n"))
      << out;
}

TEST_F(ArchiveForget, ForgottenUncapturedSessionIsNeverCaptured) {
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hunter2Zebra\""));
  write(folder + id + "/subagents/agent-1.jsonl", line(id, 0, "user", "\"hunter2Zebra too\""));
  ASSERT_EQ(sh("$H forget aaaa --yes"), 0) << err;
  EXPECT_NE(out.find("forgot 1 session: claude-code/" + id), std::string::npos) << out;
  EXPECT_NE(out.find(folder + id + ".jsonl"), std::string::npos) << out;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << out;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/" + data), 0) << out;
  EXPECT_EQ(sh("$H forget zzzz --yes"), 3) << out;
  const std::string own = create("\"mine\"");
  ASSERT_EQ(sh("$H forget " + own + " --yes"), 0) << err;
  EXPECT_NE(out.find("/" + own), std::string::npos) << "where it still is: " << out;
}

// rescue keeps the damaged file and, after an undo, the repaired one: both have what the session has.
TEST_F(ArchiveForget, NamesWhatRescueKept) {
  for (const std::string& one : {id, other}) {
    write(folder + one + ".jsonl", line(one, 0, "user", "\"zebra-quux-77 is first\"") + std::string(4, '\0') + "\n" +
                                       line(one, 1, "user", "\"second\""));
    if (one == id) {
      ASSERT_EQ(sh("$H archive run"), 0) << err;
    }
    ASSERT_EQ(sh("touch -d '1 hour ago' $HOME/" + folder + one + ".jsonl"), 0) << err;
    for (const char* const how : {"--install", "--undo", "--install"})
      ASSERT_EQ(sh("$H rescue claude-code/" + one + " " + how + " --yes"), 0) << out << err;
  }
  const auto names_all = [&](const std::string& one) {
    for (const char* const ending : {".jsonl\n", ".jsonl.damaged\n", ".jsonl.rescued\n"}) {
      const std::size_t at = out.find(folder + one + ending);
      EXPECT_NE(at, std::string::npos) << ending << out;
      EXPECT_EQ(out.find(folder + one + ending, at + 1), std::string::npos) << ending << out;
    }
  };
  ASSERT_EQ(sh("$H forget " + other + " --yes"), 0) << err;
  names_all(other);
  ASSERT_EQ(sh("$H forget --match zebra-quux-77 --yes"), 0) << err;
  names_all(id);
  names_all(other);
  ASSERT_EQ(sh("$H forget " + id + " --yes"), 0) << err;
  names_all(id);
}

TEST_F(ArchiveForget, NamesFileOfOwnStoreOnce) {
  const std::string own = create("\"zebra-quux-77\"");
  ASSERT_EQ(sh("$H message append " + own + " 'zebra-quux-77 again' && $H archive run"), 0) << err;
  ASSERT_EQ(sh("$H forget --match zebra-quux-77 --yes"), 0) << err;
  const std::string name = own + "/messages.jsonl";
  const std::size_t at = out.find(name);
  ASSERT_NE(at, std::string::npos) << out;
  EXPECT_EQ(out.find(name, at + 1), std::string::npos) << out;
}

// Killed after noting what to remove, before removing anything: the next run finishes it, without being given the text.
TEST_F(ArchiveForget, NextRunCompletesInterruptedForget) {
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\"") + line(id, 1, "user", "\"hunter2\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"hunter2 again\""));
  ASSERT_EQ(sh("$H archive run && cp -r $HOME/" + data + "/archive $HOME/before"), 0) << err;
  ASSERT_EQ(sh("$H forget bbbbbbbb --yes && $H forget --match hunter2 --yes"), 0) << err;
  std::string list = text(data + "/archive/forgotten.json");
  const std::string salt = R"("lines":{"salt":)";
  ASSERT_NE(list.find(salt), std::string::npos) << list;
  EXPECT_EQ(list.find("hunter2"), std::string::npos) << list;
  list.replace(list.find(salt), salt.size(), R"("lines":{"pending":true,"salt":)");
  write("before/forgotten.json", list);
  ASSERT_EQ(sh("rm -r $HOME/" + data + "/archive && cp -r $HOME/before $HOME/" + data + "/archive"), 0) << err;
  ASSERT_TRUE(is_in_files(data + "/archive", "hunter2"));
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2"));
  EXPECT_EQ(text(data + "/archive/forgotten.json").find("pending"), std::string::npos);
  EXPECT_EQ(sh("rm -r $HOME/.claude; $H restore bbbbbbbb"), 3) << out;
  ASSERT_EQ(sh("$H restore aaaaaaaa && $H archive verify"), 0) << err;
  EXPECT_EQ(text(folder + id + ".jsonl"), line(id, 0, "user", "\"hello\""));
}

TEST_F(ArchiveForget, WithoutSpaceNothingIsLeftBehindAndRunsGoOn) {
  const SmallDisk disk(home + "/small");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  write(".config/holdfast/config.toml", "[archive]\nmin_free = \"0\"\n");
  std::mt19937 random(7);
  for (int n = 0; n < 4; ++n) {
    std::string noise;
    while (noise.size() < 60'000) noise += static_cast<char>('A' + random() % 26U);
    claude("dddd000" + std::to_string(n) + "-0000-4000-8000-000000000001", "\"" + noise + "\"");
  }
  const std::string in_small = "export XDG_DATA_HOME=$HOME/small; ";
  const std::string sizes = "cat $HOME/small/holdfast/archive/packs/*.zst | wc -c";
  ASSERT_EQ(sh(in_small + "$H archive run"), 0) << err;
  // Leaves less than the other three sessions need.
  ASSERT_EQ(sh("free=$(df -k --output=avail $HOME/small | tail -n 1); head -c $((free - 60))k /dev/zero > "
               "$HOME/small/filler; " +
               sizes),
            0)
      << err;
  const std::string before = out;
  ASSERT_EQ(sh(in_small + "$H forget dddd0000 --yes"), 5) << out;
  EXPECT_TRUE(err.contains("free; nothing is removed from the archive yet, but it will not be captured again")) << err;
  ASSERT_EQ(sh(sizes), 0) << err;
  EXPECT_EQ(out, before);
  ASSERT_EQ(sh(in_small + "$H archive status"), 0) << err;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive")) << err;
  // The next run cannot finish it, but captures what is new.
  claude(id, "\"something new\"");
  ASSERT_EQ(sh(in_small + "$H archive run"), 0) << err;
  EXPECT_TRUE(out.contains("captured changes in 1 of 5 sessions")) << out;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive until a run finds that much space")) << err;
  ASSERT_EQ(sh(in_small + "rm $HOME/small/filler && $H archive run && $H archive status"), 0) << err;
  EXPECT_FALSE(err.contains("forgotten")) << err;
  ASSERT_EQ(sh(in_small + "rm -r $HOME/.claude; $H archive verify"), 0) << out << err;
  EXPECT_EQ(sh(in_small + "$H restore dddd0000"), 3) << out;
  EXPECT_EQ(sh(in_small + "$H restore dddd0001 && $H restore aaaaaaaa"), 0) << err;
}

// Also what is forgotten while an earlier forget waits for space, and the notes of it.
TEST_F(ArchiveForget, WithoutSpaceSeveralForgetsWaitForTheNextRun) {
  const SmallDisk disk(home + "/small");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  if (!has_zstd()) GTEST_SKIP() << "zstd is not installed";
  write(".config/holdfast/config.toml", "[archive]\nmin_free = \"0\"\n");
  std::mt19937 random(7);
  std::string noise;
  while (noise.size() < 200'000) noise += static_cast<char>('A' + random() % 26U);
  write(folder + id + ".jsonl", line(id, 0, "user", "\"first hunter2\"") + line(id, 1, "user", "\"then hunter3\"") +
                                    line(id, 2, "user", "\"" + noise + "\""));
  write(folder + other + ".jsonl", line(other, 0, "user", "\"zebra\""));
  const std::string in_small = "export XDG_DATA_HOME=$HOME/small; ";
  ASSERT_EQ(sh(in_small + "$H archive run && $H rename aaaa 'about hunter3' && $H tag bbbb zebra2 && "
                          "free=$(df -k --output=avail $HOME/small | tail -n 1) && "
                          "head -c $((free - 60))k /dev/zero > $HOME/small/filler"),
            0)
      << err;
  for (const std::string what : {"--match hunter2", "--match hunter3", "bbbbbbbb"}) {
    EXPECT_EQ(sh(in_small + "$H forget " + what + " --yes"), 5) << what << out;
    EXPECT_TRUE(err.contains("nothing is removed from the archive yet, but it will not be captured again"))
        << what << err;
  }
  EXPECT_NE(sh("grep -rlE 'hunter3|zebra2' $HOME/small/holdfast/notes"), 0) << out;
  EXPECT_EQ(sh(in_small + "$H forget --match hunter9 --yes"), 1) << out;
  EXPECT_TRUE(err.contains("what was forgotten before is still in the archive")) << err;
  ASSERT_EQ(sh(in_small + "$H archive status"), 0) << err;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive")) << err;
  ASSERT_EQ(sh(in_small + "rm $HOME/small/filler && $H archive run"), 0) << err;
  EXPECT_TRUE(err.contains("what was left of an interrupted forget is removed")) << err;
  for (const std::string what : {"hunter2", "hunter3", "zebra"}) EXPECT_FALSE(is_in_files("small", what)) << what;
  ASSERT_EQ(sh(in_small + "$H archive verify && $H archive status"), 0) << out << err;
  EXPECT_FALSE(err.contains("forgotten")) << err;
}

// Without space even for the list of what is forgotten, the error says that nothing was recorded.
TEST_F(ArchiveForget, SaysThatNothingWasRecorded) {
  const SmallDisk disk(home + "/small");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  write(".config/holdfast/config.toml", "[archive]\nmin_free = \"0\"\n");
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hunter2\""));
  const std::string in_small = "export XDG_DATA_HOME=$HOME/small; ";
  ASSERT_EQ(sh(in_small + "$H archive run; head -c 1M /dev/zero > $HOME/small/filler; true"), 0) << err;
  EXPECT_EQ(sh(in_small + "$H forget --match hunter2 --yes"), 5) << out;
  EXPECT_TRUE(err.contains("this is not recorded")) << err;
}

// Killed after the log was replaced: what belongs to the session elsewhere is still to go.
TEST_F(ArchiveForget, NextRunRemovesNotesOfInterruptedForget) {
  write(folder + id + ".jsonl", line(id, 0, "user", "\"hello\""));
  ASSERT_EQ(sh("$H archive run && $H forget aaaaaaaa --yes && $H rename aaaaaaaa hunter2Zebra"), 0) << err;
  std::string list = text(data + "/archive/forgotten.json");
  const std::size_t from = list.find("[{"), to = list.find("}]", from);
  ASSERT_NE(from, std::string::npos) << list;
  list.insert(1, "\"unfinished\":" + list.substr(from, to + 2 - from) + ",");
  write(data + "/archive/forgotten.json", list);
  ASSERT_EQ(sh("cp $HOME/" + data + "/notes/notes.json $HOME/notes.json"), 0) << err;
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_TRUE(err.contains("what was forgotten is still in the archive")) << err;
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2Zebra"));
  EXPECT_FALSE(text(data + "/archive/forgotten.json").contains("unfinished"));
  // Killed between removing the note and removing its earlier version.
  write(data + "/archive/forgotten.json", list);
  ASSERT_EQ(sh("mv $HOME/notes.json $HOME/" + data + "/notes/.holdfast/backup/notes.json && $H archive run"), 0) << err;
  EXPECT_FALSE(is_in_files(data, "hunter2Zebra"));
}

}  // namespace
}  // namespace holdfast::inline v1
