#include "rules/initiative/memory_lines.h"

#include <algorithm>
#include <array>

#include "text/markdown_lines.h"
#include "text/markdown_sections.h"
#include "text/one_line.h"
#include "text/trim.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

struct Boundary {
  std::string_view type, completed, next, text;
};
// The seed's table.
constexpr std::array<Boundary, 6> kBoundaries = {{
    {"APEX", "analyze", "plan", "analyze completed, planning "},
    {"APEX", "plan", "implement", "plan approved, implementing "},
    {"APEX", "implement", "review", "implementation done, reviewing "},
    {"DEBUG", "troubleshoot", "fix", "root cause found, fixing "},
    {"DEBUG", "troubleshoot", "implement", "root cause found, fixing "},
    {"BRAINSTORM", "brainstorm", "design", "exploring → designing "},
}};

const Boundary* boundary_of(std::string_view completed, std::string_view next) {
  const auto found = std::ranges::find_if(
      kBoundaries, [&](const Boundary& one) { return one.completed == completed && one.next == next; });
  return found == kBoundaries.end() ? nullptr : &*found;
}

// "run" becomes "running": a short last syllable doubles its last letter.
bool doubles(std::string_view phase) {
  const std::string_view word = phase.substr(phase.find_last_of(" -") + 1);
  const auto vowel = [](char letter) { return std::string_view("aeiou").find(letter) != std::string_view::npos; };
  if (word.size() < 3 || word.size() > 4) return false;
  const char last = word.back();
  return !vowel(last) && std::string_view("wxy").find(last) == std::string_view::npos && vowel(word[word.size() - 2]) &&
         !vowel(word[word.size() - 3]);
}

// "plan" becomes "planning": the activity of a phase.
std::string verb_of(std::string_view phase) {
  constexpr std::array<std::array<std::string_view, 2>, 5> kOdd = {{{"git-commit", "committing"},
                                                                    {"commit", "committing"},
                                                                    {"x-archive", "archiving"},
                                                                    {"debug", "debugging"},
                                                                    {"troubleshoot", "troubleshooting"}}};
  for (const auto& [name, verb] : kOdd) {
    if (name == phase) return std::string(verb);
  }
  std::string verb(phase);
  if (verb.ends_with("e") && !verb.ends_with("ee")) verb.pop_back();
  if (doubles(verb)) verb += verb.back();
  return verb + "ing";
}

std::string_view without_bullet(std::string_view text) {
  text = trim(text, " \t");
  if (text.size() > 1 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ')
    text = trim(text.substr(2), " \t");
  return text;
}

// Returns the text of a line without its bullet and quotes.
std::string_view said_in(const MarkdownLine& line) {
  std::string_view text = without_bullet(line.text);
  for (const char mark : {'`', '"'}) {
    if (text.size() > 1 && text.front() == mark && text.back() == mark) text = text.substr(1, text.size() - 2);
  }
  return text;
}

// Returns the workflow's type if the line is an active one, else "".
std::string_view active_type(std::string_view said) {
  constexpr std::string_view kFront = "Active ";
  if (!said.starts_with(kFront)) return {};
  const std::size_t end = said.find(" workflow: ");
  return end == std::string_view::npos || end < kFront.size() ? std::string_view()
                                                              : said.substr(kFront.size(), end - kFront.size());
}

// Returns the activity and its object: the part after the comma or the arrow.
std::string_view doing_of(std::string_view said) {
  const std::size_t from = said.find(" workflow: ");
  const std::size_t comma = said.find(", ", from), arrow = said.find("→ ", from);
  if (comma == std::string_view::npos && arrow == std::string_view::npos) return {};
  return comma < arrow ? said.substr(comma + 2) : said.substr(arrow + std::string_view("→ ").size());
}

// Returns what an active line is about: the part after the verb, which ends with the first word in -ing, or is one
// word. Empty if the line has another form.
std::string_view active_context(std::string_view said) {
  const std::string_view doing = doing_of(said);
  std::size_t end = doing.find(' ');
  for (std::size_t at = end; at != std::string_view::npos; at = doing.find(' ', at + 1)) {
    if (!doing.substr(0, at).ends_with("ing")) continue;
    end = at;
    break;
  }
  return end == std::string_view::npos ? std::string_view() : doing.substr(end + 1);
}

bool is_about(std::string_view said, const WorkflowName& workflow) {
  const std::string context = on_one_line(workflow.context);
  if (context.empty()) return false;
  if (!workflow.phase.empty() && doing_of(said) == verb_of(on_one_line(workflow.phase)) + " " + context) return true;
  const std::string_view about = active_context(said);
  return about.empty() ? said.ends_with(" " + context) : about == context;
}

const MarkdownHeading* find_heading(const std::vector<MarkdownHeading>& headings, std::string_view text) {
  const auto found = std::ranges::find_if(headings, [&](const MarkdownHeading& one) { return one.text == text; });
  return found == headings.end() ? nullptr : &*found;
}

// Appends a line to the section; adds the section at the end of the file if it is missing.
std::string appended(std::string_view memory, std::string_view heading, std::string_view text) {
  const std::string_view eol = line_break_of(memory);
  std::string line = "- " + std::string(text);
  std::string now(memory);
  const auto headings = markdown_headings(memory);
  const MarkdownHeading* section = find_heading(headings, heading);
  if (section == nullptr) {
    if (!now.empty() && !now.ends_with('\n')) now += eol;
    if (!now.empty()) now += eol;
    return now.append("## ").append(heading).append(eol).append(eol).append(line).append(eol);
  }
  std::size_t end = section->body_at;
  for (const MarkdownLine& one : markdown_lines(memory)) {
    if (one.at >= section->body_at && one.at < section->end && !one.blank) end = one.next;
  }
  const bool empty = end == section->body_at;
  const bool closed = end == 0 || memory[end - 1] == '\n';
  std::string added;
  if (!closed) added += eol;
  if (empty) added += eol;
  added.append(line);
  if (closed || end < memory.size()) added += eol;
  if (empty && end < memory.size() && memory[end] != '\n' && memory[end] != '\r') added += eol;
  return now.insert(end, added);
}

}  // namespace

std::string_view type_of_boundary(std::string_view completed, std::string_view next) {
  const Boundary* known = boundary_of(completed, next);
  return known == nullptr ? std::string_view() : known->type;
}

std::string_view type_of_opening(std::string_view phase) {
  const auto found = std::ranges::find(kBoundaries, phase, &Boundary::completed);
  if (found == kBoundaries.end()) return {};
  return std::ranges::find(kBoundaries, found->type, &Boundary::type) == found ? found->type : std::string_view();
}

std::string phase_line(std::string_view type, std::string_view completed, std::string_view next,
                       std::string_view context) {
  const Boundary* known = boundary_of(completed, next);
  if (type.empty()) type = known == nullptr ? "APEX" : known->type;
  std::string line = "Active " + on_one_line(type) + " workflow: ";
  if (known != nullptr && known->type == type) {
    line += known->text;
  } else {
    line += on_one_line(completed) + " completed, " + verb_of(on_one_line(next)) + " ";
  }
  return line + on_one_line(context);
}

bool is_terminal_phase(std::string_view phase) {
  return phase == "git-commit" || phase == "x-archive" || phase == "commit" || phase == "archive";
}

std::string completion_line(std::string_view type, std::string_view context, std::string_view outcome) {
  return "Completed " + on_one_line(type) + " for " + on_one_line(context) + ": " + on_one_line(outcome);
}

std::vector<ActiveLine> active_lines(std::string_view memory) {
  std::vector<ActiveLine> all;
  for (const MarkdownLine& line : markdown_lines(memory)) {
    if (line.code) continue;
    const std::string_view said = said_in(line);
    if (const std::string_view type = active_type(said); !type.empty())
      all.push_back({std::string(type), std::string(said)});
  }
  return all;
}

std::vector<std::string> lines_under(std::string_view memory, std::string_view heading) {
  const auto headings = markdown_headings(memory);
  const MarkdownHeading* section = find_heading(headings, heading);
  std::vector<std::string> all;
  if (section == nullptr) return all;
  for (const MarkdownLine& line : markdown_lines(memory)) {
    if (line.at < section->body_at || line.at >= section->end) continue;
    if (!line.code && line.item != 0) all.emplace_back(said_in(line));
  }
  return all;
}

std::string with_line(std::string_view memory, std::string_view heading, std::string_view text) {
  const std::string given = on_one_line(text);
  const std::string wanted(without_bullet(given));  // becomes a list item, whether or not it was one
  for (const MarkdownLine& line : markdown_lines(memory)) {
    if (!line.code && said_in(line) == wanted) return std::string(memory);
  }
  return appended(memory, heading, wanted);
}

std::string with_workflow_line(std::string_view memory, const WorkflowName& workflow, std::string_view text) {
  const std::string wanted = on_one_line(text);
  std::string now;
  bool placed = wanted.empty();
  std::size_t copied = 0;
  for (const MarkdownLine& line : markdown_lines(memory)) {
    const std::string_view said = said_in(line);
    if (line.code || active_type(said) != workflow.type || !is_about(said, workflow)) continue;
    now.append(memory.substr(copied, line.at - copied));
    if (placed) {
      copied = line.next;
      continue;
    }
    const auto said_at = static_cast<std::size_t>(said.data() - memory.data());
    now.append(memory.substr(line.at, said_at - line.at)).append(wanted);
    copied = said_at + said.size();
    placed = true;
  }
  now.append(memory.substr(copied));
  return placed ? now : with_line(memory, kWorkflowState, wanted);
}

std::string without_workflow_line(std::string_view memory, const WorkflowName& workflow) {
  return with_workflow_line(memory, workflow, {});
}

}  // namespace holdfast::inline v1
