// Converts Markdown to harmless HTML: raw HTML stays text, links lead to http and https
// only, pictures become their alt text. Thread-safety: pure.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// `text` with & < > " ' escaped.
std::string html_escaped(std::string_view text);

std::string markdown_html(std::string_view text);

}  // namespace holdfast::inline v1
