// Markdown as HTML that cannot do anything: raw HTML stays text, links lead to
// http and https only, pictures become their words. Thread-safety: pure.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// `text` with & < > " ' spelled out.
std::string html_escaped(std::string_view text);

std::string markdown_html(std::string_view text);

}  // namespace holdfast::inline v1
