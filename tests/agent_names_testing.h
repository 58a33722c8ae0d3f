// Finds where sources name an agent, for tests/arrows_test.cc. What is specific to
// an agent is in its folder below src/layout; everything else asks its layout.
#pragma once

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::agent_names {

inline const std::set<std::string> kAgents = {"claude",   "codex", "gemini", "opencode", "copilot",
                                              "continue", "pi",    "qwen",   "openclaw"};

struct NamedAgent {
  std::string_view file;  // regular expression for the whole path
  std::string_view agent;
  std::string_view reason;
};

inline const std::vector<NamedAgent> kNamedAgents = {
    {"src/rules/workflow/workflow_settings\\.cc", "claude", "the names of models that Lopen begins with"},
    {"src/api/credential_operations\\.cc", "gemini", "the name of a model in an example"},
    {"src/api/handoff_operation\\.cc", "codex", "an example: a session goes to some agent"},
    {"src/api/hook_operations\\.cc", "claude", "examples: hooks are installed for one agent"},
    {"src/api/server_operations\\.cc", "codex", "an example: one agent has to be named"},
    {"src/api/session_filter\\.cc", "claude", "an example of how people name an agent"},
    {"src/api/session_filter\\.cc", "codex", "an example of how people name an agent"},
    {"src/api/session_filter\\.cc", "gemini", "an example of how people name an agent"},
    {"src/api/session_list\\.cc", "claude", "an example: the sessions of one agent"},
    {"src/find/list_prices\\.cc", "claude", "names of models"},
    {"src/find/list_prices\\.cc", "codex", "names of models"},
    {"src/find/list_prices\\.cc", "gemini", "names of models"},
    {"src/find/list_prices\\.cc", "qwen", "names of models"},
    {"src/doors/cli/commands\\.cc", "claude", "an example in the help: one agent has to be named"},
    {"src/doors/cli/commands\\.cc", "codex", "an example in the help: one agent has to be named"},
};

// Replaces comments with blanks; literals stay.
inline std::string without_comments(const std::string& text) {
  std::string code = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) code[i] = code[i] == '\n' ? '\n' : ' ';
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto upto = [&](std::string_view end, std::size_t from) {
      const std::size_t at = code.find(end, from);
      return at == std::string::npos ? code.size() : at;
    };
    if (code.compare(i, 2, "//") == 0) {
      const std::size_t end = upto("\n", i);
      blank(i, end);
      i = end;
    } else if (code.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(upto("*/", i) + 2, code.size());
      blank(i, end);
      i = end - 1;
    } else if (code.compare(i, 2, "R\"") == 0) {
      const std::size_t open = upto("(", i);
      if (open - i <= 18) i = upto(")" + code.substr(i + 2, open - i - 2) + "\"", open);
    } else if (code[i] == '"') {
      for (++i; i < code.size() && code[i] != '"'; ++i) i += code[i] == '\\' ? 1 : 0;
    }
  }
  return code;
}

// Returns the agents in the words of identifiers and literals: "ContinueTools", continue_tools and
// ".continue" contain `continue`. The statement, and the word in a sentence, do not count.
inline std::vector<std::string> agents_in(const std::string& line) {
  std::string small = line;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::none_of(kAgents.begin(), kAgents.end(), [&](const auto& agent) { return small.contains(agent); })) return {};
  static const std::regex pattern("[A-Z]?[a-z0-9]+|[A-Z]+");
  std::vector<std::string> found;
  for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at) {
    std::string word = at->str();
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!kAgents.contains(word) || at->str() == "PI") continue;  // as in PyPI
    const auto begin = static_cast<std::size_t>(at->position());
    const char before = begin == 0 ? ' ' : line[begin - 1];
    const char after = begin + word.size() < line.size() ? line[begin + word.size()] : ' ';
    const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool named = joins(before) || joins(after) || before == '.' || before == '/' ||
                       (before == '"' && (after == '"' || after == ':'));
    if (word != "continue" || named) found.push_back(word);
  }
  return found;
}

// Returns whether kNamedAgents lets the file name the agent.
inline bool may_name(const std::string& path, const std::string& agent) {
  return std::any_of(kNamedAgents.begin(), kNamedAgents.end(), [&](const NamedAgent& one) {
    return one.agent == agent && std::regex_match(path, std::regex(one.file.begin(), one.file.end()));
  });
}

}  // namespace holdfast::agent_names
