#include <algorithm>

#include "text/markdown_lines.h"
#include "text/markdown_sections.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kSpace = " \t";

// Returns the offset in `text` past "**label:**" or "**label**:"; 0 if it does not start with one.
std::size_t label_end(std::string_view text, std::string_view label) {
  if (!text.starts_with("**") || !text.substr(2).starts_with(label)) return 0;
  const std::string_view behind = text.substr(2 + label.size());
  return behind.starts_with(":**") || behind.starts_with("**:") ? 2 + label.size() + 3 : 0;
}

}  // namespace

std::optional<MarkdownLabel> label_value(std::string_view doc, std::string_view label) {
  if (label.empty()) return std::nullopt;
  for (const MarkdownLine& line : markdown_lines(doc)) {
    if (line.code || line.blank) continue;
    std::size_t start = line.indent_chars;
    if (line.item != 0) {  // after a bullet
      start = line.text.find_first_of(kSpace, start);
      start = std::min(line.text.find_first_not_of(kSpace, start), line.text.size());
    }
    const std::size_t end = label_end(line.text.substr(start), label);
    if (end == 0) continue;
    const std::string_view rest = line.text.substr(start + end);
    const std::size_t first = rest.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return MarkdownLabel{{}, line.at + start + end};
    const std::size_t size = rest.find_last_not_of(kSpace) + 1 - first;
    return MarkdownLabel{rest.substr(first, size), line.at + start + end + first};
  }
  return std::nullopt;
}

Result<std::string> set_label(std::string_view doc, std::string_view label, std::string_view value) {
  const bool padded = !value.empty() && (kSpace.find(value.front()) != std::string_view::npos ||
                                         kSpace.find(value.back()) != std::string_view::npos);
  if (label.empty() || padded || value.find_first_of("\r\n") != std::string_view::npos) {
    return fail(Code::invalid_argument, "a label and its value must be on one line");
  }
  const auto old = label_value(doc, label);
  if (!old) return fail(Code::not_found, "no line **" + std::string(label) + ":**");
  if (old->value == value) return std::string(doc);
  std::string out(doc.substr(0, old->value_at));
  if (old->value.empty()) out.push_back(' ');
  return out.append(value).append(doc.substr(old->value_at + old->value.size()));
}

}  // namespace holdfast::inline v1
