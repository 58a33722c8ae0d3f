// YAML line by line, without its meaning.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::inline v1 {

struct YamlRange {
  std::size_t begin = 0, stop = 0;
};

// Returns the content of the first document: after its `---` line (from 0 if it has
// none), up to the line of the next `---` or `...`, or the end of the text.
YamlRange yaml_first_document(std::string_view text);

// Return the offset of the first byte of the line that contains `at`, of the line end
// ("\n" or "\r\n") at or after `at`, and of the byte after that line end.
std::size_t line_start(std::string_view text, std::size_t at);
std::size_t line_end(std::string_view text, std::size_t at);
std::size_t next_line(std::string_view text, std::size_t at);

// Returns the offset past the anchors, tags and whitespace that may precede a value at `at`.
std::size_t skip_yaml_properties(std::string_view text, std::size_t at);

// Return the offset past the closing quote of the quoted scalar, or past the closing
// bracket of the flow container, that starts at `at`; npos if it is not closed.
std::size_t yaml_quoted_end(std::string_view text, std::size_t at);
std::size_t yaml_flow_end(std::string_view text, std::size_t at);

// Returns "\r\n" if the first line of the text ends with it, else "\n".
std::string_view line_break_of(std::string_view text);

// Whether a line has only spaces and tabs, or only a comment.
bool is_blank_line(std::string_view line);
bool is_comment_line(std::string_view line);

}  // namespace holdfast::inline v1
