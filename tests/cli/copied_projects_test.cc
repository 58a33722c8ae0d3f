// A project's folder that was copied or moved with its sessions, and continued there: one id in two files of a store.
#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct CopiedProject : CliHome {
  static std::string line(const std::string& uuid, const std::string& parent, const std::string& cwd, int hour,
                          const std::string& text) {
    return R"({"type":"user","uuid":")" + uuid + R"(","parentUuid":)" +
           (parent.empty() ? std::string("null") : "\"" + parent + "\"") + R"(,"sessionId":")" + kId + R"(","cwd":")" +
           cwd + R"(","timestamp":"2026-01-01T1)" + std::to_string(hour) +
           R"(:00:00.000Z","message":{"role":"user","content":")" + text + "\"}}\n";
  }
  void put(const std::string& name, const std::string& bytes) const {
    const std::string path = home + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::trunc) << bytes;
  }
  static std::string log_in(const std::string& folder) { return ".claude/projects/" + folder + "/" + kId + ".jsonl"; }
  // The copy whose folder comes first is the older one.
  void copied() const {
    const std::string first = line("u1", "", "/a/old", 0, "first words");
    put(log_in("-a-old"), first);
    put(log_in("-b-new"), first + line("u2", "u1", "/b/new", 1, "later zebra"));
  }
  const std::string older = std::string(kId) + "@-a-old";
  const std::string warning = "another copy of session " + std::string(kId) +
                              ", not newer than the one used here; its name in commands is claude-code/" + older;
};

TEST_F(CopiedProject, IdMeansTheNewestCopyAndAWarningNamesTheOther) {
  copied();
  for (const char* const command : {"show", "tail", "share", "export", "export --format html"}) {
    ASSERT_EQ(sh(std::string("$H ") + command + " aaaa"), 0) << command << err;
    EXPECT_TRUE(out.contains("later zebra")) << command << out;
    EXPECT_TRUE(err.contains("warning: projects/-a-old/" + std::string(kId) + ".jsonl: " + warning)) << command << err;
  }
  ASSERT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_EQ(out, "cd /b/new && claude --resume " + std::string(kId) + "\n");
  EXPECT_TRUE(err.contains(warning)) << err;
  ASSERT_EQ(sh("$H resume aaaa --json"), 0) << err;
  EXPECT_TRUE(out.contains(warning)) << out;
  for (const char* const method : {"session.get", "session.show", "session.export", "message.list"}) {
    const std::string key = std::string(method) == "message.list" ? "session" : "id";
    ASSERT_EQ(sh("$H call " + std::string(method) + " '{\"" + key + "\":\"aaaa\"}'"), 0) << method << err;
    EXPECT_TRUE(out.contains(R"("kind":"copy")") && out.contains(warning)) << method << out;
  }
  std::filesystem::create_directories(home + "/proj");
  ASSERT_EQ(sh("$H handoff aaaa --to pi --project $HOME/proj -o $HOME/o"), 0) << err;
  EXPECT_TRUE(err.contains(warning)) << err;
  EXPECT_EQ(sh("grep -rq 'later zebra' $HOME/o"), 0);
}

TEST_F(CopiedProject, EveryCommandTakesTheNameOfTheOlderCopy) {
  copied();
  for (const std::string& name : {older, std::string("aaaa@-a-old"), "claude-code/" + older}) {
    for (const char* const command : {"show", "tail", "share", "export"}) {
      ASSERT_EQ(sh(std::string("$H ") + command + " " + name), 0) << command << err;
      EXPECT_TRUE(out.contains("first words") && !out.contains("zebra")) << command << out;
      EXPECT_FALSE(err.contains("another copy")) << command << err;
    }
  }
  ASSERT_EQ(sh("$H resume aaaa@-a-old --print 2>/dev/null"), 0);
  EXPECT_EQ(out, "cd /a/old && claude --resume " + std::string(kId) + "\n");
  ASSERT_EQ(sh("$H show aaaa@-b-new"), 0) << err;
  EXPECT_TRUE(out.contains("zebra") && !out.contains("@")) << out;
  EXPECT_EQ(err, "") << "which copy is meant was said";
  EXPECT_EQ(sh("$H show aaaa@-c"), 3) << out;
}

TEST_F(CopiedProject, ListsNameBothAndSearchFindsBoth) {
  copied();
  for (int again = 0; again < 2; ++again) {  // the second time from the cache
    ASSERT_EQ(sh("$H ls"), 0) << err;
    EXPECT_TRUE(out.contains(std::string(kId) + "  ") && out.contains(older + "  ")) << out;
    ASSERT_EQ(sh("$H search words"), 0) << err;
    EXPECT_TRUE(out.contains(std::string(kId) + "  claude-code") && out.contains(older + "  claude-code")) << out;
    ASSERT_EQ(sh("$H search zebra --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("session":")" + std::string(kId) + "\"")) << out;
  }
  ASSERT_EQ(sh("$H show aaaa --at 1"), 0) << err;
  EXPECT_TRUE(out.contains("zebra")) << out;
  EXPECT_EQ(sh("$H show " + older + " --at 0"), 0) << err;
  EXPECT_EQ(sh("$H search words --count --session " + older), 0) << err;
  EXPECT_EQ(out, "1\n");
  EXPECT_EQ(sh("$H search zebra --count --session " + older), 1) << err;
  ASSERT_EQ(sh("$H star " + older), 0) << err;
  ASSERT_EQ(sh("$H ls --starred --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  EXPECT_TRUE(out.contains(R"("id":")" + older + "\"")) << out;
}

// The copy that is continued is the one that the id means from then on.
TEST_F(CopiedProject, ContinuedCopyBecomesTheSession) {
  copied();
  ASSERT_EQ(sh("$H ls"), 0) << err;
  std::ofstream(home + "/" + log_in("-a-old"), std::ios::app) << line("u3", "u1", "/a/old", 2, "okapi");
  ASSERT_EQ(sh("$H show aaaa"), 0) << err;
  EXPECT_TRUE(out.contains("okapi") && !out.contains("zebra")) << out;
  ASSERT_EQ(sh("$H show aaaa@-b-new"), 0) << err;
  EXPECT_TRUE(out.contains("zebra")) << out;
  ASSERT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(out.contains(std::string(kId) + "@-b-new  ") && !out.contains("@-a-old")) << out;
}

TEST_F(CopiedProject, DamagedCopyIsTheOneThatIsRepaired) {
  ClaudeLog log(home, kId, "-a-old");
  for (int i = 0; i < 5; ++i) log.turn(20);
  std::ifstream in(log.path);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  std::size_t from = 0;
  for (int i = 0; i < 7; ++i) from = whole.find('\n', from) + 1;
  std::string torn = whole;
  torn.erase(from + 40, whole.find('\n', from) - from - 40);
  const std::string later = line("z", "u14", "/b/new", 1, "zebra");
  for (const char* const damaged : {"-a-old", "-b-new"}) {
    const bool newer = std::string(damaged) == "-b-new";
    for (const bool by_path : {false, true}) {
      put(log_in("-a-old"), newer ? whole : torn);
      put(log_in("-b-new"), (newer ? torn : whole) + later);
      std::filesystem::remove(home + "/" + log_in(damaged) + ".damaged");
      ASSERT_EQ(sh("$H verify"), 4) << damaged << out << err;
      const std::string name = "claude-code/" + (newer ? std::string(kId) : older);
      EXPECT_TRUE((out + err).contains("holdfast rescue " + name + " --install")) << out << err;
      ASSERT_EQ(sh("$H rescue " + (by_path ? "$HOME/" + log_in(damaged) : name) + " --install --yes"), 0) << err;
      EXPECT_TRUE(out.contains(damaged) && out.contains(".damaged")) << out;
      EXPECT_EQ(sh("$H verify"), 0) << damaged << out << err;
    }
  }
}

TEST_F(CopiedProject, QwenAndPiHaveThemToo) {
  const auto qwen = [](const std::string& uuid, const std::string& parent, int hour, const std::string& text) {
    return R"({"uuid":")" + uuid + R"(","parentUuid":)" + parent + R"(,"sessionId":")" + kId +
           R"(","timestamp":"2026-01-01T1)" + std::to_string(hour) +
           R"(:00:00.000Z","type":"user","cwd":"/w","version":"1","message":{"role":"user","parts":[{"text":")" + text +
           "\"}]}}\n";
  };
  const auto pi = [](const std::string& id, const std::string& parent, int hour, const std::string& text) {
    return R"({"type":"message","id":")" + id + R"(","parentId":)" + parent + R"(,"timestamp":"2026-01-01T1)" +
           std::to_string(hour) + R"(:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":")" + text +
           "\"}]}}\n";
  };
  const std::string head = R"({"type":"session","version":3,"id":")" + std::string(kId) +
                           R"(","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/w"})"
                           "\n";
  put(".qwen/projects/-a/chats/" + std::string(kId) + ".jsonl", qwen("u1", "null", 0, "first"));
  put(".qwen/projects/-b/chats/" + std::string(kId) + ".jsonl",
      qwen("u1", "null", 0, "first") + qwen("u2", "\"u1\"", 1, "zebra"));
  const std::string name = "2026-01-01T10-00-00-000Z_" + std::string(kId) + ".jsonl";
  put(".pi/agent/sessions/--a--/" + name, head + pi("m1", "null", 0, "first"));
  put(".pi/agent/sessions/--b--/" + name, head + pi("m1", "null", 0, "first") + pi("m2", "\"m1\"", 1, "zebra"));
  for (const auto& [agent, key] : {std::pair("qwen", "-a"), std::pair("pi", "--a--")}) {
    const std::string session = std::string(agent) + "/" + kId;
    ASSERT_EQ(sh("$H show " + session), 0) << err;
    EXPECT_TRUE(out.contains("zebra")) << out;
    EXPECT_TRUE(err.contains("its name in commands is " + session + "@" + key)) << err;
    ASSERT_EQ(sh("$H show " + session + "@" + key), 0) << err;
    EXPECT_TRUE(out.contains("first") && !out.contains("zebra")) << out;
  }
}

TEST_F(CopiedProject, SubAgentsBelongToTheCopyBesideThem) {
  copied();
  for (const char* const folder : {"-a-old", "-b-new"})
    put(".claude/projects/" + std::string(folder) + "/" + kId + "/subagents/agent-a1.jsonl",
        line("s1", "", "/a/old", 0, "sub work"));
  ASSERT_EQ(sh("$H ls --all --json"), 0) << err;
  std::size_t found = 0;
  for (const JsonItem& item : JsonView(out).find("sessions").elements()) {
    const std::string id = item.value.find("id").as_string().value_or("");
    if (!id.starts_with("a1")) continue;
    ++found;
    const bool old = item.value.find("path").as_string().value_or("").contains("-a-old");
    EXPECT_EQ(item.value.find("parent").find("id").as_string().value_or(""), old ? older : kId) << id;
  }
  EXPECT_EQ(found, 2u) << out;
}

// Claude Code finds a session only in the folder of its directory.
TEST_F(CopiedProject, MovedSessionIsResumedWhereItIsNow) {
  const std::string first = line("u1", "", "/a/old", 0, "first words");
  put(log_in("-b-new"), first + line("u2", "u1", "/b/new", 1, "later zebra"));
  ASSERT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_EQ(out, "cd /b/new && claude --resume " + std::string(kId) + "\n");
  EXPECT_FALSE(err.contains("moved")) << err;
  ASSERT_EQ(sh("$H ls --json --project /b/new"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  put(log_in("-b-new"), first);
  ASSERT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_EQ(out, "cd /a/old && claude --resume " + std::string(kId) + "\n");
  EXPECT_TRUE(
      err.contains("warning: the session is in projects/-b-new, and its agent looks for the sessions of /a/old "
                   "in -a-old; "))
      << err;
}

// Such a name ends like that of a file.
TEST_F(CopiedProject, RescueTakesTheNameOfACopyInTheSameFolder) {
  const auto log_of_pi = [&](const std::string& hour, const std::string& text) {
    const std::string time = "2026-01-01T" + hour + ":00:00.000Z";
    put(".pi/agent/sessions/--w--/2026-01-01T" + hour + "-00-00-000Z_" + kId + ".jsonl",
        R"({"type":"session","version":3,"id":")" + std::string(kId) + R"(","timestamp":")" + time +
            R"(","cwd":"/w"})" + "\n" + R"({"type":"message","id":"a1","parentId":null,"timestamp":")" + time +
            R"(","message":{"role":"user","content":")" + text + "\"}}\n");
  };
  log_of_pi("10", "first words");
  log_of_pi("11", "later zebra");
  ASSERT_EQ(sh("$H show aaaa"), 0) << err;
  const std::size_t at = err.find("pi/" + std::string(kId) + "@");
  ASSERT_NE(at, std::string::npos) << err;
  const std::string name = err.substr(at, err.find_first_of(" \n", at) - at);
  ASSERT_TRUE(name.ends_with(".jsonl")) << name;
  for (const std::string& typed : {name, name.substr(3)}) {
    ASSERT_EQ(sh("rm -f $HOME/copy; $H rescue " + typed + " -o $HOME/copy"), 0) << err;
    EXPECT_TRUE(text("copy").contains("first words")) << text("copy");
  }
  // A file of that name is what it says.
  std::filesystem::create_directories(home + "/desk/pi");
  ASSERT_EQ(sh("cp $HOME/copy pi/x.jsonl && rm $HOME/copy && $H rescue pi/x.jsonl -o $HOME/copy"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
