#include "text/yaml_lines.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) && (line.size() == 3 || line[3] == ' ' || line[3] == '\t');
}

}  // namespace

std::size_t line_start(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return end > at && end < text.size() && text[end - 1] == '\r' ? end - 1 : end;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::string_view line_break_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_comment_line(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at != std::string_view::npos && line[at] == '#';
}

std::size_t skip_yaml_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \t\r\n", at), text.size());
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }
  return at;
}

std::size_t yaml_quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || !text.substr(at + 1).starts_with('\'')) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

std::size_t yaml_flow_end(std::string_view text, std::size_t at) {
  const std::string_view separators = " \t\r\n,[]{}:";
  std::size_t depth = 0;
  for (char before = ' '; at < text.size(); before = text[at++]) {
    const char c = text[at];
    const bool token_starts = separators.find(before) != std::string_view::npos;
    if ((c == '"' || c == '\'') && token_starts) {
      at = yaml_quoted_end(text, at);
      if (at == std::string_view::npos) return at;
      --at;
    } else if (c == '#' && token_starts) {
      at = line_end(text, at);
      if (at == text.size()) break;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

YamlRange yaml_first_document(std::string_view text) {
  YamlRange range{0, text.size()};
  bool content = false;
  for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) {
    const std::string_view line = text.substr(at, line_end(text, at) - at);
    const bool starts = is_marker(line, "---");
    if (content && (starts || is_marker(line, "..."))) {
      range.stop = at;
      break;
    }
    if (starts) {
      const bool alone = is_blank_line(line.substr(3)) || is_comment_line(line.substr(3));
      range.begin = alone ? next_line(text, at) : at + 3;
      content = true;
    } else if (!is_blank_line(line) && !is_comment_line(line) && !line.starts_with('%')) {
      content = true;
    }
  }
  return range;
}

}  // namespace holdfast::inline v1
