// Finds a literal in decoded text, case-folded or exactly.
// Thread-safety: constant once made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "find/anchor.h"
#include "find/text_span.h"

namespace holdfast::inline v1 {

class Literal {
 public:
  Literal(std::string_view text, bool match_case);

  // The folded literal, which occurs in every folded text that matches.
  const std::string& needle() const { return folded_; }

  bool occurs_in(std::string_view text) const;
  // Appends every match, from left to right without overlaps.
  void add_spans(std::string_view text, std::vector<TextSpan>& spans) const;

 private:
  // Calls take(from, to) for every match until it returns false.
  template <typename Take>
  void each(std::string_view text, const Take& take) const;
  template <typename Take>
  void each_folded(std::string_view text, const Take& take) const;

  std::string exact_;  // as given
  std::string folded_;
  bool match_case_;
  std::optional<Anchor> quick_;  // nullopt unless it covers the whole literal
  std::vector<BytePair> pairs_;
};

}  // namespace holdfast::inline v1
