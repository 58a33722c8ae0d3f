// "a run", "an agent". Thread-safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the noun with its article, chosen by the first letter: enough for the names of our own kinds and types.
inline std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeioAEIO").contains(noun.front());
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace holdfast::inline v1
