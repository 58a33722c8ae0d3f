#include "doors/cli/help.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <vector>

#include "doors/cli/noun_args.h"
#include "doors/cli/noun_help.h"

namespace holdfast::inline v1 {
namespace {

// The first part of a sentence that fits on a line. Cuts at a comma only if the part is too long otherwise,
// because a comma may be inside a list.
std::string brief(const std::string& help) {
  constexpr std::size_t kRoom = 80 - 17;
  std::string half = help.substr(0, help.find_first_of(";:"));
  if (half.size() > kRoom) half = half.substr(0, half.find(','));
  return half.size() <= kRoom ? half : half.substr(0, half.find(" and "));
}

std::string option_lines(std::span<const Option> options) {
  std::string text;
  for (const auto& option : options)
    if (!option.hidden) text += option_line(spelling(option), option.text);
  return text;
}

// Commands in the order in which people look for them; those that this build lacks are left out.
using Names = std::span<const std::string_view>;
constexpr std::string_view kLook[] = {"ls",     "show",  "search", "pick",    "resume", "stats",
                                      "export", "share", "serve",  "archive", "sync"};
constexpr std::string_view kRepair[] = {"verify", "rescue", "restore", "doctor"};
constexpr std::string_view kPrograms[] = {"call", "rpc", "mcp", "api"};
struct Group {
  std::string_view title;
  Names names;
};
constexpr Group kGroups[] = {{"Look at sessions", kLook}, {"Repair", kRepair}};

// A noun and its verbs, in as many lines of 80 columns as needed.
std::string noun_lines(std::string_view noun) {
  constexpr std::size_t kWidth = 80 - 17;
  const std::string verbs = noun_summary(noun);
  std::string text;
  for (std::size_t at = 0; at < verbs.size();) {
    std::size_t end = verbs.size();
    if (end - at > kWidth) end = verbs.rfind(", ", at + kWidth - 1) + 1;
    if (end <= at) end = verbs.size();
    text += fmt::format("  {:<14} {}\n", at == 0 ? noun : std::string_view(), verbs.substr(at, end - at));
    at = std::min(verbs.find_first_not_of(' ', end), verbs.size());
  }
  return text;
}

// Empty if there is no such command.
std::string summary_of(std::string_view name) {
  if (const Operation* const operation = find_shortcut(name)) return brief(help_of(*operation));
  const Command* const command = find_command(name);
  if (command != nullptr) return command->hidden ? std::string() : std::string(command->summary);
  return is_noun(name) ? noun_summary(name) : std::string();
}

std::string summary_lines(Names names) {
  std::string text;
  for (const std::string_view name : names) {
    const std::string summary = summary_of(name);
    if (find_shortcut(name) == nullptr && is_noun(name))
      text += noun_lines(name);
    else if (!summary.empty())
      text += fmt::format("  {:<14} {}\n", name, summary);
  }
  return text;
}

std::vector<std::string_view> ungrouped() {
  std::vector<std::string_view> names;
  for (const Operation& operation : operations())
    if (!operation.command.empty()) names.push_back(operation.command);
  for (const Command& command : commands())
    if (!command.hidden) names.push_back(command.name);
  const auto is_in = [](Names all, std::string_view name) { return std::ranges::find(all, name) != all.end(); };
  std::erase_if(names, [&](std::string_view name) {
    return is_in(kPrograms, name) ||
           std::ranges::any_of(kGroups, [&](const Group& group) { return is_in(group.names, name); });
  });
  return names;
}

}  // namespace

std::string spelling(const Option& option) {
  const std::string name =
      option.value.empty() ? std::string(option.name) : fmt::format("{} {}", option.name, option.value);
  return option.letter == '\0' ? name : fmt::format("-{}, {}", option.letter, name);
}

std::string usage_line(const Command& command) {
  constexpr std::size_t kRoom = 80 - 7;  // after "Usage: "
  std::string options;
  for (const auto& option : command.options)
    if (!option.hidden) options += fmt::format(" [{}]", spelling(option));
  const std::string name = fmt::format("holdfast {}", command.name);
  const std::string arguments = command.arguments.empty() ? "" : fmt::format(" {}", command.arguments);
  // If there are many, they are listed below.
  return name + (name.size() + options.size() + arguments.size() <= kRoom ? options : " [OPTIONS]") + arguments;
}

std::string help_text() {
  std::string text = "Holdfast finds, shows and keeps the sessions of AI coding agents.\n\n";
  text += "Usage: holdfast COMMAND [OPTIONS]\n";
  for (const Group& group : kGroups) text += "\n" + std::string(group.title) + "\n" + summary_lines(group.names);
  text += "\nMore commands\n" + summary_lines(ungrouped());
  text += "\nFor agents and scripts\n  Run holdfast help agents to list the nouns, call and rpc.\n";
  text += "\nGlobal options\n" + option_lines(global_options());
  text += option_line("--version", "print the version");
  text += "\nRun holdfast help COMMAND for details and examples.\n";
  return text;
}

std::string agents_help_text() {
  std::string text =
      "Commands for agents and scripts. Each runs one operation on one store; holdfast\n"
      "call and holdfast rpc serve the same operations as JSON.\n\n";
  text += "Usage: holdfast NOUN VERB [OPTIONS]\n\nNouns and their verbs\n";
  for (const auto noun : nouns()) text += noun_lines(noun);
  text += "\nPrograms\n" + summary_lines(kPrograms);
  text += "\nRun holdfast help NOUN for a noun, holdfast help NOUN VERB for a verb.\n";
  return text;
}

std::string help_text(const Command& command) {
  std::string text = fmt::format("holdfast {}: {}\n\nUsage: {}\n\n{}\n", command.name, command.summary,
                                 usage_line(command), command.text);
  text += "\nOptions\n" + option_lines(command.options) + option_lines(shared_options(command));
  if (!command.examples.empty()) text += "\nExamples\n";
  std::size_t width = 0;
  for (const auto& example : command.examples) width = std::max(width, example.line.size());
  for (const auto& example : command.examples) text += fmt::format("  {:<{}}  {}\n", example.line, width, example.text);
  return text;
}

std::string help_markdown() {
  std::string text =
      "# The command line\n\nMade by `holdfast help --markdown` from the table in src/doors/cli/commands.cc; ";
  text += "a test compares the two.\n";
  const auto table = [&](std::string_view title, Names names) {
    text += fmt::format("\n| {} | |\n|---|---|\n", title);
    for (const std::string_view name : names)
      if (const std::string summary = summary_of(name); !summary.empty())
        text += fmt::format("| `holdfast {}` | {} |\n", name, summary);
  };
  for (const Group& group : kGroups) table(group.title, group.names);
  table("More commands", ungrouped());
  table("For agents and scripts", kPrograms);
  text += "\nGlobal options, before or after the name of the command:\n\n| option | |\n|---|---|\n";
  for (const auto& option : global_options()) text += fmt::format("| `{}` | {} |\n", spelling(option), option.text);
  text += "| `--version` | print the version |\n";
  text +=
      "\nData goes to standard output, everything else to standard error. With `--json` an error is\n"
      "`{\"error\":{\"code\":…,\"message\":…,\"path\":…,\"os_error\":…}}` on standard error, with `findings` in it if\n"
      "the command moved aside or repaired something before it failed.\n";
  text += "\n| exit code | |\n|---|---|\n";
  for (const auto& code : exit_codes()) text += fmt::format("| {} | {} |\n", code.number, code.meaning);
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    text += fmt::format("\n## holdfast {}\n\n```\n{}\n```\n\n{}\n", command.name, usage_line(command), command.text);
    std::string rows;
    for (const auto& option : command.options)
      if (!option.hidden) rows += fmt::format("| `{}` | {} |\n", spelling(option), option.text);
    if (!rows.empty()) text += "\n| option | |\n|---|---|\n" + rows;
    if (command.examples.empty()) continue;
    text += "\n```\n";
    for (const auto& example : command.examples) text += fmt::format("{}    # {}\n", example.line, example.text);
    text += "```\n";
  }
  return text + shortcuts_markdown() + nouns_markdown();
}

std::string help_text(std::string_view topic) {
  if (topic.empty()) return help_text();
  if (topic == "agents") return agents_help_text();
  const auto space = topic.find(' ');
  const Operation* const shortcut = find_shortcut(topic);
  if (space == std::string_view::npos && is_noun(topic))
    return (shortcut == nullptr ? "" : operation_help_text(*shortcut) + "\n") + noun_help_text(topic);
  if (shortcut != nullptr) return operation_help_text(*shortcut);
  if (space == std::string_view::npos) return help_text(*find_command(topic));
  for (const Operation* operation : operations_of(topic.substr(0, space))) {
    if (operation->verb() == topic.substr(space + 1)) return operation_help_text(*operation);
  }
  return help_text();
}

}  // namespace holdfast::inline v1
