#include "doors/cli/answer_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "doors/cli/render_cells.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 6> kNotes = {"warnings", "corrections", "drift",
                                                    "pruned",   "findings",    "other_branches"};
constexpr int kMost = 10;
constexpr std::size_t kWidest = 1000;  // bytes

// For verify, damage is the answer; where a session is shown, it is a note.
bool is_beside(JsonView answer, std::string_view key) {
  return key == "damage" && (answer.find("messages") || answer.find("format"));
}

// Names the source of the answer if it is not this machine.
bool is_source(JsonView answer, std::string_view key) {
  return key == "remote" && answer.find(key).kind() == JsonKind::object;
}

bool names_note(JsonView answer, std::string_view key) {
  return std::ranges::find(kNotes, key) != kNotes.end() || is_beside(answer, key) || is_source(answer, key);
}

// Whether the answer contains nothing but notes.
bool only_notes(JsonView answer) {
  constexpr std::array<std::string_view, 6> kAround = {"schema_version", "name", "retention",
                                                       "total",          "next", "next_cursor"};
  for (const JsonItem& field : answer.fields()) {
    const std::string key = field.key();
    if (std::ranges::find(kAround, key) == kAround.end() && !names_note(answer, key)) return false;
  }
  return true;
}

std::string text_lines(JsonView texts, std::string_view before) {
  std::string out;
  for (const JsonItem& text : texts.elements()) out += fmt::format("{}{}\n", before, line_of(text.value, kWidest));
  return out;
}

std::string drift_line(JsonView drift) {
  std::string sections;
  for (const JsonItem& item : drift.find("sections").elements()) {
    const auto is = [&](std::string_view key) { return item.value.find(key).as_bool().value_or(false); };
    const std::string_view what = is("is_new") ? "new" : is("is_removed") ? "removed" : "changed";
    sections += fmt::format("{}{} \"{}\"", sections.empty() ? "" : ", ", what, line_of(item.value.find("header"), 200));
  }
  if (sections.empty()) return {};
  return fmt::format("warning: {} has changed since the session was last saved: {}\n",
                     line_of(drift.find("specification"), 300), sections);
}

std::string source_line(JsonView remote) {
  if (remote.kind() != JsonKind::object) return {};
  const auto number = [&](std::string_view key) { return remote.find(key).as_int64().value_or(0); };
  const std::string name = line_of(remote.find("name"), 300);
  std::string out = fmt::format("from {}, indexed {}", name, line_of(remote.find("indexed_at")));
  if (number("behind") > 0) out += fmt::format("; run holdfast remote index {} to add newer data", name);
  if (number("left_out") > 0) out += fmt::format("; {} not indexed", counted(number("left_out"), "session"));
  if (number("cut") > 0) out += fmt::format("; {} only partly indexed", counted(number("cut"), "message"));
  return out + "\n";
}

std::string pruned_line(JsonView ids) {
  std::string names;
  int count = 0;
  for (const JsonItem& id : ids.elements()) {
    names += (names.empty() ? "" : ", ") + line_of(id.value, 300);
    ++count;
  }
  return count == 0 ? names : fmt::format("pruned {}: {}\n", counted(count, "session"), names);
}

std::string finding_line(JsonView finding) {
  std::string where = line_of(finding.find("file"), 300);
  if (has_file_position(finding)) where += fmt::format(", byte {}", finding.find("offset").as_int64().value_or(0));
  std::string what = line_of(finding.find("consequence"), kWidest);
  if (what.empty()) what = line_of(finding.find("kind"));
  return fmt::format("warning: {}: {}\n", where, what);
}

std::string finding_lines(JsonView answer, std::string_view key) {
  std::string out;
  int count = 0;
  for (const JsonItem& item : answer.find(key).elements()) {
    if (++count <= kMost) out += finding_line(item.value);
  }
  if (count > kMost) out += fmt::format("warning: and {} more like these; --json lists them\n", count - kMost);
  return out;
}

// Where else the shown session continued.
std::string branch_lines(JsonView answer) {
  std::string out;
  int count = 0;
  for (const JsonItem& item : answer.find("other_branches").elements()) {
    if (++count > kMost) continue;
    const JsonView branch = item.value;
    const std::string machine = line_of(branch.find("machine"), 200), agent = line_of(branch.find("layout"), 200);
    std::string what = fmt::format("{} has another branch of this session", machine);
    if (branch.find("continues").as_bool().value_or(false)) what = fmt::format("{} continued this session", machine);
    if (branch.find("handed_off").as_bool().value_or(false))
      what = fmt::format("this session was handed off to {}{}", agent, machine.empty() ? "" : " on " + machine);
    out += fmt::format("note: {}: holdfast show {}{}\n", what, session_word(agent, line_of(branch.find("id"), 300)),
                       machine.empty() ? "" : " --machine " + shell_word(machine));
  }
  if (count > kMost) out += fmt::format("note: and {} more branches; --json lists them\n", count - kMost);
  return out;
}

}  // namespace

bool has_file_position(JsonView finding) {
  if (finding.find("offset").as_int64().value_or(0) > 0) return true;
  // In a log, offset 0 is a place; in a document it means the whole file.
  if (!line_of(finding.find("file"), 1000).contains(".jsonl")) return false;
  if (finding.find("length").as_int64().value_or(0) > 0) return true;
  constexpr auto kPlaces =
      std::to_array<std::string_view>({"glued", "nul", "bad_utf8", "not_json", "too_long", "truncated", "unconfirmed"});
  return std::ranges::any_of(kPlaces, [&](std::string_view kind) { return finding.find("kind").is_string(kind); });
}

bool is_note(JsonView answer, std::string_view key) { return names_note(answer, key) && !only_notes(answer); }

std::string notes_of(JsonView answer) {
  if (only_notes(answer))  // a correction or a warning is never what was asked for
    return text_lines(answer.find("warnings"), "warning: ") + text_lines(answer.find("corrections"), "");
  return source_line(answer.find("remote")) + text_lines(answer.find("warnings"), "warning: ") +
         text_lines(answer.find("corrections"), "") + drift_line(answer.find("drift")) +
         pruned_line(answer.find("pruned")) + finding_lines(answer, "findings") + branch_lines(answer) +
         (is_beside(answer, "damage") ? finding_lines(answer, "damage") : std::string());
}

}  // namespace holdfast::inline v1
