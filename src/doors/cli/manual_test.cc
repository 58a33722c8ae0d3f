#include "doors/cli/manual.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/operation.h"
#include "doors/cli/commands.h"
#include "doors/cli/noun_args.h"

namespace holdfast::inline v1 {
namespace {

TEST(Manual, HasAPageForEveryCommandAndNoun) {
  const auto pages = manual_pages();
  const auto has = [&](std::string_view name) {
    return std::ranges::count(pages, "holdfast-" + std::string(name), &ManualPage::name) == 1;
  };
  EXPECT_EQ(pages.front().name, "holdfast");
  for (const Command& command : commands()) EXPECT_EQ(has(command.name), !command.hidden) << command.name;
  for (const Operation& operation : operations()) {
    EXPECT_TRUE(operation.command.empty() || has(operation.command)) << operation.command;
  }
  for (const auto noun : nouns()) EXPECT_TRUE(has(noun)) << noun;
}

TEST(Manual, PagesUseOnlyAsciiAndKnownRequests) {
  for (const ManualPage& page : manual_pages()) {
    EXPECT_TRUE(std::ranges::all_of(page.text, [](char c) { return c == '\n' || (c >= ' ' && c < '\x7f'); }))
        << page.name;
    std::string_view rest = page.text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (!line.starts_with('.') && !line.starts_with('\'')) continue;
      const std::string_view request = line.substr(0, line.find(' '));
      constexpr std::string_view kKnown[] = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".EX", ".EE", ".\\\""};
      EXPECT_NE(std::ranges::find(kKnown, request), std::end(kKnown)) << page.name << ": " << line;
    }
  }
  EXPECT_NE(manual_page("call").find("holdfast call session.create \\(aq{\\(dqtitle"), std::string::npos);
  EXPECT_TRUE(manual_page("").find(".TH HOLDFAST 1") != std::string::npos);
}

TEST(Manual, KeepsCaseOfCommandWords) {
  const std::string show = manual_page("show");
  EXPECT_NE(show.find("\ntext: for a terminal (default on the command line); "), std::string::npos) << show;
  EXPECT_NE(show.find("\nShow thinking in full (text).\n"), std::string::npos) << show;
  EXPECT_NE(show.find("\nAn id, a prefix of one, "), std::string::npos) << show;
  EXPECT_EQ(show.find("md, json, yaml, text, html"), std::string::npos) << "each word was told of";
  EXPECT_NE(manual_page("session").find("(default subagent); one of fork, resume, subagent.\n"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
