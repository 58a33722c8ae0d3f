// Foreign text inside a Markdown document of ours. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the text as a block quote that still reads as Markdown but cannot break out: no
// heading, rule or unclosed fence reaches beyond the quote, and no HTML or link definition
// stays active. Escapes `<` with a backslash, except in what is certain to be code. Ends
// with a newline.
std::string quoted_markdown(std::string_view text);

// Returns one line of plain text for a heading or a list: line ends become spaces, and
// nothing in it acts as HTML, code or a link.
std::string escaped_markdown_line(std::string_view text);

// Returns the text between two fences long enough that the text cannot close them.
std::string fenced_markdown(std::string_view kind, std::string_view text);

}  // namespace holdfast::inline v1
