// What a search looks for in one text. Case is folded with Unicode simple folding
// unless the query matches case. Thread-safety: constant once made.
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
  // Matches each word (or phrase) literally, or with `regex` as an RE2 regular
  // expression. Fails with invalid_argument if there is nothing to look for, a word is
  // not UTF-8, or an expression is invalid.
  static Result<Matcher> make(std::span<const std::string> words, bool regex, bool match_case);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  std::size_t words() const;
  // Whether the text matches the word.
  bool has(std::size_t word, std::string_view text) const;
  // Returns every match of every word, in order, without overlaps.
  std::vector<TextSpan> spans(std::string_view text) const;

  // Lists of folded literals: the texts of every message that matches contain one literal of each
  // list. For an expression, these are literals that it cannot match without.
  const std::vector<std::vector<std::string>>& needed() const;
  // For raw logs, the sieves of the rarest word; nullptr if raw bytes cannot rule it out.
  const Sieves* sieves() const;
  // The sieves of all words together; nullptr if raw bytes cannot rule out one of them.
  const Sieves* sieves_of_any() const;
  // Whether raw bytes may contain any of the words.
  bool may_hold_any(std::string_view bytes) const;

 private:
  struct Parts;
  explicit Matcher(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast::inline v1
