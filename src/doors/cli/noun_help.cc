#include "doors/cli/noun_help.h"

#include <fmt/core.h>

#include "api/command_line.h"
#include "base/ascii.h"
#include "doors/cli/api_words.h"
#include "doors/cli/noun_args.h"
#include "doors/cli/render_cells.h"

namespace holdfast::inline v1 {
namespace {

std::string capitalised(std::string_view help) {
  std::string text(help);
  if (!text.empty()) text[0] = ascii_upper(text[0]);
  return text;
}

// The placeholder of an option's value, if its name says more than its type.
std::string_view named_value(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"agent", "AGENT"},   {"branch", "MESSAGE"}, {"code", "CODE"},      {"cursor", "CURSOR"},
      {"ended_at", "TIME"}, {"id", "ID"},          {"layout", "LAYOUT"},  {"fetch", "all|30d|PROJECT"},
      {"leaf", "MESSAGE"},  {"machine", "NAME"},   {"model", "MODEL"},    {"module", "MODULE"},
      {"name", "NAME"},     {"output", "PATH"},    {"parent", "ID"},      {"remote", "NAME"},
      {"run_id", "ID"},     {"session", "ID"},     {"since", "TIME"},     {"store", "STORE"},
      {"tag", "TAG"},       {"thread", "ID"},      {"timestamp", "TIME"}, {"until", "TIME"},
      {"with", "NAME"},
  };
  for (const auto& [known, value] : kNames)
    if (name == known) return value;
  return {};
}

std::string_view value_name(const Parameter& parameter) {
  if (!parameter.words.empty()) return "WORD";
  switch (parameter.type) {
    case ParamType::integer:
    case ParamType::number: return "N";
    case ParamType::object:
    case ParamType::array:
    case ParamType::any: return "JSON";
    default: break;
  }
  if (parameter.secret) return "-";
  if (parameter.file) return "FILE";
  const std::string_view named = named_value(parameter.name);
  return !named.empty() ? named : parameter.path ? "DIR" : "TEXT";
}

std::string value_of(const Parameter& parameter) {
  return parameter.type == ParamType::boolean ? "" : " " + std::string(value_name(parameter));
}

// The placeholder of a positional parameter.
std::string position_name(const Parameter& parameter) {
  return parameter.file ? "FILE" : in_upper_case(parameter.name);
}

bool mentions(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t at) { return at < text.size() && is_ascii_letter(text[at]); };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
  }
  return false;
}

// The allowed words, unless the help describes each of them.
std::string words_of(const Parameter& parameter) {
  if (parameter.secret) return ", from standard input (-) or @FILE";
  if (parameter.words.size() == 1) return ": " + std::string(parameter.words.front());
  std::string text;
  bool told = true;
  for (const auto word : parameter.words) {
    text += (text.empty() ? "; one of " : ", ") + std::string(word);
    told = told && mentions(parameter.help, word);
  }
  return told ? std::string() : text;
}

}  // namespace

std::string option_line(std::string_view name, std::string_view text) {
  constexpr std::size_t kText = 23, kWidth = 80;
  const std::string head = fmt::format("  {:<20} ", name);
  if (name.size() + 3 < kText) return wrapped(head, std::string(text), kWidth);
  return fmt::format("  {}\n", name) + wrapped(std::string(kText, ' '), std::string(text), kWidth);
}

bool is_hidden_parameter(const Parameter& parameter) { return parameter.name == "colour"; }

// Options that turn a command into another operation.
std::vector<OptionHelp> more_options(const Operation& operation) {
  if (operation.command == "sync") return {{"--watch", "keep syncing until stopped; see holdfast sync watch --help"}};
  if (operation.command != "rescue") return {};
  return {{"--install", "install the copy where the agent finds it; the damaged file is kept next to it"},
          {"--undo", "remove an installed copy and put the damaged file back"},
          {"-y, --yes", "with --install or --undo: do not ask"}};
}

std::string spelled_parameter(const Parameter& parameter) {
  return parameter.positional ? position_name(parameter) : flag_of(parameter) + value_of(parameter);
}

namespace {

// "holdfast session create", and what follows it: an argument, an option with its value.
std::vector<std::string> usage_parts(const Operation& operation) {
  std::vector<std::string> parts{"holdfast " + command_name(operation)};
  for (const Parameter& parameter : operation.parameters) {
    if (!parameter.positional) continue;
    const std::string name = position_name(parameter) + (parameter.rest ? "..." : "");
    parts.push_back(parameter.required ? name : "[" + name + "]");
  }
  const bool installs = operation.command == "rescue";  // instead of its required option
  for (const Parameter& parameter : operation.parameters) {
    if (!parameter.required || parameter.positional) continue;
    const std::string needed = spelled_parameter(parameter);
    parts.push_back(installs ? "(" + needed + " | --install | --undo)" : needed);
  }
  parts.emplace_back("[OPTIONS]");
  return parts;
}

// In lines of at most 80 columns that break only between parts.
std::string usage_lines(const Operation& operation) {
  constexpr std::size_t kWidth = 80;
  const auto parts = usage_parts(operation);
  std::string text, line = "Usage: " + parts.front();
  const std::string indent(line.size(), ' ');
  for (std::size_t at = 1; at < parts.size(); ++at) {
    if (line.size() + 1 + parts[at].size() > kWidth) {
      text += line + "\n";
      line = indent;
    }
    line += " " + parts[at];
  }
  return text + line + "\n";
}

}  // namespace

std::string usage_of(const Operation& operation) {
  std::string line;
  for (const std::string& part : usage_parts(operation)) line += (line.empty() ? "" : " ") + part;
  return line;
}

std::string help_of(const Operation& operation) { return in_cli_words(operation, operation.help); }

std::vector<OptionHelp> options_of(const Operation& operation) {
  std::vector<OptionHelp> all;
  for (const Parameter& parameter : parameters_of(operation)) {
    if (is_hidden_parameter(parameter)) continue;
    const std::string brief = parameter.letter == '\0' ? "" : fmt::format("-{}, ", parameter.letter);
    all.push_back({parameter.positional ? position_name(parameter) : brief + spelled_parameter(parameter),
                   in_cli_words(operation, parameter.help) + words_of(parameter)});
  }
  for (const OptionHelp& option : more_options(operation)) all.push_back(option);
  if (operation.destructive()) all.push_back({"-y, --yes", "do not ask"});
  if (operation.command == "ls")
    all.push_back(
        {"-0, --print0", "print only LAYOUT/ID of each session, NUL-terminated, for xargs -0 and fzf --read0"});
  all.push_back({"--json", "print the result as one JSON document"});
  return all;
}

std::string noun_summary(std::string_view noun) {
  std::string text;
  for (const Operation* operation : operations_of(noun))
    text += (text.empty() ? "" : ", ") + std::string(operation->verb());
  return text;
}

std::string noun_help_text(std::string_view noun) {
  std::string text = fmt::format("Usage: holdfast {} VERB [ARGUMENTS]\n\n", noun);
  for (const Operation* operation : operations_of(noun)) text += option_line(operation->verb(), help_of(*operation));
  return text + fmt::format("\nRun holdfast {} VERB --help for details.\n", noun);
}

std::string operation_help_text(const Operation& operation) {
  std::string text = wrapped("", fmt::format("holdfast {}: {}", command_name(operation), help_of(operation)), 80);
  text += "\n" + usage_lines(operation) + "\n";
  for (const OptionHelp& option : options_of(operation)) text += option_line(option.name, option.text);
  if (!operation.example.empty()) text += fmt::format("\nExample\n  holdfast {}\n", operation.example);
  return text;
}

std::string shortcuts_markdown() {
  std::string text;
  for (const Operation& operation : operations()) {
    if (operation.command.empty()) continue;
    text += fmt::format("\n## holdfast {}\n\n```\n{}\n```\n\n{} (`{}` of the api)\n\n| option | |\n|---|---|\n",
                        operation.command, usage_of(operation), capitalised(help_of(operation)), operation.method);
    for (const OptionHelp& option : options_of(operation))
      text += fmt::format("| `{}` | {} |\n", option.name, option.text);
    if (!operation.example.empty()) text += fmt::format("\n```\nholdfast {}\n```\n", operation.example);
  }
  return text;
}

std::string nouns_markdown() {
  std::string text =
      "\n## holdfast NOUN VERB\n\nOne command for every operation of docs/api.md. Parameters are options (`owner_pid` "
      "is\n"
      "`--owner-pid`), those in capitals are given without their name. `ID` is an id, an unambiguous prefix of one, "
      "`@last`, or\n"
      "`LAYOUT/ID`. `--json` prints the answer of the api, `--dry-run` changes nothing. Destructive verbs say what "
      "they\n"
      "will do and ask on a terminal; elsewhere they need `--yes`. `--store LAYOUT:ROOT` names the store.\n";
  for (const auto noun : nouns()) {
    text += fmt::format("\n### {}\n\n| command | |\n|---|---|\n", noun);
    for (const Operation* operation : operations_of(noun))
      text += fmt::format("| `{}` | {} |\n", usage_of(*operation).substr(9), help_of(*operation));
  }
  return text;
}

}  // namespace holdfast::inline v1
