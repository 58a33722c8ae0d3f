#include "doors/cli/noun_args.h"

#include <gtest/gtest.h>

#include <set>

#include "doors/cli/args.h"
#include "doors/cli/noun_help.h"
#include "doors/cli/render.h"

namespace holdfast::inline v1 {
namespace {

Environment here() {
  Environment env;
  env.variable = [](std::string_view) { return std::string(); };
  env.directory = "/here";
  return env;
}

std::string params(std::string_view noun, const std::vector<std::string>& words) {
  auto found = parse_noun(noun, words, here());
  return found ? found->params : found.error().message;
}

TEST(NounArgs, FlagsAndPositionsBecomeParameters) {
  EXPECT_EQ(params("session", {"create", "--title", "a b", "--project=sub", "--git-branch", "main"}),
            R"({"project":"/here/sub","title":"a b","git_branch":"main"})");
  EXPECT_EQ(params("message", {"append", "ses_1", "--", "--text"}), R"({"session":"ses_1","text":"--text"})");
  EXPECT_EQ(params("session", {"list", "--limit", "3", "--no-subagents", "--json"}),
            R"({"subagents":false,"limit":3})");
  EXPECT_EQ(params("session", {"create", "--metadata", "{\"a\":1}"}), R"({"metadata":{"a":1}})");
  EXPECT_EQ(params("session", {"delete", "x", "--dry-run"}), R"({"id":"x","dry_run":true})");
  EXPECT_EQ(params("session", {"list", "--dry-run"}), "{}") << "reading is always dry";
  EXPECT_TRUE(parse_noun("session", {"delete", "x", "-y"}, here())->yes);
}

TEST(NounArgs, GlobalOptionsCanComeFirst) {
  const auto parsed = parse_arguments({"--store", "holdfast:x", "--json", "session", "list"}, here());
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(std::get<RunOperation>(parsed->action).params, R"({"store":"holdfast:/here/x"})");
}

TEST(NounArgs, ReadingAcceptsSeveralStores) {
  const auto parsed =
      parse_arguments({"--store", "holdfast:x", "session", "list", "--store=linggen:/y", "--limit", "1"}, here());
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& run = std::get<RunOperation>(parsed->action);
  EXPECT_EQ(run.params, R"({"limit":1})");
  EXPECT_EQ(std::set(run.stores.begin(), run.stores.end()), (std::set<std::string>{"holdfast:/here/x", "linggen:/y"}));
  EXPECT_EQ(params("session", {"create", "--store", "holdfast:x", "--store", "holdfast:y"}),
            "session create writes to one store, but several are given");
}

TEST(NounArgs, MistakesGetAHint) {
  EXPECT_EQ(params("session", {"creat"}), "session has no verb creat; did you mean create?");
  EXPECT_EQ(params("session", {"list", "--limt", "3"}), "unknown option --limt; did you mean --limit?");
  EXPECT_EQ(params("session", {"list", "--limit", "x"}), "--limit (-n) takes a number, not \"x\"");
  EXPECT_EQ(params("session", {"list", "--limit"}), "--limit needs a value");
  EXPECT_EQ(params("session", {"list", "more"}), "session list does not take \"more\"");
  EXPECT_EQ(params("session", {"get"}), "session get needs an ID; see holdfast session get --help");
  EXPECT_EQ(params("run", {"start", "--agent", "a"}), "run start needs --project DIR; see holdfast run start --help");
}

TEST(NounArgs, ArgumentAndOptionOfTheSameNameAreRefused) {
  EXPECT_EQ(params("message", {"append", "x", "one", "--text", "two"}),
            "message append takes --text or an argument for it, not both");
  EXPECT_EQ(params("message", {"append", "x", "one", "--text=two"}),
            "message append takes --text or an argument for it, not both");
  EXPECT_EQ(params("message", {"append", "x", "--text", "two", "one"}), "message append does not take \"one\"");
  EXPECT_EQ(params("session", {"get", "x", "--id", "y"}), "session get takes --id or an argument for it, not both");
  EXPECT_EQ(params("message", {"append", "x", "--text", "two"}), R"({"session":"x","text":"two"})");
}

TEST(NounArgs, ErrorsNeverRepeatPossibleKeys) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"set", "y", "k3y-of-mine"},
                                                {"set", "y", "--k3y-of-mine"},
                                                {"set", "y", "--", "k3y-of-mine"}}) {
    const std::string message = params("credential", words);
    EXPECT_EQ(message.find("k3y"), std::string::npos) << message;
  }
  EXPECT_EQ(params("credential", {"set", "y", "x"}),
            "credential set takes no further argument; --api-key - reads the key from standard input");
}

TEST(NounHelp, FitsTheScreen) {
  for (const auto noun : nouns()) {
    for (const Operation* operation : operations_of(noun)) {
      std::string text = operation_help_text(*operation) + noun_help_text(noun);
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        EXPECT_TRUE(line.size() <= 80 || line.starts_with("  holdfast") || line.starts_with("Usage")) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
        at = end + 1;
      }
    }
  }
}

TEST(Render, ListsBecomeTablesAndObjectsBecomeLines) {
  EXPECT_EQ(render(JsonView(R"({"schema_version":1,"stores":[{"layout":"a","root":"/r","sessions":1,"bytes":20}],)"
                            R"("total":3,"next":1,"findings":[]})"),
                   {}),
            "layout  sessions  bytes  root\na       1         20     /r\n");
  EXPECT_EQ(render(JsonView(R"({"schema_version":1,"tools":["a","b"],"total":2,"next":null})"), {}), "a\nb\n");
  EXPECT_EQ(render(JsonView(R"({"schema_version":1,"sessions":[],"total":0,"next":null,"findings":[]})"), {}), "");
  EXPECT_EQ(
      render(JsonView(R"({"schema_version":1,"id":"x","session":{"id":"x","title":null,"counts":{"user":2}}})"), {}),
      "id: x\ncounts.user: 2\n");
  EXPECT_EQ(render(JsonView(R"({"schema_version":1,"dry_run":true,"would":"delete it"})"), {}), "would delete it\n");
}

TEST(Render, RemovesEscapesForTerminals) {
  const std::string evil = R"({"schema_version":1,"id":"a\u001b[2Jb\nc","\u001b[1mkey":"v"})";
  EXPECT_EQ(render(JsonView(evil), {}), "id: ab c\nkey: v\n");
  const std::string text = R"({"schema_version":1,"format":"md","text":"a\u001b[2Jb\n"})";
  EXPECT_EQ(render(JsonView(text), {.terminal = true}), "ab\n");
  EXPECT_EQ(render(JsonView(text), {.terminal = false}), "a\x1b[2Jb\n") << "a file gets what was said";
}

}  // namespace
}  // namespace holdfast::inline v1
