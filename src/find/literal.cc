#include "find/literal.h"

#include <algorithm>

#include "text/fold.h"

namespace holdfast::inline v1 {

Literal::Literal(std::string_view text, bool match_case)
    : exact_(text), folded_(folded(text)), match_case_(match_case) {
  if (match_case_) return;
  const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii) return;
  quick_ = Anchor::of(folded_, false, false);
  if (!quick_ || quick_->bytes.size() != folded_.size()) {
    quick_.reset();
    return;
  }
  pairs_.push_back(quick_->pair);
  if (quick_->holds_s) pairs_.push_back(kLongS);
  if (quick_->holds_k) pairs_.push_back(kKelvin);
}

template <typename Take>
void Literal::each_folded(std::string_view text, const Take& take) const {
  std::string copy;
  std::vector<std::size_t> starts;
  fold_text(text, copy, &starts);
  for (std::size_t at = copy.find(folded_); at != std::string::npos; at = copy.find(folded_, at + folded_.size())) {
    if (!take(starts[at], starts[at + folded_.size()])) return;
  }
}

template <typename Take>
void Literal::each(std::string_view text, const Take& take) const {
  if (match_case_) {
    for (std::size_t at = text.find(exact_); at != std::string_view::npos; at = text.find(exact_, at + exact_.size())) {
      if (!take(at, at + exact_.size())) return;
    }
    return;
  }
  if (!quick_) return each_folded(text, take);
  // If a letter may have other spellings, fold the whole text first.
  if (pairs_.size() > 1 && find_pair(std::span(pairs_).subspan(1), text, 0).at != std::string_view::npos)
    return each_folded(text, take);
  for (std::size_t from = 0;;) {
    const PairMatch place = find_pair(std::span(pairs_).first(1), text, from);
    if (place.at == std::string_view::npos) return;
    from = place.at + 1;
    if (place.at < quick_->first) continue;
    const std::size_t begin = place.at - quick_->first;
    if (!quick_->stands_at(text, begin)) continue;
    if (!take(begin, begin + folded_.size())) return;
    from = begin + folded_.size() + quick_->first;  // continue after this match
  }
}

bool Literal::occurs_in(std::string_view text) const {
  bool found = false;
  each(text, [&](std::size_t, std::size_t) {
    found = true;
    return false;
  });
  return found;
}

void Literal::add_spans(std::string_view text, std::vector<TextSpan>& spans) const {
  each(text, [&](std::size_t from, std::size_t to) {
    spans.push_back({from, to});
    return true;
  });
}

}  // namespace holdfast::inline v1
