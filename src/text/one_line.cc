#include "text/one_line.h"

namespace holdfast::inline v1 {

std::string on_one_line(std::string_view text, std::size_t enough) {
  std::string line;
  for (const char letter : text) {
    const bool space = letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
    if (!space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > enough) break;
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace holdfast::inline v1
