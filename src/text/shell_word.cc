#include "text/shell_word.h"

namespace holdfast::inline v1 {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string session_word(std::string_view layout, std::string_view id) {
  return shell_word(std::string(layout).append("/").append(id));
}

}  // namespace holdfast::inline v1
