#include "find/hit_finder.h"

#include <algorithm>

#include "find/snippet.h"
#include "model/time_formats.h"
#include "store/redactor.h"

namespace holdfast::inline v1 {
bool HitFinder::message(Message message) {
  const std::int64_t ordinal = ordinal_++;
  if (trigrams_ != nullptr) {
    // The filter serves all later searches, so it covers all texts, whatever this search covers.
    for (const std::string_view text : said_.of(message, {})) trigrams_->add(text);
  }
  texts_ = &said_.of(message, query_.in);
  if (matches() && (message.id.empty() || seen_.add(message.id).added)) {
    ++hits_;
    if (!query_.count_only) keep(message, ordinal);
    if (!query_.count_only && query_.limit != 0 && hits_ > query_.limit) whole_ = false;
  }
  whole_ = whole_ && !stop_.load(std::memory_order_relaxed);
  return whole_;
}

// Whether every word occurs in any of the message's texts.
bool HitFinder::matches() const {
  for (std::size_t word = 0; word < matcher_.words(); ++word) {
    if (std::ranges::none_of(*texts_, [&](std::string_view text) { return matcher_.has(word, text); })) return false;
  }
  return true;
}

void HitFinder::keep(const Message& message, std::int64_t ordinal) {
  SearchHit hit;
  hit.session = session_.id;
  hit.layout = session_.layout;
  hit.store = session_.store;
  hit.project = session_.project;
  hit.updated_at = session_.updated_at;
  hit.ordinal = ordinal;
  hit.role = message.role;
  hit.timestamp = to_iso_time(message.timestamp);
  const auto has_first = [&](std::string_view text) { return matcher_.has(0, text); };
  const auto shown = std::ranges::find_if(*texts_, has_first);
  if (query_.redact) {
    // Redact before cutting: half a secret does not look like one, and an input without its key looks like text.
    const Message hidden = redacted_message({true, true}, message);
    SearchableTexts said;
    const auto& texts = said.of(hidden, query_.in);
    const auto still = std::ranges::find_if(texts, has_first);
    if (still != texts.end()) {
      cut_snippet(matcher_, *still, hit);
    } else {
      const auto place = static_cast<std::size_t>(shown - texts_->begin());
      if (place < texts.size()) cut_snippet(matcher_, texts[place], hit);
    }
  } else {
    cut_snippet(matcher_, *shown, hit);
  }
  found_.push_back(std::move(hit));
}

}  // namespace holdfast::inline v1
