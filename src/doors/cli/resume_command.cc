#include "doors/cli/resume_command.h"

#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

struct Agent {
  std::string_view layout;
  std::string_view command;  // followed by the id, or the file; docs/guides/find.md says what each was checked against
  bool by_directory = false;
  bool by_file = false;
};

constexpr Agent kAgents[] = {
    {"claude-code", "claude --resume", true},  {"codex", "codex resume", true},
    {"gemini", "gemini --resume", true},       {"qwen", "qwen --resume", true},
    {"copilot", "copilot --resume=", true},    {"opencode", "opencode --session", true},
    {"pi", "pi --session", true, true},        {"holdfast", "holdfast session resume"},
    {"open-agent", "holdfast session resume"}, {"linggen", "holdfast session resume"},
    {"lopen", "lopen --resume", true},
};

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";

}  // namespace

bool is_plain_word(std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  return !text.empty() && text.size() <= kLongest && text.find_first_not_of(kPlain) == std::string_view::npos &&
         !text.starts_with('-') && !text.starts_with('=') && !text.starts_with('%');
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string resume_command(JsonView session) {
  const auto text = [&](std::string_view key) { return session.find(key).as_string().value_or(""); };
  const std::string layout = text("layout"), store = text("store"), project = text("project");
  for (const Agent& agent : kAgents) {
    if (agent.layout != layout) continue;
    if (!is_plain_word(text("id"))) return {};
    const std::size_t colon = store.find(':');
    const std::string file = (colon == std::string::npos ? "" : store.substr(colon + 1)) + "/" + text("path");
    const std::string_view space = agent.command.ends_with('=') ? "" : " ";
    std::string line = std::string(agent.command) + std::string(space) + shell_word(agent.by_file ? file : text("id"));
    if (agent.command.starts_with("holdfast") && layout != "holdfast") line += " --store " + shell_word(store);
    if (agent.by_directory && project.starts_with('/')) line.insert(0, "cd " + shell_word(project) + " && ");
    return clean_for_terminal(line, {.one_line = true}) == line ? line : std::string();
  }
  return {};
}

}  // namespace holdfast::inline v1
