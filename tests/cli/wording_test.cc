// What people read: sentences, counts, help. Texts are compared as they are printed.
#include <set>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct Wording : CliHome {
  void claude_session() {
    const std::string folder = home + "/.claude/projects/-p/";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + kId + ".jsonl")
        << R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" << kId
        << R"(","cwd":"/srv/p","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"say hello"}})"
        << "\n";
  }
  bool has(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }
};

TEST_F(Wording, ChangeIsReportedInOneSentence) {
  claude_session();
  EXPECT_EQ(sh("$H star aaaa"), 0) << err;
  EXPECT_EQ(out, "starred claude-code/aaaaaaaa  say hello\n");
  EXPECT_EQ(sh("$H star aaaa --remove"), 0) << err;
  EXPECT_EQ(out, "removed the star from claude-code/aaaaaaaa  say hello\n");
  EXPECT_EQ(sh("$H tag aaaaaaaa-00 login urgent"), 0) << err;
  EXPECT_EQ(out, "tagged claude-code/aaaaaaaa-00 #login #urgent  say hello\n");
  EXPECT_EQ(sh("$H rename @last 'A better title'"), 0) << err;
  EXPECT_EQ(out, "renamed claude-code/aaaaaaaa  A better title\n");
  EXPECT_EQ(sh("$H star aaaa --json"), 0) << err;
  EXPECT_EQ(field({"id"}), kId) << "programs get the whole answer";
}

TEST_F(Wording, InitAndNativeSessionMessages) {
  EXPECT_EQ(sh("mkdir -p $HOME/proj && cd $HOME/proj && $H init"), 0) << err;
  EXPECT_EQ(out, "sessions are kept in " + home + "/proj/.holdfast\n");
  EXPECT_EQ(sh("cd $HOME/proj && $H session create --title 'Fix it'"), 0) << err;
  EXPECT_TRUE(out.starts_with("created holdfast/ses_") && out.ends_with("  Fix it\n")) << out;
  EXPECT_EQ(sh("cd $HOME/proj && $H session end @last"), 0) << err;
  EXPECT_TRUE(out.starts_with("ended holdfast/ses_")) << out;
  EXPECT_EQ(sh("cd $HOME/proj && $H prune --keep 0 --trash-days 1 --dry-run"), 0) << err;
  EXPECT_EQ(sh("cd $HOME/proj && $H session delete @last --yes"), 0) << err;
  EXPECT_TRUE(out.starts_with("deleted ses_")) << out;
}

TEST_F(Wording, SharePrintsThePathOfThePage) {
  claude_session();
  EXPECT_EQ(sh("$H share aaaa -o $HOME/a.html"), 0) << err;
  EXPECT_EQ(out, home + "/a.html\n");
  EXPECT_EQ(sh("$H share aaaa --no-redact -o $HOME/b.html"), 0) << err;
  EXPECT_EQ(out, home + "/b.html\n");
}

TEST_F(Wording, EmptyListsHaveTheSameMessage) {
  for (const char* const command : {"$H ls", "$H session list", "$H stats"}) {
    EXPECT_EQ(sh(command), std::string_view(command).contains("session") ? 0 : 1) << command;
    EXPECT_EQ(out, "") << command;
    EXPECT_EQ(err, "no sessions yet; run holdfast doctor to see which stores it looks at\n") << command;
  }
  claude_session();
  for (const char* const command : {"$H ls -a codex", "$H session list --agent codex", "$H stats -a codex"}) {
    EXPECT_EQ(sh(command), std::string_view(command).contains("session") ? 0 : 1) << command;
    EXPECT_EQ(err, "no sessions match\n") << command;
  }
  EXPECT_EQ(sh("echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.resume\",\"params\":{\"id\":\"@last\"}}' > r; "
               "(echo '{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"hello\"}'; cat r) | $H rpc"),
            0)
      << err;
  EXPECT_TRUE(has(out, "Holdfast has no session of its own yet")) << out;
  EXPECT_FALSE(has(out, "cannot open the directory")) << out;
}

TEST_F(Wording, NothingFoundExitsWith1) {
  for (const char* const command :
       {"ls", "search hello", "stats", "stores", "machine list", "remote list", "ls --json", "stats --json"})
    EXPECT_EQ(sh("$H " + std::string(command)), 1) << command << out << err;
  for (const char* const command : {"session list", "session stats", "store list"})
    EXPECT_EQ(sh("$H " + std::string(command)), 0) << "for programs an empty list is an answer: " << command << err;
  claude_session();
  for (const char* const command : {"ls", "search hello", "stats", "stores"})
    EXPECT_EQ(sh("$H " + std::string(command)), 0) << command << err;
  EXPECT_EQ(sh("$H ls --skip 9999"), 1);
  EXPECT_EQ(out + err, "there is only 1 session\n");
  EXPECT_EQ(sh("$H archive run && $H forget --match NOSUCH --dry-run"), 1) << out << err;
  EXPECT_EQ(sh("$H forget --match NOSUCH --yes"), 1) << out << err;
}

TEST_F(Wording, ReportsSessionsOnlyInTheArchive) {
  claude_session();
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  EXPECT_EQ(sh("$H"), 0) << err;
  EXPECT_TRUE(has(out, "1 session on this machine, only in the archive\n")) << out;
  EXPECT_TRUE(has(out, "say hello")) << out;
  EXPECT_EQ(sh("$H doctor"), 0) << err;
  EXPECT_TRUE(has(out, "There are no agent sessions left on this machine; the archive has 1 session.\n")) << out;
  EXPECT_EQ(sh("$H verify"), 3) << out;
  EXPECT_EQ(err, "holdfast: there are no agent sessions to check; run holdfast archive verify to check the archive\n");
}

TEST_F(Wording, ErrorsNameTheOptionAsTyped) {
  claude_session();
  const auto says = [&](const std::string& command, const std::string& wanted) {
    EXPECT_EQ(sh("$H " + command), 2) << command << out;
    EXPECT_EQ(err, "holdfast: " + wanted + "\n") << command;
  };
  says("ls -n 0", "--limit (-n) must be at least 1");
  says("ls -n abc", "--limit (-n) takes a number, not \"abc\"");
  says("resume", "resume needs an ID; use holdfast pick to choose one");
  says("import", "import needs a FILE, or - for standard input; see holdfast import --help");
  says("rename aaaa", "rename needs a TITLE; see holdfast rename --help");
  says("rescue aaaa", "rescue needs --output PATH, --install or --undo; see holdfast rescue --help");
  says("tag aaaa", "tag needs TAGS; see holdfast tag --help");
  says("entry load --project p", "entry load needs --session ID; see holdfast entry load --help");
  says("session --frob", "session needs a verb; see holdfast help session");
  says("session start", "a new session needs a module; name one with --module");
  says("ls --since soon",
       "--since takes a time (2026-11-15, 2026-11-15T08:00:00Z) or an age (90m, 36h, 7d, 2w), not \"soon\"");
  says("ls --cursor x", "--cursor is not a next_cursor of holdfast ls");
  says("message list aaaa --cursor x", "--cursor is not a next_cursor of holdfast message list");
  says("search \"$(printf '\\377')\"", "WORDS are not valid UTF-8");
  EXPECT_EQ(sh("$H show aaaa --branch foo"), 3);
  EXPECT_EQ(err, "holdfast: --branch: session " + std::string(kId) + " has no message foo\n");
  says("show aaaa --at -3", "--at must be at least 0");
  EXPECT_EQ(sh("$H resume aaaa --in nope"), 2);
  EXPECT_TRUE(err.starts_with("holdfast: --in must be ")) << err;
  EXPECT_EQ(sh("$H handoff aaaa --to nope"), 2);
  EXPECT_TRUE(err.starts_with("holdfast: --to must be ")) << err;
  says("handoff aaaa --brief --to codex", "a brief is for any agent: --brief and --to cannot be combined");
  says("forget aaaa --match x", "forget takes an ID or --match TEXT, not both");
  says("rescue aaaa -o f --install", "rescue writes a copy (-o FILE) or repairs in place (--install), not both");
  says("rescue /etc/passwd -o f", "only .jsonl, .jsonl.zst and .json files can be rescued (/etc/passwd)");
  EXPECT_EQ(sh("$H rescue /nonexistent.jsonl -o f"), 3);
  EXPECT_EQ(err, "holdfast: cannot open for reading: No such file or directory (/nonexistent.jsonl)\n");
  EXPECT_EQ(sh("$H ls -n 0 --json"), 2);
  EXPECT_TRUE(has(err, "session.list: limit must be at least 1")) << "programs get the name of the api: " << err;
}

TEST_F(Wording, HashSignOfTagIsOptional) {
  claude_session();
  EXPECT_EQ(sh("$H tag aaaa '#x'"), 0) << err;
  EXPECT_EQ(out, "tagged claude-code/aaaaaaaa #x  say hello\n");
  EXPECT_EQ(sh("$H ls --tag '#x'"), 0) << err;
  EXPECT_TRUE(has(out, "say hello #x")) << out;
  EXPECT_EQ(sh("$H ls --tag x"), 0) << err;
}

TEST_F(Wording, CountOfOneIsSingular) {
  claude_session();
  EXPECT_EQ(sh("$H handoff aaaa --to codex -o $HOME/o --dry-run"), 0) << err;
  EXPECT_TRUE(has(out, ", 1 turn, about ")) << out;
  EXPECT_TRUE(has(out, "\nCarried\n       1  prompt\n       1  text\n")) << out;
  EXPECT_EQ(sh("$H handoff aaaa --brief"), 0) << err;
  EXPECT_TRUE(has(out, ": 1 prompt, ")) << out;
  EXPECT_EQ(sh("$H export aaaa --format html"), 0) << err;
  EXPECT_TRUE(has(out, "1 prompt, 0 answers, 0 tool calls")) << out;
  EXPECT_EQ(sh("$H session create --title one && $H session delete @last --dry-run --store "
               "holdfast:$HOME/.local/share/holdfast"),
            0);
  EXPECT_FALSE(has(out, "1 records")) << out;
}

TEST_F(Wording, InterruptedTailPrintsNoError) {
  claude_session();
  EXPECT_EQ(sh("timeout --preserve-status -s INT 2 $H tail -f aaaa"), 130) << err;
  EXPECT_TRUE(has(out, "say hello")) << out;
  EXPECT_EQ(err, "");
}

TEST_F(Wording, HelpShowsOnlyValidOptions) {
  for (const char* const command : {"help", "man", "completions"}) {
    EXPECT_EQ(sh("$H " + std::string(command) + " --help"), 0) << err;
    EXPECT_FALSE(has(out, "--json")) << out;
  }
  EXPECT_EQ(sh("$H show --help"), 0);
  EXPECT_FALSE(has(out, "--colour")) << out;
  EXPECT_EQ(sh("$H ls --help"), 0);
  EXPECT_TRUE(has(out, "--since TIME")) << out;
  EXPECT_TRUE(has(out, "--no-subagents")) << out;
  EXPECT_EQ(sh("$H import --help"), 0);
  EXPECT_TRUE(has(out, "holdfast import FILE [OPTIONS]")) << out;
  EXPECT_EQ(sh("$H share --help"), 0);
  EXPECT_TRUE(has(out, "--output PATH")) << out;
  EXPECT_EQ(sh("$H mcp --help"), 0);
  EXPECT_TRUE(has(out, "  --exclude-session ID\n                       never")) << out;
}

TEST_F(Wording, HelpFitsIn80Columns) {
  ASSERT_EQ(sh("$H api --json"), 0) << err;
  EXPECT_FALSE(has(out, "default true")) << "say --no-NAME instead";
  for (const char* const topic : {"ls", "show", "search", "stats", "session create", "mcp", "config", "sync"}) {
    ASSERT_EQ(sh("$H help " + std::string(topic)), 0) << err;
    for (std::size_t at = 0, end = 0; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
      EXPECT_TRUE(end - at <= 80 || out.compare(at, 10, "  holdfast") == 0)
          << topic << ": " << out.substr(at, end - at);
  }
}

// Every text that `holdfast help` prints, each once.
struct AllHelp : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("$H api --json"), 0) << err;
    api = out;
    std::string line = "for t in '' agents";
    for (const JsonItem& one : JsonView(api).find("methods").elements()) {
      std::string method = one.value.find("method").as_string().value_or("");
      const std::size_t dot = method.find('.');
      if (dot == std::string::npos || method.starts_with("api.") || method.starts_with("events.")) continue;
      line += " '" + method.replace(dot, 1, " ") + "'";
    }
    ASSERT_EQ(sh("$H help --markdown | sed -n 's/^## holdfast \\([a-z]*\\)$/\\1/p'"), 0) << err;
    for (char& c : out) c = c == '\n' ? ' ' : c;
    ASSERT_EQ(sh(line + " " + out + "; do $H help $t; done"), 0) << err;
  }
  std::string api;
};

TEST_F(AllHelp, UsageFitsATerminal) {
  int usages = 0;
  bool usage = false;
  for (std::size_t at = 0, end = 0; (end = out.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = out.substr(at, end - at);
    usage = !line.empty() && (usage || line.starts_with("Usage: "));  // until the next empty line
    usages += line.starts_with("Usage: ") ? 1 : 0;
    EXPECT_TRUE(!usage || line.size() <= 80) << line;
  }
  EXPECT_GT(usages, 200);
  EXPECT_TRUE(
      out.contains("Usage: holdfast entry append --project TEXT --session ID --entries JSON\n"
                   "                             [OPTIONS]\n"))
      << out;
}

TEST_F(AllHelp, SpellsApiNamesAsTyped) {
  EXPECT_FALSE(out.contains('`')) << out.substr(out.find('`'), 200);
  std::string flat;
  for (const char c : out)
    if (c != '\n' && (c != ' ' || !flat.ends_with(' ')))
      flat += c;
    else if (!flat.ends_with(' '))
      flat += ' ';
  for (const std::string_view text :
       {"a text; use --message for anything else", "with --body: the module", "; with --state, only if nothing",
        "with --brief, to this file", "see holdfast initiative get",
        "ordinal of the message, as in holdfast message list", "name of the agent: claude-code",
        "read the session from this other machine, as fetched by sync; all: from any"})
    EXPECT_TRUE(flat.contains(text)) << text;
  EXPECT_TRUE(api.contains("use `message` for anything else")) << "programs get the name of the api";
}

// Unmarked, a name of the api would be printed as it is.
TEST_F(AllHelp, MarksEveryApiName) {
  std::set<std::string> methods;
  for (const JsonItem& one : JsonView(api).find("methods").elements())
    methods.insert(one.value.find("method").as_string().value_or(""));
  for (const JsonItem& one : JsonView(api).find("methods").elements()) {
    const JsonView parameters = one.value.find("params").find("properties");
    const auto check = [&](const std::string& text) {
      bool marked = false;
      for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1, marked = !marked) {
        end = std::min(text.find('`', at), text.size());
        const std::string part = text.substr(at, end - at);
        EXPECT_TRUE(!marked || methods.contains(part) || parameters.find(part)) << part << ": " << text;
        for (const std::string& method : methods)
          EXPECT_FALSE(!marked && method.contains('.') && part.contains(" " + method)) << text;
      }
    };
    check(one.value.find("summary").as_string().value_or(""));
    for (const JsonItem& parameter : parameters.fields())
      check(parameter.value.find("description").as_string().value_or(""));
  }
}

TEST_F(Wording, ArchiveSettingsCanBeSet) {
  EXPECT_EQ(sh("$H config set archive.keep_days 30"), 0) << err;
  EXPECT_EQ(sh("$H config set archive.exclude codex,/srv/p"), 0) << err;
  EXPECT_EQ(sh("$H config set archive.keep_days soon"), 2);
  EXPECT_EQ(err, "holdfast: archive.keep_days must be a number of days, not \"soon\"\n");
  EXPECT_EQ(sh("$H stores"), 1) << "a setting that was taken breaks no command: " << err;
  EXPECT_EQ(err, "nothing found\n");
  EXPECT_EQ(text(".config/holdfast/config.toml"), "[archive]\nkeep_days = 30\nexclude = [\"codex\", \"/srv/p\"]\n");
}

TEST_F(Wording, OverviewSummariesAreNotTruncated) {
  ASSERT_EQ(sh("$H help"), 0) << err;
  EXPECT_TRUE(out.contains("  stats          show messages, tokens and cost\n")) << out;
  EXPECT_TRUE(out.contains("  forget         remove sessions from the archive for good\n")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
