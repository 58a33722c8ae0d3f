// Inputs and outputs of tools in sessions that are shared as `redacted`: no contents of files, and the same counts
// as in the original.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

struct RedactedCalls : TwoMachines {
  int lines = 0;
  std::string project = "src/thing";

  std::string line(const std::string& session, const std::string& uuid, const std::string& parent,
                   const std::string& message) {
    const std::string role = message.contains(R"("role":"user")") ? "user" : "assistant";
    return R"({"type":")" + role + R"(","uuid":")" + uuid + R"(","parentUuid":)" +
           (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"sessionId":")" + session + R"(","cwd":")" + home +
           "/a/" + project + R"(","timestamp":"2026-01-01T00:0)" + std::to_string(lines++ % 10) +
           R"(:00Z","message":)" + message + "}\n";
  }
  static std::string said(const std::string& text) { return R"({"role":"user","content":")" + text + "\"}"; }
  static std::string answer(const std::string& response, const std::string& block) {
    return R"({"role":"assistant","id":")" + response + R"(","model":"claude-sonnet-4-5","content":[)" + block +
           R"(],"usage":{"input_tokens":10,"output_tokens":100}})";
  }
  static std::string call(const std::string& id, const std::string& tool, const std::string& input) {
    return R"({"type":"tool_use","id":")" + id + R"(","name":")" + tool + R"(","input":)" + input + "}";
  }
  static std::string result(const std::string& id, const std::string& text) {
    return R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id + R"(","content":")" + text +
           R"("}]})";
  }
  void save(const std::string& session, const std::string& log) const {
    put(home + "/a/.claude/projects/-thing/" + session + ".jsonl", log);
  }
  // Saves the session `id` with these calls of tools and their results.
  struct Given {
    std::string tool, input, gave_back;
  };
  void save_calls(const std::vector<Given>& calls) {
    std::string log = line(id, "u0", "", said("write the tables")), parent = "u0";
    int n = 0;
    for (const Given& one : calls) {
      const std::string number = std::to_string(n++);
      log += line(id, "c" + number, parent, answer("r" + number, call("t" + number, one.tool, one.input)));
      log += line(id, "d" + number, "c" + number, result("t" + number, one.gave_back));
      parent = "d" + number;
    }
    save(id, log);
  }
  void share_and_read() {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share '" + project + "' --with nas --policy redacted"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  }
  // Returns everything that the other machine has of the latest session.
  std::string read() {
    EXPECT_EQ(on("b", "show @last --machine laptop --format json"), 0) << err;
    return out;
  }
};

TEST_F(RedactedCalls, FileContentsAreNotShared) {
  save_calls(
      {{"Write", R"({"file_path":"/w/pay.csv","content":"PLANTED1"})", "File created: PLANTED1"},
       {"Edit", R"({"file_path":"/w/pay.csv","old_string":"PLANTED2","new_string":"PLANTED3","replace_all":true})",
        R"(here is a snippet\n 12\tPLANTED4)"},
       // The table does not have these tools.
       {"MultiEdit", R"({"file_path":"/w/pay.csv","edits":[{"old_str":"PLANTED5","new_str":"PLANTED6"}]})",
        "it is PLANTED6 now, beside PLANTED13"},
       {"NotebookEdit", R"({"notebook_path":"/w/n.ipynb","new_source":"PLANTED7","cell":3})", "a snippet: PLANTED14"},
       {"mcp__files__put", R"({"where":{"PLANTED8":1},"contents":"PLANTED9","patch":["PLANTED10"]})", "put"},
       // Nor this argument of a tool that it has.
       {"Read", R"({"file_path":"/w/pay.csv","limit":7,"expected":"PLANTED11"})", "the text that was read"},
       // A command is shared, but not what is piped into it.
       {"Bash", R"({"command":"cat > pay.csv <<END\nPLANTED12\nEND","description":"write the table"})", ""},
       {"Grep", R"({"pattern":"wanted words","path":"/w"})", "3 lines match"},
       {"Bash", R"({"command":"tee pay.csv\rPLANTED15"})", ""},
       {"Bash", R"({"command":"tee pay.csv\u2028PLANTED16"})", ""},
       {"TodoWrite",
        R"({"todos":[{"content":"pay everybody","status":"pending","code":"PLANTED17","note":{"a":"PLANTED18"}}]})",
        "noted"},
       {"Agent", R"({"prompt":"look for the bug\nand mend it","subagent_type":"general"})", "it is mended"}});
  share_and_read();
  const std::string all = read();
  EXPECT_FALSE(all.contains("PLANTED")) << all.substr(all.find("PLANTED") - 200, 400);
  for (const std::string told :
       {R"("content":"[left out]")", R"("replace_all":true)", R"("cell":3)", R"("limit":7)", "the text that was read",
        "<<END [left out]", "write the table", "wanted words", "3 lines match", "pay everybody",
        R"(look for the bug\nand mend it)", "it is mended", R"("contents":"[left out]")"})
    EXPECT_TRUE(all.contains(told)) << told << "\n" << all;
}

// Two calls of one answer have the same id: each result is judged by its own call.
TEST_F(RedactedCalls, ResultsOfSharedIdsAreJudgedByTheirOwnCalls) {
  const std::string write = call("t", "Write", R"({"file_path":"/w/pay.csv","content":"PLANTED1"})");
  const std::string grep = call("t", "Grep", R"({"pattern":"wanted words","path":"/w"})");
  save(id, line(id, "u0", "", said("write the tables")) +
               line(id, "c0", "u0", answer("r0", std::string(write) + "," + grep)) +
               line(id, "d0", "c0", result("t", "a snippet: PLANTED2")) +
               line(id, "d1", "d0", result("t", "3 lines match")));
  share_and_read();
  const std::string all = read();
  EXPECT_FALSE(all.contains("PLANTED")) << all;
  EXPECT_TRUE(all.contains("3 lines match")) << all;
}

// What was left out of a call is not in its result either, however long it is.
TEST_F(RedactedCalls, ResultsDoNotRepeatWhatWasLeftOut) {
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += R"(\nrow PLANTED)" + std::to_string(i) + ",x";
  const std::string long_line = "PLANTED" + std::string(300, 'x');
  save_calls({{"Bash", R"({"command":"cat > pay.csv <<END)" + rows + R"(\nEND\ntail -1 pay.csv"})", "row PLANTED999,x"},
              {"mcp__files__put", R"({"contents":")" + rows + R"("})", R"(line 700:\n  row PLANTED700,x\n)"},
              {"Bash", R"({"command":"tee x\u2028PLANTEDa"})", "PLANTEDa"},
              {"Bash", R"({"command":"tee x\u0085PLANTEDb"})", "PLANTEDb"},
              {"mcp__files__put", R"({"contents":")" + long_line + R"(yy"})", "it begins with " + long_line},
              {"mcp__files__put", R"({"contents":")" + rows + R"("})", "1,000 rows, END"}});
  share_and_read();
  const std::string all = read();
  EXPECT_FALSE(all.contains("PLANTED")) << all.substr(all.find("PLANTED") - 200, 400);
  EXPECT_TRUE(all.contains("1,000 rows, END")) << all;
}

TEST_F(RedactedCalls, PathsWithSpacesInProjectAreMasked) {
  project = "src/Acme Merger";
  put(home + "/a/" + project + "/.git/config", "[core]\n");
  const std::string place = home + "/a/" + project;
  save_calls(
      {{"Bash", R"({"command":"cat a.txt"})", R"(cat: \")" + place + R"(/PLANTED plan.txt\": No such file)"},
       {"Task", R"({"prompt":"explore )" + place + R"( and list it","subagent_type":"general"})", "listed"},
       {"Bash", R"({"command":"cd ~/src/Acme\\ Merger && ls \"$HOME/x PLANTED/y PLANTED\""})", "nothing"},
       {"Bash", R"({"command":")" + std::string(170, 'y') + R"( \")" + place + R"(/the PLANTED plan\""})", "none"}});
  share_and_read();
  const std::string all = read();
  EXPECT_FALSE(all.contains("PLANTED")) << all.substr(all.find("PLANTED") - 200, 400);
  EXPECT_FALSE(all.contains("Acme") || all.contains("Merger")) << all;
  for (const std::string told :
       {R"(cat: \"[path]\": No such file)", "explore [path] and list it", R"(cd [path] && ls \"[path]\")"})
    EXPECT_TRUE(all.contains(told)) << told << "\n" << all;
}

// Codex lists sub-agents as separate sessions.
TEST_F(RedactedCalls, SubAgentsAreNotShared) {
  const std::string parent = "01a1dcc0-0000-7000-8000-00000000000a", child = "01a1dcc0-0000-7000-8000-00000000000b";
  const auto rollout = [&](const std::string& session, const std::string& source, const std::string& prompt) {
    put(home + "/a/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + session + ".jsonl",
        R"({"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":")" + session +
            R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":")" + home + R"(/a/src/thing")" + source + "}}\n" +
            R"({"timestamp":"2026-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user",)" +
            R"("content":[{"type":"input_text","text":")" + prompt + "\"}]}}\n");
  };
  rollout(parent, "", "a prompt of the person");
  rollout(child, R"(,"source":{"subagent":{"thread_spawn":{"parent_thread_id":")" + parent + "\"}}}", "PLANTED task");
  share_and_read();
  ASSERT_EQ(on("b", "ls --all --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains("a prompt of the person") && !out.contains("PLANTED")) << out;
}

TEST_F(RedactedCalls, CountsMatchTheOriginal) {
  const std::string second = "dddddddd-0000-4000-8000-000000000002", fork = "eeeeeeee-0000-4000-8000-000000000003";
  const auto tell = [&](const std::string& session, const std::string& of) {
    return line(session, of + "0", "", said("why does " + of + " fail")) +
           // One response in two records.
           line(session, of + "1", of + "0", answer(of + "r1", R"({"type":"text","text":"I look."})")) +
           line(session, of + "2", of + "1", answer(of + "r1", call(of + "t1", "Read", R"({"file_path":"a.cc"})"))) +
           line(session, of + "3", of + "2", result(of + "t1", "text of it")) +
           line(session, of + "4", of + "3", answer(of + "r2", R"({"type":"text","text":"It is the clock."})"));
  };
  save(id, tell(id, "x"));
  lines = 0;
  save(second, tell(second, "y"));
  // Repeats the first session and continues it.
  lines = 0;
  std::string log = tell(fork, "x");  // first, so that it has the same times
  log += line(fork, "z5", "x4", said("and now mend it"));
  log += line(fork, "z6", "z5", answer("zr3", R"({"type":"text","text":"Mended."})"));
  save(fork, log);
  share_and_read();
  ASSERT_EQ(on("a", "ls --json"), 0) << err;
  const auto counted = [&] {
    std::multiset<std::string> all;
    for (const JsonItem& item : JsonView(out).find("sessions").elements())
      all.insert(std::string(item.value.find("counts").find("assistant").raw()) + " answers, " +
                 std::string(item.value.find("usage").find("output").raw()) + " tokens");
    return all;
  };
  const auto here = counted();
  EXPECT_EQ(here,
            (std::multiset<std::string>{"2 answers, 200 tokens", "2 answers, 200 tokens", "3 answers, 300 tokens"}));
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_EQ(counted(), here) << out;
  const auto figures = [&] {
    const JsonView total = JsonView(out).find("total");
    std::string all;
    for (const char* const name : {"sessions", "prompts", "answers", "tool_calls", "tool_results", "usage", "cost"})
      all += std::string(name) + " " + std::string(total.find(name).raw()) + "\n";
    return all;
  };
  ASSERT_EQ(on("a", "stats --json"), 0) << err;
  const std::string once = figures();
  EXPECT_TRUE(once.contains("answers 5\n") && once.contains("tool_calls 2\n")) << once;
  ASSERT_EQ(on("b", "stats --machine laptop --json"), 0) << err;
  EXPECT_EQ(figures(), once) << out;
  EXPECT_FALSE(read().contains("xr1") || out.contains("xt1")) << "ids of the agent: " << out;
}

}  // namespace
}  // namespace holdfast::inline v1
