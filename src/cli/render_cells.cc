#include "cli/render_cells.h"

#include <fmt/core.h>

#include "text/clean.h"

namespace holdfast::inline v1 {

std::string line_of(JsonView value, std::size_t most) {
  return clean_for_terminal(value.as_string().value_or(""), {.one_line = true, .max_bytes = most});
}

std::string painted(bool colour, std::string_view code, const std::string& text) {
  return colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace holdfast::inline v1
