#include "doors/cli/render_handoff.h"

#include <fmt/core.h>

#include "doors/cli/render_cells.h"
#include "text/clean.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidest = 1000;

void add_lines(std::string& out, std::string_view heading, JsonView lines, const RenderStyle& style) {
  if (lines.raw() == "[]") return;
  out += "\n" + painted(style.colour, "1", std::string(heading)) + "\n";
  for (const JsonItem& line : lines.elements()) {
    const std::string kind = line_of(line.value.find("kind"));
    const std::string head = fmt::format("  {:>6}  {}", line.value.find("count").raw(), kind);
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
  add_lines(out, "Left behind", answer.find("left_behind"), style);
  const std::string import = command_line(answer.find("import"), {}, {});
  const std::string resume = handoff_line(answer);
  if (!resume.empty()) out += "\n" + painted(style.colour, "1", "Continue with") + "\n";
  if (!resume.empty() && !import.empty()) out += "  " + import + "\n";
  if (!resume.empty()) out += "  " + resume + "\n";
  return out;
}

}  // namespace holdfast::inline v1
