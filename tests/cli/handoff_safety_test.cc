// A hostile transcript goes to every agent: no part of it becomes a command, a flag, a path or a control sequence, and
// every file that existed before is unchanged (decisions 42 and 43).
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/cli/cli_testing.h"
#include "text/clean.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  const char* root;     // of its store
  const char* program;  // the program that resumes; empty if it is not run
  const char* first;    // what precedes the id
};
constexpr Target kTargets[] = {
    {"claude-code", ".claude", "claude", "<--resume>\n<"}, {"codex", ".codex", "codex", "<resume>\n<"},
    {"gemini", ".gemini", "gemini", "<--resume>\n<"},      {"qwen", ".qwen", "qwen", "<--resume>\n<"},
    {"copilot", ".copilot", "copilot", "<--resume="},      {"pi", ".pi/agent", "pi", "<--session>\n<"},
    {"opencode", ".local/share/opencode", "", ""},         {"holdfast", ".local/share/holdfast", "", ""}};

std::string quoted(const std::string& text) { return JsonWriter().string(text).take(); }

struct HandoffSafety : CliHome, testing::WithParamInterface<Target> {
  void SetUp() override {
    CliHome::SetUp();
    for (const Target& one : kTargets) {
      if (std::string(one.name) == "holdfast") continue;
      put(std::string(one.root) + "/settings.json", "{\"theirs\":true}\n");
      put(std::string(one.root) + "/sessions/theirs.jsonl", "{\"theirs\":1}\n");
    }
    put(".gemini/projects.json", "{\"projects\":{" + quoted(project()) + ":\"../../../evil\"}}");
    fs::create_directories(project());
    for (const Target& one : kTargets) {
      if (*one.program == '\0') continue;
      const std::string path = std::string("bin/") + one.program;
      put(path, "#!/bin/sh\npwd > $HOME/ran\nfor word; do echo \"<$word>\" >> $HOME/ran; done\n");
      fs::permissions(home + "/" + path, fs::perms::owner_all);
    }
    write_session();
  }

  // The directory that the transcript names; it exists.
  std::string project() const {
    return home + (lines ? "/two\nlines\x1b[2J" : "") + "/-rf $(touch pwned);`touch pwned`\x27\"&|< *";
  }

  void write_session() {
    const std::string evil = "'; touch $HOME/pwned # $(touch $HOME/pwned) `touch $HOME/pwned` ../../../pwned";
    const std::string acts = "\x1b]0;OWNED\x07\x1b[2J\r\n--help\n" + std::string("\0", 1) + "\xE2\x80\xAE";
    const std::string record = R"("sessionId":)" + quoted("../../../pwned") + R"(,"cwd":)" + quoted(project()) +
                               R"(,"gitBranch":)" + quoted("--upload-pack=" + evil) + R"(,"version":)" + quoted(evil) +
                               R"(,"timestamp":"2026-01-01T00:00:00Z")";
    const std::string call_id = "../../" + evil, tool = "../bin/sh -c " + evil;
    put(".claude/projects/-evil/" + id + ".jsonl",
        R"({"type":"user","uuid":)" + quoted("--uuid " + evil) + R"(,"parentUuid":null,)" + record +
            R"(,"message":{"role":"user","content":)" + quoted("-x " + evil + acts) + "}}\n" +
            R"({"type":"assistant","uuid":"u2","parentUuid":)" + quoted("--uuid " + evil) + "," + record +
            R"(,"message":{"id":)" + quoted("--" + evil) + R"(,"role":"assistant","model":)" +
            quoted("--model " + evil) + R"(,"content":[{"type":"text","text":)" + quoted(acts + evil) +
            R"(},{"type":"tool_use","id":)" + quoted(call_id) + R"(,"name":)" + quoted(tool) +
            R"(,"input":{"command":)" + quoted(evil + acts) + "}}]}}\n" +
            R"({"type":"user","uuid":"u3","parentUuid":"u2",)" + record +
            R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":)" + quoted(call_id) +
            R"(,"content":)" + quoted("\"}\n{\"type\":\"user\"}\n" + evil) + "}]}}\n" +
            R"({"type":"custom-title","customTitle":)" + quoted("../../../pwned\n" + evil + acts) +
            R"(,"sessionId":")" + id + "\"}\n");
  }
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }

  // All files below the home, except those of this test and of Holdfast's cache: type, bytes, and time of change.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(home)) {
      const std::string name = entry.path().string().substr(home.size() + 1);
      const auto is_below = [&](const std::string& folder) { return name == folder || name.starts_with(folder + "/"); };
      static const std::set<std::string> kOurs = {"script", "out", "err", "ran", "bin", ".cache"};
      if (std::ranges::any_of(kOurs, is_below)) continue;
      struct stat about = {};
      EXPECT_EQ(::lstat(entry.path().c_str(), &about), 0);
      std::string what = std::to_string(about.st_mode) + " ";
      if (entry.is_regular_file())
        what += std::to_string(about.st_ino) + " " + std::to_string(about.st_mtim.tv_sec) + "." +
                std::to_string(about.st_mtim.tv_nsec) + " " + text(name);
      all[name] = what;
    }
    return all;
  }
  // Returns what is new; expects that everything else is unchanged.
  std::set<std::string> added(const std::map<std::string, std::string>& before) const {
    std::set<std::string> names;
    const auto after = snapshot();
    for (const auto& [name, what] : before) {
      const auto found = after.find(name);
      EXPECT_TRUE(found != after.end()) << name << " is gone";
      if (found == after.end()) continue;
      EXPECT_EQ(found->second, what) << name << " was changed";
    }
    for (const auto& [name, what] : after)
      if (!before.contains(name)) names.insert(name);
    return names;
  }
  bool pwned() const {
    for (const auto& entry : fs::recursive_directory_iterator(home))
      if (entry.path().filename().string().starts_with("pwned")) return true;
    return fs::exists("/tmp/pwned") || fs::exists("/pwned");
  }
  // Returns whether the text would act on a terminal.
  static bool acts(const std::string& text) { return text != clean_for_terminal(text); }

  std::string output() const {
    return std::string(GetParam().name) == "opencode" ? " -o $HOME/.local/share/opencode" : std::string();
  }

  bool lines = false;  // whether the name of the project has line breaks
  const std::string id = "bbbbbbbb-0000-4000-8000-000000000001";
};

TEST_P(HandoffSafety, CreatesOnlyNewFilesWithSafeNames) {
  const Target& target = GetParam();
  const auto before = snapshot();
  const std::string line = "$H handoff claude-code/" + id + " --to " + target.name + output();
  ASSERT_EQ(sh(line + " --json"), 0) << err;
  const std::string made = field({"id"}), file = field({"file"});
  std::set<std::string> names = added(before);
  // Holdfast notes the origin, in its own folder and by ids only.
  const std::string notes = ".local/share/holdfast/notes", noted = text(notes + "/notes.json");
  EXPECT_TRUE(noted.contains("\"" + std::string(target.name) + "/" + made +
                             R"(":{"handed_off_from":{"layout":"claude-code","id":")" + id + "\"}}"))
      << noted;
  EXPECT_FALSE(noted.contains("pwned")) << noted;
  std::erase_if(names, [&](const std::string& name) {
    return (notes + "/").starts_with(name + "/") || name.starts_with(notes + "/");
  });
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    EXPECT_TRUE((name + "/").starts_with(std::string(target.root) + "/") ||
                (std::string(target.root) + "/").starts_with(name + "/"))
        << name;
    EXPECT_FALSE(name.contains("..")) << name;
    EXPECT_FALSE(acts(name) || name.contains('\n')) << name;
    const std::string last = name.substr(name.rfind('/') + 1);
    EXPECT_FALSE(last.starts_with(".holdfast-")) << name;
    if (fs::is_regular_file(home + "/" + name)) {
      EXPECT_EQ(last.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"),
                std::string::npos)
          << name;
      EXPECT_FALSE(last.starts_with('-')) << name;
    }
  }
  // One file per agent; Holdfast's own store has more.
  const auto is_file = [&](const std::string& name) { return fs::is_regular_file(home + "/" + name); };
  if (std::string(target.name) != "holdfast") {
    EXPECT_EQ(std::ranges::count_if(names, is_file), 1);
    EXPECT_TRUE(names.contains(file.substr(home.size() + 1))) << file;
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_EQ(made.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"),
            std::string::npos)
      << made;
  EXPECT_FALSE(made.starts_with('-'));
  ASSERT_EQ(sh(line), 0) << err;
  EXPECT_FALSE(acts(out)) << clean_for_terminal(out, {.visible = true});
  EXPECT_FALSE(acts(err)) << clean_for_terminal(err, {.visible = true});
  EXPECT_FALSE(pwned());
  if (std::string(target.name) == "opencode") return;
  ASSERT_EQ(sh("$H show " + made + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("touch $HOME/pwned # $(touch $HOME/pwned)")) << out;
}

TEST_P(HandoffSafety, RunsAgentWithOnlyTheNewId) {
  const Target& target = GetParam();
  if (*target.program == '\0') GTEST_SKIP() << "no program of its own is run";
  const std::string line = "PATH=$HOME/bin:$PATH $H resume claude-code/" + id + " --in " + target.name;
  const std::string began = project() + "\n" + target.first;
  ASSERT_EQ(sh(line), 0) << err;
  EXPECT_FALSE(acts(err)) << clean_for_terminal(err, {.visible = true});
  const auto runs = [&] {
    const std::string ran = text("ran");
    EXPECT_TRUE(ran.starts_with(began)) << ran;
    const std::string rest = ran.substr(std::min(began.size(), ran.size()));
    EXPECT_TRUE(rest.ends_with(">\n")) << ran;
    const std::string word = rest.substr(0, rest.find('>'));
    EXPECT_EQ(rest, word + ">\n") << ran;
    EXPECT_FALSE(word.starts_with('-')) << ran;
    if (!word.starts_with(home + "/")) {
      EXPECT_EQ(word.find_first_not_of("abcdef0123456789-"), std::string::npos) << ran;
    }
    fs::remove(home + "/ran");
  };
  runs();
  // The printed line is for a shell, and does the same there.
  ASSERT_EQ(sh("line=$(" + line + " --print 2>/dev/null) && export PATH=$HOME/bin:$PATH && eval \"$line\""), 0) << err;
  runs();
  EXPECT_FALSE(pwned());
}

// The name has line breaks: no command is printed, and an agent that would use it for a folder does not get the
// session.
TEST_P(HandoffSafety, ProjectNameWithLineBreakReachesNoShell) {
  lines = true;
  fs::create_directories(project());
  write_session();
  const auto before = snapshot();
  const std::string line = " claude-code/" + id;
  const int code = sh("$H handoff" + line + " --to " + GetParam().name + output());
  EXPECT_EQ(code, std::string(GetParam().name) == "pi" ? 2 : 0) << err;
  EXPECT_FALSE(acts(out)) << clean_for_terminal(out, {.visible = true});
  EXPECT_FALSE(acts(err)) << clean_for_terminal(err, {.visible = true});
  for (const std::string& name : added(before)) EXPECT_FALSE(acts(name) || name.contains('\n')) << name;
  sh("export PATH=$HOME/bin:$PATH; line=$($H resume" + line + " --in " + GetParam().name +
     " --print 2>/dev/null); echo \"$line\"; eval \"$line\"");
  if (*GetParam().program != '\0') {
    EXPECT_EQ(out, "\n");
  }
  EXPECT_FALSE(pwned());
  EXPECT_FALSE(fs::exists(home + "/ran"));
}

INSTANTIATE_TEST_SUITE_P(Agents, HandoffSafety, testing::ValuesIn(kTargets), [](const auto& one) {
  std::string name = one.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace holdfast::inline v1
