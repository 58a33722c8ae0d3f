// Where a text has paths; mask_paths.h says what counts as one. Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/mask_paths.h"

namespace holdfast::inline v1 {

// How many bytes at `at` separate words: one separator, or 0.
std::size_t between_words(std::string_view text, std::size_t at);

struct PathWord {
  std::size_t end = 0;
  bool is_path = false;
};
// The word at `at`. If it is a path, escaped spaces and the whole name of a known place belong to it.
PathWord word_at(std::string_view text, std::size_t at, KnownPlaces places);

// The end of a path that begins at `at`, behind a quote, and ends before the next one; `at` if there is none. Quotes
// are those of shells, of people, and the brackets of links and stack traces.
std::size_t quoted_path_end(std::string_view text, std::size_t at, KnownPlaces places);

bool is_web_address(std::string_view word);

}  // namespace holdfast::inline v1
