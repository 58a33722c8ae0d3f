#include "doors/cli/args.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "api/suggest.h"
#include "base/paths_testing.h"
#include "doors/cli/help.h"
#include "doors/cli/terminal.h"

namespace holdfast::inline v1 {
namespace {

using Words = std::vector<std::string>;

template <typename T>
T action(const Words& words) {
  const auto parsed = parse_arguments(words);
  EXPECT_TRUE(parsed) << parsed.error().text();
  const auto* found = parsed ? std::get_if<T>(&parsed->action) : nullptr;
  EXPECT_NE(found, nullptr);
  return found == nullptr ? T{} : *found;
}

std::string problem(const Words& words) {
  const auto parsed = parse_arguments(words);
  if (parsed) return "none";
  EXPECT_EQ(parsed.error().code, Code::invalid_argument);
  EXPECT_EQ(exit_code_of(parsed.error().code), 2);
  return parsed.error().message;
}

TEST(Args, ParseIntoActions) {
  action<ShowOverview>({});
  action<ShowVersion>({"--version"});
  EXPECT_EQ(action<ShowHelp>({"--help"}).command, "");
  EXPECT_EQ(action<ShowHelp>({"-h"}).command, "");
  EXPECT_EQ(action<ShowHelp>({"demo", "--help"}).command, "demo");
  EXPECT_EQ(action<ShowHelp>({"demo", "-h"}).command, "demo");
  EXPECT_EQ(action<ShowHelp>({"help", "demo"}).command, "demo");
  EXPECT_TRUE(action<ShowHelp>({"help", "--markdown"}).markdown);
  EXPECT_EQ(action<DemoOptions>({"demo"}).seconds, 8);
  const auto demo = action<DemoOptions>({"--json", "demo", "--seconds", "3", "--keep"});
  EXPECT_EQ(demo.seconds, 3);
  EXPECT_TRUE(demo.keep);
  EXPECT_EQ(action<DemoOptions>({"demo", "--seconds=3", "--json"}).seconds, 3);
  EXPECT_EQ(action<DemoOptions>({"demo", "--seconds=3", "--seconds=4"}).seconds, 4);
  const auto writer = action<DemoWriterOptions>({"demo-writer", "--root", "/r", "--writer", "2", "--life", "3", "--log",
                                                 "l", "--document", "d", "--shared", "--large"});
  EXPECT_EQ(writer.life, 3U);
  EXPECT_EQ(writer.mode, LogMode::shared);
  EXPECT_TRUE(writer.large);
}

TEST(Args, AcceptCommonOptionSpellings) {
  for (const Words& words :
       {Words{"tail", "-n", "2", "-f", "x"}, Words{"tail", "x", "-fn2"}, Words{"tail", "-n2", "x", "--follow"},
        Words{"tail", "--follow", "--count=2", "x"}, Words{"tail", "-f", "-n", "2", "--", "x"}}) {
    const auto tail = action<TailSession>(words);
    EXPECT_EQ(tail.count, 2U) << words[1];
    EXPECT_TRUE(tail.follow) << words[1];
    EXPECT_EQ(tail.id, "x") << words[1];
  }
  EXPECT_EQ(action<CallMethod>({"call", "m", "-"}).params, "-");
}

TEST(Args, ParseColourChoice) {
  EXPECT_EQ(parse_arguments({"demo", "--color=never"})->colour, ColourChoice::never);
  EXPECT_EQ(parse_arguments({"--color", "always", "demo"})->colour, ColourChoice::always);
  EXPECT_EQ(problem({"demo", "--color=blue"}), "--color must be auto, always or never, not \"blue\"");
}

TEST(Args, MistakesGetAHint) {
  EXPECT_EQ(problem({"dmeo"}), "unknown command dmeo; did you mean demo?");
  EXPECT_EQ(problem({"frobnicate"}), "unknown command frobnicate; see holdfast help");
  EXPECT_EQ(problem({"demo", "--secnods", "3"}), "unknown option --secnods; did you mean --seconds?");
  EXPECT_EQ(problem({"demo", "--zzz"}), "unknown option --zzz; see holdfast help demo");
  EXPECT_EQ(problem({"--versoin"}), "unknown option --versoin; did you mean --version?");
  EXPECT_EQ(problem({"demo", "more"}), "demo does not take \"more\"");
  EXPECT_EQ(problem({"demo", "--seconds", "0"}), "--seconds must be a number from 1 to 3600, not \"0\"");
  EXPECT_EQ(problem({"demo", "--seconds", "3x"}), "--seconds must be a number from 1 to 3600, not \"3x\"");
  EXPECT_EQ(problem({"demo", "--seconds"}), "--seconds needs a value");
  EXPECT_EQ(problem({"demo", "--seconds="}), "--seconds needs a value, but is empty");
  EXPECT_EQ(problem({"demo", "--keep=yes"}), "--keep takes no value");
  EXPECT_EQ(problem({"tail", "-x"}), "unknown option -x; see holdfast help tail");
  EXPECT_EQ(problem({"--store", "holdfast:/x", "rpc"}), "unknown option --store; see holdfast help");
  EXPECT_EQ(problem({"help", "dem"}), "unknown command dem; did you mean demo?");
  EXPECT_EQ(problem({"help", "demo-writer"}), "unknown command demo-writer; see holdfast help");
  EXPECT_EQ(problem({"demo-writer"}), "demo-writer is started by holdfast demo");
}

TEST(Suggest, SuggestsOnlyNearMatches) {
  const std::string_view choices[] = {"demo", "help", "export"};
  EXPECT_EQ(nearest("demo", choices), "demo");
  EXPECT_EQ(nearest("hepl", choices), "help");
  EXPECT_EQ(nearest("exprt", choices), "export");
  EXPECT_EQ(nearest("abc", choices), std::nullopt);
  EXPECT_EQ(nearest("", choices), std::nullopt);
  EXPECT_EQ(nearest(std::string(10'000, 'd'), choices), std::nullopt);
}

TEST(Errors, TextJsonAndExitCodes) {
  const Error error{Code::disk_full, "cannot append", "a.jsonl", 28};
  EXPECT_EQ(error_text(error, false), "holdfast: cannot append (a.jsonl)\n");
  EXPECT_EQ(error_text(error, true),
            R"({"error":{"code":"disk_full","message":"cannot append","path":"a.jsonl","os_error":28}})"
            "\n");
  EXPECT_EQ(exit_code_of(Code::disk_full), 5);
  EXPECT_EQ(exit_code_of(Code::cancelled), 130);
  EXPECT_EQ(exit_code_of(Code::corrupt), 4);
  EXPECT_EQ(exit_code_of(Code::not_found), 3);
  EXPECT_EQ(exit_code_of(Code::busy), 6);
}

void expect_width(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Help, FitsTheScreenAndOmitsHiddenCommands) {
  expect_width(help_text());
  EXPECT_EQ(help_text().find("demo-writer"), std::string::npos);
  for (const auto& command : commands()) {
    expect_width(help_text(command));
    EXPECT_EQ((help_text() + help_text("agents")).find(command.summary) == std::string::npos, command.hidden);
  }
  expect_width(help_text("agents"));
}

TEST(Help, CliMarkdownIsUpToDate) {
  std::ifstream file(paths::source() + "/docs/cli.md", std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), help_markdown())
      << "holdfast help --markdown > docs/cli.md";
}

}  // namespace
}  // namespace holdfast::inline v1
