#include "doors/cli/manual.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "base/version.h"
#include "doors/cli/help.h"
#include "doors/cli/noun_args.h"
#include "doors/cli/noun_help.h"

namespace holdfast::inline v1 {
namespace {

// Escapes text for troff: no escape sequence, no request, no dash that becomes a hyphen, and only ASCII.
std::string plain(std::string_view text) {
  std::string out;
  bool fresh = true;  // at the start of a line
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (fresh && (c == '.' || c == '\'')) out += "\\&";
    fresh = c == '\n';
    if (const std::size_t length = utf8_length(text, at); length > 1) {
      auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(c) & (0xFFU >> (length + 1)));
      for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
      out += fmt::format("\\[u{:04X}]", code);
      at += length;
      continue;
    }
    ++at;
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '"': out += "\\(dq"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '`': out += "\\(ga"; break;
      default: out += c;
    }
  }
  return out;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(".\\\" Made by: holdfast man\n.TH {} 1 \"\" \"holdfast {}\" \"Holdfast\"\n.SH NAME\n{} \\- {}\n",
                     plain(name == "holdfast" ? "HOLDFAST" : name), HOLDFAST_VERSION, plain(name), plain(summary));
}

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string term(std::string_view name, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", plain(name), plain(text));
}

// Paragraphs are separated by an empty line.
std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    out += ".PP\n" + plain(text.substr(0, end)) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return out;
}

std::string literal(std::string_view line) { return ".PP\n.EX\n" + plain(line) + "\n.EE\n"; }

std::string synopsis(std::string_view usage) { return section("SYNOPSIS") + ".B " + plain(usage) + "\n"; }

std::string exit_status() {
  std::string out = section("EXIT STATUS");
  for (const ExitCode& code : exit_codes()) out += term(std::to_string(code.number), code.meaning);
  return out;
}

std::string see_also(bool main) {
  if (!main) return section("SEE ALSO") + ".BR holdfast (1)\n";
  std::string out = section("SEE ALSO") + "Every command and every noun has a page:\n.BR holdfast\\-ls (1),\n";
  return out + ".BR holdfast\\-session (1)\nand so on.\n";
}

// A first word followed by a comma or a colon is something to type, or the name of a format.
std::string sentence(std::string_view help) {
  std::string text(help);
  const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), text.size());
  if (end == text.size() || text[end] == ' ') text[0] = ascii_upper(text[0]);
  return text + ".";
}

std::string main_page() {
  std::string out = head("holdfast", "keep, find and read the sessions of AI coding agents");
  out += synopsis("holdfast [COMMAND] [OPTIONS]") + section("DESCRIPTION");
  out += paragraphs(
      "Holdfast keeps the sessions of AI coding agents in plain files; what it has\nacknowledged is never lost. It "
      "also "
      "finds, shows, counts and exports the sessions\nthat other agents keep on this machine, and changes nothing "
      "there.\n\nWithout a command it shows what is on this machine. ID stands for an id, an\nunambiguous prefix of "
      "one, @last, or LAYOUT/ID. A store is LAYOUT:ROOT.");
  out += section("COMMANDS");
  for (const Operation& operation : operations())
    if (!operation.command.empty()) out += term(operation.command, sentence(help_of(operation)));
  for (const Command& command : commands())
    if (!command.hidden) out += term(command.name, sentence(command.summary));
  out += section("NOUNS") + "holdfast NOUN VERB, on one store:\n";
  for (const auto noun : nouns()) out += term(noun, noun_summary(noun));
  out += section("OPTIONS");
  for (const Option& option : global_options()) out += term(spelling(option), sentence(option.text));
  out += term("--version", "Print the version.") + exit_status() + section("ENVIRONMENT");
  out += term("HOLDFAST_STORE", "LAYOUT:ROOT: use only this store.");
  out += term("HOLDFAST_HOME", "The store for sessions that belong to no project.");
  out += term("HOLDFAST_PAGER, PAGER", "The pager for long output on a terminal; less if neither is set.");
  out += term("NO_COLOR", "If set and not empty, no colours are used.");
  out += term("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME", "Where data, settings and caches are kept.");
  out += section("FILES");
  out += term("~/.local/share/holdfast", "The store for sessions that belong to no project.");
  out += term(".holdfast/", "The store of a project; holdfast init creates it.");
  out += term("~/.config/holdfast/config.toml, .holdfast/config.toml", "Settings.");
  out += term("~/.cache/holdfast", "Derived data; safe to delete at any time.");
  out += section("EXAMPLES");
  out += paragraphs("Search every session for a word:") + literal("holdfast search race --since 30d");
  out += paragraphs("Follow the newest session:") + literal("holdfast tail -f");
  return out + see_also(true);
}

std::string page_of(const Command& command) {
  std::string out = head(fmt::format("holdfast-{}", command.name), command.summary);
  out += synopsis(usage_line(command)) + section("DESCRIPTION") + paragraphs(command.text) + section("OPTIONS");
  for (const Option& option : command.options)
    if (!option.hidden) out += term(spelling(option), sentence(option.text));
  for (const Option& option : shared_options(command)) out += term(spelling(option), sentence(option.text));
  if (!command.examples.empty()) out += section("EXAMPLES");
  for (const Example& example : command.examples) out += paragraphs(sentence(example.text)) + literal(example.line);
  return out + exit_status() + see_also(false);
}

std::string options_and_example(const Operation& operation) {
  std::string out;
  for (const OptionHelp& option : options_of(operation)) out += term(option.name, sentence(option.text));
  return out;
}

std::string verbs_of(std::string_view noun) {
  std::string out;
  for (const Operation* operation : operations_of(noun)) {
    out += fmt::format(".SS {}\n", plain(usage_of(*operation))) + plain(sentence(help_of(*operation))) + "\n";
    out += options_and_example(*operation);
    if (!operation->example.empty()) out += literal("holdfast " + std::string(operation->example));
  }
  return out;
}

std::string page_of(const Operation& operation) {
  std::string out = head("holdfast-" + std::string(operation.command), help_of(operation));
  out += synopsis(usage_of(operation)) + section("DESCRIPTION") + paragraphs(sentence(help_of(operation)));
  out += paragraphs(fmt::format("The API operation {}, on all stores unless one is given.", operation.method));
  out += section("OPTIONS") + options_and_example(operation);
  if (!operation.example.empty()) out += section("EXAMPLES") + literal("holdfast " + std::string(operation.example));
  // A command may also be a noun: sync, and sync status.
  if (is_noun(operation.command)) out += section("VERBS") + verbs_of(operation.command);
  return out + exit_status() + see_also(false);
}

std::string page_of_noun(std::string_view noun) {
  std::string out = head(fmt::format("holdfast-{}", noun), noun_summary(noun));
  out += synopsis(fmt::format("holdfast {} VERB [OPTIONS]", noun)) + section("DESCRIPTION");
  out += "One verb for each API operation on this noun, on one store.\n";
  return out + verbs_of(noun) + exit_status() + see_also(false);
}

}  // namespace

std::vector<ManualPage> manual_pages() {
  std::vector<ManualPage> pages{{"holdfast", main_page()}};
  for (const Operation& operation : operations())
    if (!operation.command.empty())
      pages.push_back({fmt::format("holdfast-{}", operation.command), page_of(operation)});
  for (const Command& command : commands())
    if (!command.hidden) pages.push_back({fmt::format("holdfast-{}", command.name), page_of(command)});
  for (const auto noun : nouns()) {
    const std::string name = fmt::format("holdfast-{}", noun);
    if (std::ranges::find(pages, name, &ManualPage::name) == pages.end()) pages.push_back({name, page_of_noun(noun)});
  }
  return pages;
}

std::string manual_page(std::string_view topic) {
  const std::vector<ManualPage> pages = manual_pages();
  for (const ManualPage& page : pages) {
    if (page.name == fmt::format("holdfast-{}", topic)) return page.text;
  }
  return pages.front().text;
}

}  // namespace holdfast::inline v1
