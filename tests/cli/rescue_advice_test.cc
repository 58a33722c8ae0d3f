// verify advises a rescue only if one would change something, and a rescue that changes nothing says why.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct RescueAdvice : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
};

const std::string kPi = "01a1dcca-0000-4000-8000-000000000001";
const std::string kPiLog = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + kPi + ".jsonl";

std::string pi_log() {
  const auto message = [](const std::string& id, const std::string& parent, const std::string& said) {
    return R"({"type":"message","id":")" + id + R"(","parentId":)" + parent +
           R"(,"timestamp":"2026-01-01T00:00:00Z","message":)" + said + "}\n";
  };
  return R"({"type":"session","version":3,"id":")" + kPi + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" +
         "\n" + message("a", "null", R"({"role":"user","content":"go"})") +
         message("b", "\"a\"",
                 R"({"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash",)"
                 R"("arguments":{"command":"ls"}}],"stopReason":"toolUse"})") +
         message("d", "\"b\"", R"({"role":"assistant","content":[{"type":"text","text":"done"}],"stopReason":"stop"})");
}

TEST_F(RescueAdvice, NoRescueIsAdvisedForOrphanCallAlone) {
  put(kPiLog, pi_log());
  EXPECT_EQ(sh("$H verify 01a1dcca"), 4) << out;
  EXPECT_TRUE(out.contains("orphan_call")) << out;
  EXPECT_FALSE(err.contains("rescue")) << err;
  EXPECT_EQ(sh("$H rescue 01a1dcca --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("holdfast verify reports (orphan_call)") && out.contains("nothing was changed")) << out;
  EXPECT_EQ(text(kPiLog), pi_log());
  // Beside damage, a rescue is advised.
  put(kPiLog, pi_log() + "{\"torn\n");
  EXPECT_EQ(sh("$H verify 01a1dcca"), 4) << out;
  EXPECT_TRUE(err.contains("holdfast rescue pi/" + kPi + " --install")) << err;
}

// The output of a tool is in a file of its own, which rescue neither restores nor replaces.
TEST_F(RescueAdvice, NoRescueIsAdvisedForOutputBesideSession) {
  const std::string id = "7772ed23-0000-4000-8000-000000000001", folder = ".claude/projects/-desk/" + id;
  const std::string log =
      R"({"type":"assistant","uuid":"a","parentUuid":null,"sessionId":")" + id +
      R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","model":"m","content":[)"
      R"({"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}})"
      "\n"
      R"({"type":"user","uuid":"u","parentUuid":"a","sessionId":")" +
      id +
      R"(","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":[{"type":"tool_result",)"
      R"("tool_use_id":"t","content":"<persisted-output>\nOutput too large (48.9KB). Full output saved to: )"
      R"(/x/tool-results/t.txt\n\nPreview (first 2KB):\nthe preview\n</persisted-output>"}]}})"
      "\n";
  put(folder + ".jsonl", log);
  const auto advises_nothing = [&](const std::string& kind) {
    SCOPED_TRACE(kind);
    EXPECT_EQ(sh("$H verify"), 4) << out;
    EXPECT_TRUE(out.contains(kind)) << out;
    EXPECT_FALSE(err.contains("rescue")) << err;
    EXPECT_EQ(sh("$H show 7772"), 0) << err;
    EXPECT_TRUE(err.contains("only the preview of a large tool result is shown") && !err.contains("rescue")) << err;
    EXPECT_EQ(sh("$H rescue 7772 --install --yes"), 0) << err;
    EXPECT_TRUE(out.contains("holdfast verify reports (" + kind + ")")) << out;
    EXPECT_EQ(text(folder + ".jsonl"), log);
  };
  advises_nothing("missing");
  put("elsewhere", "all of the output");
  fs::create_directories(home + "/" + folder + "/tool-results");
  fs::create_symlink(home + "/elsewhere", home + "/" + folder + "/tool-results/t.txt");
  advises_nothing("unsafe_output");
  // Beside damage, a rescue is advised.
  put(folder + ".jsonl", log + "{\"torn\n");
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(err.contains("holdfast rescue claude-code/" + id + " --install")) << err;
}

TEST_F(RescueAdvice, ReorderedCodexLinesAreNotMissing) {
  const std::string id = "01a1dcc0-9ebc-73b3-8a62-b637f0a9ebc9";
  const std::string log = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl";
  std::vector<std::string> lines;
  const auto add = [&](const std::string& type, const std::string& payload) {
    lines.push_back(R"({"timestamp":"2026-01-01T00:00:00Z","ordinal":)" + std::to_string(lines.size()) +
                    R"(,"type":")" + type + R"(","payload":)" + payload + "}\n");
  };
  add("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
  for (int n = 0; n < 10; ++n)
    add("response_item", R"({"type":"message","role":"user","content":[{"type":"input_text","text":"turn )" +
                             std::to_string(n) + R"("}]})");
  const auto all = [&] {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  };
  std::swap(lines[3], lines[8]);
  put(log, all());
  EXPECT_EQ(sh("$H verify 01a1dcc0 --json"), 0) << out;
  EXPECT_TRUE(out.contains("none is missing")) << out;
  lines.erase(lines.begin() + 5);
  put(log, all());
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  EXPECT_TRUE(out.contains("1 record is missing here")) << out;
}

// Nothing can be copied from a log that was cut in its first record.
TEST_F(RescueAdvice, NoRescueIsAdvisedWithoutWholeRecord) {
  const std::string id = "01a1dcc0-9ebc-73b3-8a62-b637f0a9ebc9";
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
      R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":")" + id);
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(out.contains("truncated")) << out;
  EXPECT_FALSE(err.contains("rescue")) << err;
}

// A repair cannot bring back what is lost. Records that come again elsewhere make the numbers jump once more.
TEST_F(RescueAdvice, LostCodexRecordStaysLostAfterRepair) {
  const std::string id = "01a1dcc0-9ebc-73b3-8a62-b637f0a9ebc9";
  std::vector<std::string> lines;
  const auto add = [&](const std::string& type, const std::string& payload) {
    lines.push_back(R"({"timestamp":"2026-01-01T00:00:00Z","ordinal":)" + std::to_string(lines.size()) +
                    R"(,"type":")" + type + R"(","payload":)" + payload + "}\n");
  };
  add("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
  for (int n = 0; n < 10; ++n)
    add("response_item", R"({"type":"message","role":"user","content":[{"type":"input_text","text":"turn )" +
                             std::to_string(n) + R"("}]})");
  add("turn_context", R"({"cwd":"/p","model":"m"})");
  std::string log;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (n == 7) continue;
    log += n == 2 ? lines[n].substr(0, lines[n].size() - 1) : lines[n];  // runs into the next one
    if (n == 4) log += lines.back();
  }
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl", log);
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  ASSERT_EQ(sh("$H rescue 01a1dcc0 --install --yes"), 0) << err;
  EXPECT_EQ(sh("$H verify 01a1dcc0 --json"), 0) << out;
  EXPECT_TRUE(out.contains("1 record is missing here; lost before the repair")) << out;
}

// Codex keeps the id of a record inside it.
TEST_F(RescueAdvice, RepeatedCodexRecordIsLeftOut) {
  const std::string id = "01a1dcc0-9ebc-73b3-8a62-b637f0a9ebc9";
  const auto line = [](const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
  };
  for (const std::string own : {R"("id":"fco_1",)", ""}) {
    SCOPED_TRACE(own);
    const std::string output =
        line("response_item", R"({"type":"function_call_output",)" + own + R"("call_id":"c1","output":"seen"})");
    put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
        line("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
            line("response_item", R"({"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]})") +
            line("response_item", R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})") +
            "{\"torn" + output + output +
            line("response_item",
                 R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]})"));
    EXPECT_EQ(sh("rm -f $HOME/copy; $H rescue 01a1dcc0 -o $HOME/copy --json"), 0) << err;
    EXPECT_EQ(field({"repeated"}), "1") << out;
    EXPECT_EQ(sh("grep -c function_call_output $HOME/copy"), 0);
    EXPECT_EQ(out, "1\n");
  }
}

// The history of a fork is in the file of its parent.
TEST_F(RescueAdvice, MissingCodexParentIsNamed) {
  const std::string parent = "01a1dcc0-07b9-73b3-8a62-b637f0a9ebc9", fork = "01a1dcc0-f0a4-7461-8065-8a845cefe8b7";
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-01-00-" + fork + ".jsonl",
      R"({"timestamp":"2026-01-01T00:01:00Z","ordinal":5,"type":"session_meta","payload":{"id":")" + fork +
          R"(","timestamp":"2026-01-01T00:01:00Z","cwd":"/p","forked_from_id":")" + parent +
          R"(","history_base":{"thread_id":")" + parent + R"(","end_ordinal_exclusive":5}}})" + "\n" +
          R"({"timestamp":"2026-01-01T00:01:01Z","ordinal":6,"type":"response_item","payload":{"type":"message",)"
          R"("role":"user","content":[{"type":"input_text","text":"go"}]}})" +
          "\n");
  for (const char* words : {"$H verify 01a1dcc0", "$H show 01a1dcc0", "$H export 01a1dcc0"}) {
    SCOPED_TRACE(words);
    EXPECT_EQ(sh(words), std::string(words).contains("verify") ? 4 : 0) << err;
    EXPECT_TRUE((out + err).contains("run holdfast restore codex/" + parent)) << out << err;
    EXPECT_FALSE((out + err).contains("rescue")) << out << err;
  }
}

// After a rewind, Codex continues a thread in another file.
struct RescueThread : RescueAdvice {
  static std::string line(const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
  }
  static std::string said(const std::string& role, const std::string& text) {
    const std::string kind = role == "user" ? "input_text" : "output_text";
    return line("response_item", R"({"type":"message","role":")" + role + R"(","content":[{"type":")" + kind +
                                     R"(","text":")" + text + R"("}]})");
  }
  const std::string id = "01a1dcc0-9ebc-73b3-8a62-b637f0a9ebc9";
  const std::string folder = ".codex/sessions/2026/01/01/rollout-2026-01-01T00-";
  const std::string first = folder + "00-00-" + id + ".jsonl";
  const std::string segment = folder + "10-00-" + id + "_01a1dcc0-aaaa-73b3-8a62-b637f0a9ebc9.jsonl";
  const std::string meta =
      line("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})");
};

TEST_F(RescueThread, RepairsSegment) {
  const std::string damaged = meta + said("user", "second") + "{\"torn\n" + said("assistant", "newest");
  put(first, meta + said("user", "first") + said("assistant", "older"));
  put(segment, damaged);
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 4) << out;
  EXPECT_TRUE(err.contains("--install")) << err;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 -o $HOME/copy --json"), 0) << err;
  EXPECT_TRUE(out.contains("the session continues in " + home + "/" + segment)) << out;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("the damaged file is kept as " + home + "/" + segment + ".damaged")) << out;
  EXPECT_EQ(text(segment), meta + said("user", "second") + said("assistant", "newest"));
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 0) << out;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("the session is not damaged; nothing was changed")) << out;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --undo --yes"), 0) << err;
  EXPECT_EQ(text(segment), damaged);
}

TEST_F(RescueThread, RepairsEveryFileAtOnce) {
  const std::string older = meta + said("user", "first") + "{\"torn\n" + said("assistant", "older");
  const std::string newer = meta + said("user", "second") + "{\"torn\n" + said("assistant", "newest");
  put(first, older);
  put(segment, newer);
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --install --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(home + "/" + first + " (") && out.contains("; the same for " + home + "/" + segment + " ("))
      << out;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --install --yes"), 0) << err;
  for (const std::string& file : {first, segment})
    EXPECT_TRUE(out.contains("the damaged file is kept as " + home + "/" + file + ".damaged\n")) << out;
  EXPECT_EQ(sh("$H verify 01a1dcc0"), 0) << out;
  EXPECT_EQ(text(first + ".damaged"), older);
  EXPECT_EQ(text(segment + ".damaged"), newer);
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --undo --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("; the same for " + home + "/" + segment + " (")) << out;
  EXPECT_EQ(sh("$H rescue 01a1dcc0 --undo --yes"), 0) << err;
  for (const std::string& file : {first, segment})
    EXPECT_TRUE(out.contains("the repaired copy is kept as " + home + "/" + file + ".rescued\n")) << out;
  EXPECT_EQ(text(first), older);
  EXPECT_EQ(text(segment), newer);
  // Only the named file.
  EXPECT_EQ(sh("$H rescue $HOME/" + segment + " --install --yes --json"), 0) << err;
  EXPECT_FALSE(out.contains("\"more\"")) << out;
  EXPECT_EQ(text(first), older);
  EXPECT_NE(text(segment), newer);
}

// What is repaired stays repaired.
TEST_F(RescueThread, FileThatCannotBeRepairedIsNamed) {
  const std::string newer = meta + said("user", "second") + "{\"torn\n" + said("assistant", "newest");
  put(first, meta + said("user", "first") + "{\"torn\n" + said("assistant", "older"));
  put(segment, newer);
  EXPECT_EQ(sh("exec 9>>\"$HOME/" + segment + "\"; $H rescue 01a1dcc0 --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("the damaged file is kept as " + home + "/" + first + ".damaged\n")) << out;
  EXPECT_TRUE(err.contains(segment + " is part of the session too, and was left as it is: process ")) << err;
  EXPECT_EQ(text(first), meta + said("user", "first") + said("assistant", "older"));
  EXPECT_EQ(text(segment), newer);
}

TEST_F(RescueAdvice, NamesEachDamagedSession) {
  put(kPiLog, pi_log() + "{\"torn\n");
  const std::string id = "7772ed23-0000-4000-8000-000000000001";
  claude(id, "\"hello\"");
  put(".claude/projects/-desk/" + id + ".jsonl", text(".claude/projects/-desk/" + id + ".jsonl") + "{\"torn\n");
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(err.contains("holdfast rescue claude-code/" + id + " --install") &&
              err.contains("; the same for pi/" + kPi))
      << err;
  EXPECT_FALSE(err.contains(" ID ")) << err;
}

TEST_F(RescueAdvice, DamageAtByteZeroIsLocated) {
  const std::string id = "7772ed23-0000-4000-8000-000000000001", log = ".claude/projects/-desk/" + id + ".jsonl";
  claude(id, "\"hello\"");
  put(log, "nothing\n" + text(log));
  EXPECT_EQ(sh("$H verify 7772"), 4) << out;
  EXPECT_TRUE(out.contains("at 0")) << out;
  EXPECT_EQ(sh("$H show 7772"), 0) << err;
  EXPECT_TRUE(err.contains(", byte 0: a line that is not a JSON object")) << err;
}

TEST_F(RescueAdvice, MissingArchiveVersionIsNamed) {
  const std::string id = "7772ed23-0000-4000-8000-000000000001";
  claude(id, "\"hello\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  EXPECT_EQ(sh("$H restore 7772 --as-of 2020-01-01 --to $HOME/back"), 3) << out;
  EXPECT_TRUE(err.contains("the archive has no version of " + id) && !err.contains("no session")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
