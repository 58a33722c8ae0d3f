#include "doors/cli/picker.h"

#include <gtest/gtest.h>

#include "doors/cli/columns.h"
#include "doors/cli/fuzzy.h"
#include "doors/cli/resume_command.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

std::vector<PickRow> rows() {
  std::vector<PickRow> all;
  for (const std::string title : {"Fix the login", "Race in the parser", "日本語のタイトル", "Refactor"})
    all.push_back({"3h ago", "codex", title, title + " /srv/p codex", "01a1-" + std::to_string(all.size())});
  return all;
}

std::vector<PickInput> keys_of(std::string bytes) {
  std::vector<PickInput> all;
  while (!bytes.empty()) all.push_back(take_key(bytes, true));
  return all;
}

Picker::Outcome press(Picker& picker, const std::string& bytes) {
  Picker::Outcome last = Picker::Outcome::stay;
  for (const PickInput& key : keys_of(bytes)) last = picker.press(key);
  return last;
}

TEST(Fuzzy, FindsSubsequencesAndPrefersWords) {
  EXPECT_EQ(fuzzy_score("", "anything"), 0);
  EXPECT_TRUE(fuzzy_score("ftl", "Fix the login"));
  EXPECT_FALSE(fuzzy_score("xyz", "Fix the login"));
  EXPECT_TRUE(fuzzy_score("LOGIN fix", "Fix the login")) << "words in any order, any case";
  EXPECT_GT(*fuzzy_score("login", "the login"), *fuzzy_score("login", "l o g i n"));
  EXPECT_GT(*fuzzy_score("par", "the parser"), *fuzzy_score("par", "a spare"));
}

TEST(PickKeys, ParsesTerminalInput) {
  std::string bytes = "\x1b[A\x1bOB\x1b[6~é\x7f\r\x03";
  const PickKey expected[] = {PickKey::up,    PickKey::down,  PickKey::page_down, PickKey::text,
                              PickKey::erase, PickKey::enter, PickKey::interrupt};
  for (const PickKey key : expected) EXPECT_EQ(take_key(bytes, true).key, key);
  EXPECT_TRUE(bytes.empty());
  bytes = "\x1b";
  EXPECT_EQ(take_key(bytes, false).key, PickKey::none);
  EXPECT_EQ(bytes, "\x1b") << "more may come";
  EXPECT_EQ(take_key(bytes, true).key, PickKey::leave);
  bytes = "\x1b[200~\xff";
  EXPECT_EQ(take_key(bytes, true).key, PickKey::none) << "what we do not know means nothing";
  EXPECT_EQ(take_key(bytes, true).key, PickKey::none);
  EXPECT_TRUE(bytes.empty());
}

TEST(Picker, MovesFiltersAndChooses) {
  Picker picker(rows());
  picker.resize(80, 24);
  EXPECT_EQ(picker.chosen(), 0U);
  press(picker, "\x1b[B\x1b[B");
  EXPECT_EQ(picker.chosen(), 2U);
  press(picker, "\x1b[A\x1b[A\x1b[A");
  EXPECT_EQ(picker.chosen(), 0U) << "not beyond the first";
  EXPECT_EQ(press(picker, "par\r"), Picker::Outcome::show);
  EXPECT_EQ(picker.chosen(), 1U);
  press(picker, "\x15");
  EXPECT_EQ(press(picker, "r"), Picker::Outcome::stay) << "a letter filters, the first one too";
  EXPECT_EQ(picker.query(), "r");
  EXPECT_EQ(press(picker, "\x12"), Picker::Outcome::resume);
  EXPECT_EQ(press(picker, "\x0f"), Picker::Outcome::hand_off);
  EXPECT_EQ(press(picker, "\t"), Picker::Outcome::print);
  press(picker, "zzzz");
  EXPECT_EQ(picker.chosen(), Picker::npos);
  EXPECT_EQ(press(picker, "\t"), Picker::Outcome::stay);
  EXPECT_EQ(press(picker, "\r"), Picker::Outcome::stay) << "nothing to show";
  EXPECT_EQ(press(picker, "\x1b"), Picker::Outcome::leave);
  EXPECT_EQ(press(picker, "\x03"), Picker::Outcome::interrupted);
}

TEST(Picker, MatchesIdsByPrefixOnly) {
  Picker picker(rows());
  press(picker, "01a1-2");
  EXPECT_EQ(picker.chosen(), 2U);
  press(picker,
        "\x15"
        "1a1");
  EXPECT_EQ(picker.chosen(), Picker::npos) << "not its middle";
}

TEST(Picker, ContentMatchesLastUntilTheNextKey) {
  Picker picker(rows());
  press(picker, "fix");
  EXPECT_EQ(picker.chosen(), 0U);
  picker.set_content_matches({3, 0});
  EXPECT_EQ(picker.chosen(), 0U) << "the choice stays";
  press(picker, "\x1b[B");
  EXPECT_EQ(picker.chosen(), 3U);
  press(picker, "\x1b[B");
  EXPECT_EQ(picker.chosen(), 3U) << "each once";
  press(picker, "zz");
  EXPECT_EQ(picker.chosen(), Picker::npos);
}

TEST(Picker, SubsequencesMatchTitlesOnlyAndRankLast) {
  Picker picker(rows());
  press(picker, "ftl");
  EXPECT_EQ(picker.chosen(), 0U) << "Fix The Login";
  picker.set_content_matches({2});
  EXPECT_EQ(picker.chosen(), 2U) << "what was said comes before it, and the first row is the chosen one";
  press(picker, "\x1b[B");
  picker.set_content_matches({2, 3});
  EXPECT_EQ(picker.chosen(), 0U) << "a choice that was made stays";
  press(picker,
        "\x15"
        "svp");
  EXPECT_EQ(picker.chosen(), Picker::npos) << "not in the path of a project";
  press(picker,
        "\x15"
        "srv");
  EXPECT_EQ(picker.chosen(), 0U);
}

TEST(Picker, EveryLineFitsTheScreen) {
  for (const std::size_t columns : {10UL, 20UL, 80UL, 99UL, 100UL, 200UL}) {
    for (const std::size_t height : {3UL, 9UL, 24UL, 60UL}) {
      Picker picker(rows());
      picker.resize(columns, height);
      std::string picture = picker.picture({std::string("日本語 preview ") + std::string(300, 'x')}, true);
      ASSERT_TRUE(picture.starts_with("\x1b[H"));
      picture.erase(0, 3);
      std::size_t lines = 1;
      for (std::size_t at = 0; (at = picture.find("\r\n", at)) != std::string::npos; ++at) ++lines;
      EXPECT_EQ(lines, height);
      std::string_view rest = picture;
      while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(std::min(rest.size(), line.size() + 2));
        EXPECT_LE(shown_width(line), columns) << line;
      }
    }
  }
}

TEST(ResumeCommand, UsesTheAgentsOwnCommand) {
  Machine machine;
  machine.variable = [](std::string_view name) { return std::string(name == "HOME" ? "/h" : ""); };
  machine.exists = [](const std::string&) { return true; };
  const auto command = [&](const std::string& layout, const std::string& project, const std::string& root) {
    return resume_line(JsonView(R"({"id":"abc","layout":")" + layout + R"(","store":")" + layout + ":" + root +
                                R"(","path":"s/x.jsonl","project":")" + project + "\"}"),
                       machine)
        .value_or("");
  };
  EXPECT_EQ(command("claude-code", "/srv/p", "/h/.claude"), "cd /srv/p && claude --resume abc");
  EXPECT_EQ(command("codex", "/srv/it's $here", "/h/.codex"), "cd '/srv/it'\\''s $here' && codex resume abc");
  EXPECT_EQ(command("holdfast", "/srv/p", "/h"), "holdfast session resume abc");
  EXPECT_EQ(command("linggen", "", "/h"), "holdfast session resume abc --store linggen:/h");
  EXPECT_EQ(command("pi", "/srv/p", "/h"), "cd /srv/p && pi --session /h/s/x.jsonl");
  EXPECT_EQ(command("gemini", "/srv/p", "/h/.gemini"), "cd /srv/p && gemini --resume abc");
  EXPECT_EQ(command("qwen", "/srv/p", "/h/.qwen"), "cd /srv/p && qwen --resume abc");
  EXPECT_EQ(command("copilot", "/srv/p", "/h/.copilot"), "cd /srv/p && copilot --resume=abc");
  EXPECT_EQ(command("opencode", "/srv/p", "/h/.local/share/opencode"), "cd /srv/p && opencode --session abc");
  EXPECT_EQ(command("openclaw", "/srv/p", "/h/.openclaw"), "");
  EXPECT_EQ(command("continue", "/srv/p", "/h/.continue"), "cd /srv/p && cn --fork abc");
  EXPECT_EQ(command("claude-code", "/srv/p", "/o"), "cd /srv/p && CLAUDE_CONFIG_DIR=/o claude --resume abc");
  EXPECT_EQ(command("opencode", "/srv/p", "/o/opencode"), "cd /srv/p && XDG_DATA_HOME=/o opencode --session abc");
  EXPECT_EQ(command("gemini", "/srv/p", "/o"), "") << "it would not find the session";
  EXPECT_EQ(shell_word("$(rm -rf ~)"), "'$(rm -rf ~)'");
}

}  // namespace
}  // namespace holdfast::inline v1
