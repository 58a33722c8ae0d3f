#include "transfer/tool_line.h"

#include <algorithm>
#include <utility>

#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kContext = 3;  // unchanged lines around an edit

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string one_line(std::string_view text) {
  std::string line;
  bool space = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t' || c == ' ') {
      space = !line.empty();
      continue;
    }
    if (std::exchange(space, false)) line += ' ';
    line += c;
  }
  return line;
}

std::string field(JsonView input, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto text = input.find(name).as_string(); text && !text->empty()) return *text;
  }
  return {};
}

// The common beginning and end of both texts are context; the middle is the edit.
std::vector<DiffLine> difference(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  const std::size_t least = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0, tail = 0;
  while (head < least && old_lines[head] == new_lines[head]) ++head;
  while (tail < least - head && old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;
  std::vector<DiffLine> lines;
  for (std::size_t i = head > kContext ? head - kContext : 0; i < head; ++i) lines.push_back({' ', old_lines[i]});
  for (std::size_t i = head; i < old_lines.size() - tail; ++i) lines.push_back({'-', old_lines[i]});
  for (std::size_t i = head; i < new_lines.size() - tail; ++i) lines.push_back({'+', new_lines[i]});
  for (std::size_t i = 0; i < std::min(tail, kContext); ++i)
    lines.push_back({' ', old_lines[old_lines.size() - tail + i]});
  return lines;
}

// A patch is already a diff.
std::vector<DiffLine> patch(std::string_view text) {
  std::vector<DiffLine> lines;
  for (std::string& line : lines_of(text)) {
    if (line.empty() || line.starts_with("***") || line.starts_with("+++") || line.starts_with("---")) continue;
    const char mark = line.front() == '+' || line.front() == '-' ? line.front() : ' ';
    lines.push_back({mark, mark == ' ' && line.front() != ' ' ? line : line.substr(1)});
  }
  return lines;
}

}  // namespace

std::string tool_subject(const Block& call) {
  const JsonView input(call.json);
  if (input.kind() != JsonKind::object) return one_line(call.json);
  if (const JsonView command = input.find("command"); command.kind() == JsonKind::array) {
    std::string text;
    for (const JsonItem& word : command.elements())
      text += (text.empty() ? "" : " ") + word.value.as_string().value_or("");
    return one_line(text);
  }
  std::string subject = field(input, {"command", "cmd", "file_path", "absolute_path", "path", "filePath", "filename",
                                      "notebook_path", "pattern", "query", "url", "description", "prompt", "name"});
  if (!subject.empty()) return one_line(subject);
  std::string raw = one_line(call.json);
  return raw == "{}" ? std::string() : raw;
}

OutputLine output_line(std::string_view output) {
  OutputLine line;
  std::size_t count = 0;
  while (!output.empty()) {
    const std::string_view one = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), one.size() + 1));
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (count++ == 0) line.text = one_line(one);
  }
  line.more = count > 0 ? count - 1 : 0;
  return line;
}

std::vector<DiffLine> edit_of(const Block& call) {
  const JsonView input(call.json);
  if (input.kind() == JsonKind::string && call.name == "apply_patch") return patch(input.as_string().value_or(""));
  if (input.kind() != JsonKind::object) return {};
  const JsonView before = input.find("old_string") ? input.find("old_string") : input.find("oldString");
  const JsonView after = input.find("new_string") ? input.find("new_string") : input.find("newString");
  if (before.kind() == JsonKind::string && after.kind() == JsonKind::string)
    return difference(before.as_string().value_or(""), after.as_string().value_or(""));
  if (const auto text = input.find("patch").as_string()) return patch(*text);
  if (const auto text = input.find("input").as_string(); text && text->starts_with("*** Begin Patch"))
    return patch(*text);
  return {};
}

}  // namespace holdfast::inline v1
