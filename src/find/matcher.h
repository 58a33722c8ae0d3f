// What a search looks for in one text. Case is folded by Unicode's simple
// folding unless the query asks for it. Thread-safety: constant once made.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "find/sieve.h"
#include "find/text_span.h"

namespace holdfast::inline v1 {

class Matcher {
 public:
  // Each word (or phrase) is looked for as it is; with `regex` as a regular
  // expression of RE2. invalid_argument when there is nothing to look for, a word
  // is not UTF-8, or an expression is none.
  static Result<Matcher> make(std::span<const std::string> words, bool regex, bool match_case);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  std::size_t words() const;
  // Where the word is, first place only; nullopt: it is not there.
  bool has(std::size_t word, std::string_view text) const;
  // Every place of every word, in order, without overlaps.
  std::vector<TextSpan> spans(std::string_view text) const;

  // Folded literals: every message with a hit holds one of each list in its texts.
  // Of an expression, what it cannot match without.
  const std::vector<std::vector<std::string>>& needed() const;
  // For raw logs, of the word that is least likely; nullptr: raw bytes cannot tell.
  const Sieves* sieves() const;
  // Of all words together; nullptr: raw bytes cannot tell of one of them.
  const Sieves* sieves_of_any() const;
  // Whether raw bytes may hold any of the words.
  bool may_hold_any(std::string_view bytes) const;

 private:
  struct Parts;
  explicit Matcher(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast::inline v1
