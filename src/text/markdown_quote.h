// Somebody's words inside a Markdown document of ours. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The text as a block quote that still reads as the Markdown it is, and that nothing in it
// can leave: no heading, rule or unclosed fence reaches beyond the quote, and no HTML and no
// definition of a link is left active. A backslash before `<` is the price; it is not paid
// in code, where that is certain to be code. Ends in a newline.
std::string quoted_markdown(std::string_view text);

// One line of plain text for a heading or a list: line ends become spaces, and nothing in
// it is HTML, code or a link.
std::string escaped_markdown_line(std::string_view text);

// The text between two fences that it cannot close.
std::string fenced_markdown(std::string_view kind, std::string_view text);

}  // namespace holdfast::inline v1
