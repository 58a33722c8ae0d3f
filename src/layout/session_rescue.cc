#include "layout/session_rescue.h"

#include "text/json_scan.h"

namespace holdfast::inline v1 {

std::string string_in_piece(std::string_view piece, std::string_view key) {
  const std::string name = "\"" + std::string(key) + "\"";
  for (std::size_t at = piece.find(name); at != std::string_view::npos; at = piece.find(name, at + 1)) {
    const std::size_t colon = skip_json_space(piece, at + name.size());
    if (colon >= piece.size() || piece[colon] != ':') continue;
    const std::size_t value = skip_json_space(piece, colon + 1);
    const std::size_t end = value < piece.size() && piece[value] == '"' ? json_value_end(piece, value) : value;
    if (end == std::string_view::npos || end == value) continue;
    return JsonView(piece.substr(value, end - value)).as_string().value_or("");
  }
  return {};
}

}  // namespace holdfast::inline v1
