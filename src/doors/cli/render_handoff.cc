#include "doors/cli/render_handoff.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "doors/cli/render_cells.h"
#include "text/clean.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidest = 1000;

// What is counted, for a count of one: "tool calls that succeeded" becomes "tool call that succeeded".
std::string singular(std::string kind) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"arguments of tools", "argument of a tool"},
      {"calls to tools that the next agent does not have", "call to a tool that the next agent does not have"},
      {"commands and their output", "command and its output"},
      {"ids of calls", "id of a call"},
      {"incomplete records at the end", "incomplete record at the end"},
      {"messages of other branches", "message of another branch"},
      {"messages of sub-agents", "message of a sub-agent"},
      {"names of models", "name of a model"},
      {"names of tools", "name of a tool"},
      {"prompts that look like commands or context", "prompt that looks like a command or context"},
      {"results of web searches", "result of a web search"},
      {"summaries of what came before", "summary of what came before"},
      {"texts that are not UTF-8", "text that is not UTF-8"},
      {"texts that were thoughts", "text that was a thought"},
  };
  for (const auto& [several, one] : kOthers)
    if (kind == several) return std::string(one);
  std::size_t end = kind.size();
  for (const std::string_view next : {" of ", " that ", " whose ", " with ", " without ", " after ", " beside "})
    end = std::min(end, kind.find(next));
  if (end > 0 && kind[end - 1] == 's') kind.erase(end - 1, 1);
  return kind;
}

void add_lines(std::string& out, std::string_view heading, JsonView lines, const RenderStyle& style) {
  if (lines.raw() == "[]") return;
  out += "\n" + painted(style.colour, "1", std::string(heading)) + "\n";
  for (const JsonItem& line : lines.elements()) {
    const std::string count(line.value.find("count").raw()), kind = line_of(line.value.find("kind"));
    const std::string head = fmt::format("  {:>6}  {}", count, count == "1" ? singular(kind) : kind);
    const std::string reason = line_of(line.value.find("reason"), kWidest);
    out += reason.empty() ? head + "\n" : wrapped(head + ": ", reason, style.width);
  }
}

// Empty if a word could not be shown verbatim.
std::string command_line(JsonView words, JsonView directory, JsonView environment) {
  std::string line;
  if (const auto path = directory.as_string()) line = "cd " + shell_word(*path) + " && ";
  for (const JsonItem& one : environment.fields())
    line += one.key() + "=" + shell_word(one.value.as_string().value_or("")) + " ";
  bool first = true;
  for (const JsonItem& word : words.elements()) {
    line += (first ? "" : " ") + shell_word(word.value.as_string().value_or(""));
    first = false;
  }
  if (first || clean_for_terminal(line, {.one_line = true}) != line) return {};
  return line;
}

}  // namespace

std::string handoff_line(JsonView answer) {
  return command_line(answer.find("resume"), answer.find("directory"), answer.find("environment"));
}

std::string render_handoff(JsonView answer, const RenderStyle& style) {
  const bool written = answer.find("written").as_bool().value_or(false);
  std::string out;
  const std::string to = line_of(answer.find("to"));
  if (written)
    out += fmt::format("{}  new session for {}\n", painted(style.colour, "1;36", line_of(answer.find("id"))), to);
  else
    out += fmt::format("nothing was written; this is what {} would get\n", to);
  out += fmt::format("  in {}, {}, about {}\n", line_of(answer.find("project"), kWidest),
                     counted(answer.find("turns").as_int64().value_or(0), "turn"),
                     counted(answer.find("tokens_estimated").as_int64().value_or(0), "token"));
  if (const JsonView file = answer.find("file"); file.kind() == JsonKind::string)
    out += "  " + line_of(file, kWidest) + "\n";
  add_lines(out, "Carried", answer.find("carried"), style);
  add_lines(out, "Changed", answer.find("changed"), style);
  add_lines(out, "Not carried over", answer.find("left_behind"), style);
  const std::string import = command_line(answer.find("import"), {}, {});
  const std::string resume = handoff_line(answer);
  if (!resume.empty()) out += "\n" + painted(style.colour, "1", "Continue with") + "\n";
  if (!resume.empty() && !import.empty()) out += "  " + import + "\n";
  if (!resume.empty()) out += "  " + resume + "\n";
  const bool unreachable = answer.find("resume").elements().empty() && answer.find("import").elements().empty();
  if (written && unreachable)
    out += "\nNo command continues it there: " + to + " finds only sessions in its own folder\n";
  return out;
}

}  // namespace holdfast::inline v1
