#include "doors/cli/complete.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/operation.h"
#include "doors/cli/commands.h"
#include "doors/cli/noun_args.h"
#include "doors/cli/noun_help.h"

namespace holdfast::inline v1 {
namespace {

using Words = std::vector<std::string>;

CompletionSources sources() {
  return {[] { return std::vector<Candidate>{{"7772aa", "codex  Fix it"}, {"ses_k7f3", "holdfast  Other"}}; },
          [] { return std::vector<Candidate>{{"codex:/h/.codex", ""}}; }};
}

Words words(const Words& typed) {
  const Completion found = complete_words(typed, sources());
  Words all;
  for (const Candidate& one : found.words) all.push_back(one.word);
  return all;
}

bool offers(const Words& typed, std::string_view word) { return std::ranges::count(words(typed), word) == 1; }

TEST(Complete, CommandsNounsAndVerbs) {
  EXPECT_TRUE(offers({""}, "ls"));
  EXPECT_TRUE(offers({""}, "session"));
  EXPECT_TRUE(offers({""}, "demo"));
  EXPECT_FALSE(offers({""}, "demo-writer")) << "hidden";
  EXPECT_EQ(words({"dem"}), (Words{"demo"}));
  EXPECT_EQ(words({"--json", "dem"}), (Words{"demo"}));
  EXPECT_EQ(words({"--color", "always", "dem"}), (Words{"demo"}));
  EXPECT_EQ(words({"session", "cre"}), (Words{"create"}));
  EXPECT_EQ(words({"help", "session", "cre"}), (Words{"create"}));
  EXPECT_EQ(words({"nothing", ""}), (Words{}));
}

TEST(Complete, OptionsAndTheirValues) {
  EXPECT_EQ(words({"stats", "--b"}), (Words{"--by"}));
  EXPECT_EQ(words({"stats", "--by", "mo"}), (Words{"month", "model"}));
  EXPECT_EQ(words({"stats", "--by=mo"}), (Words{"--by=month", "--by=model"}));
  EXPECT_EQ(words({"--color", ""}), (Words{"auto", "always", "never"}));
  EXPECT_EQ(words({"ls", "--layout", "cod"}), (Words{"codex"}));
  EXPECT_TRUE(offers({"ls", "--store", "co"}, "codex:/h/.codex"));
  EXPECT_EQ(words({"session", "delete", "--ye"}), (Words{"--yes"}));
  EXPECT_EQ(words({"--vers"}), (Words{"--version"}));
  EXPECT_EQ(words({"sync", "--ev"}), (Words{}));
  EXPECT_EQ(words({"sync", "nas", "--watch", "--ev"}), (Words{"--every"}));
  EXPECT_EQ(complete_words({"ls", "--project", ""}, sources()).kind, Completion::Kind::directories);
  EXPECT_EQ(complete_words({"import", ""}, sources()).kind, Completion::Kind::files);
}

TEST(Complete, SessionIdsWhereOneIsExpected) {
  EXPECT_EQ(words({"show", ""}), (Words{"@last", "7772aa", "ses_k7f3"}));
  EXPECT_EQ(words({"tail", "-f", "77"}), (Words{"7772aa"}));
  EXPECT_EQ(words({"session", "delete", "ses"}), (Words{"ses_k7f3"}));
  EXPECT_EQ(words({"show", "7772aa", ""}), (Words{})) << "one is enough";
  EXPECT_EQ(words({"ls", ""}), (Words{}));
}

// Everything in the tables can be completed with the tab key.
TEST(Complete, OffersEveryOptionOfTheTables) {
  for (const Operation& operation : operations()) {
    if (operation.verb().empty() || !is_noun(operation.noun())) continue;
    for (const Parameter& parameter : parameters_of(operation)) {
      if (parameter.positional || is_hidden_parameter(parameter)) continue;
      EXPECT_TRUE(offers({std::string(operation.noun()), std::string(operation.verb()), flag_of(parameter)},
                         flag_of(parameter)))
          << operation.method << " " << parameter.name;
    }
  }
  for (const Command& command : commands()) {
    for (const Option& option : command.options) {
      if (command.hidden || option.hidden) continue;
      EXPECT_TRUE(offers({std::string(command.name), std::string(option.name)}, option.name)) << command.name;
    }
  }
}

TEST(Complete, HasScriptsForThreeShells) {
  for (const std::string_view shell : {"bash", "zsh", "fish"})
    EXPECT_NE(completion_script(shell).find("complete --"), std::string_view::npos) << shell;
  EXPECT_EQ(completion_script("tcsh"), "");
  EXPECT_EQ(completion_lines({Completion::Kind::words, {{"ls", "list"}}}), "words\nls\tlist\n");
  EXPECT_EQ(completion_lines({Completion::Kind::files, {}}), "files\n");
}

}  // namespace
}  // namespace holdfast::inline v1
