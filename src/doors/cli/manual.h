// Manual pages in the format of man(7), from the tables of commands and operations. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ManualPage {
  std::string name;  // "holdfast-ls": the page holdfast-ls.1
  std::string text;
};

// All pages; the first one is holdfast(1).
std::vector<ManualPage> manual_pages();
// The page of a command or a noun; holdfast(1) if the topic is empty or has no page.
std::string manual_page(std::string_view topic);

}  // namespace holdfast::inline v1
