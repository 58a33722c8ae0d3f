#include "find/snippet.h"

#include <algorithm>

#include "base/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBefore = 60, kAfter = 120;  // bytes of a snippet before and after the match

}  // namespace

void cut_snippet(const Matcher& matcher, std::string_view text, SearchHit& hit) {
  const auto spans = matcher.spans(text);
  const TextSpan first = spans.empty() ? TextSpan{} : spans.front();
  const std::size_t from = utf8_prefix(text, first.from > kBefore ? first.from - kBefore : 0).size();
  std::size_t to = std::min(text.size(), first.to + kAfter);
  while (to < text.size() && is_utf8_tail(text[to])) ++to;
  hit.snippet = text.substr(from, to - from);
  std::ranges::replace_if(hit.snippet, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  for (const TextSpan& span : spans) {
    if (span.from >= to) break;
    hit.spans.push_back({span.from - from, std::min(span.to, to) - from});
  }
}

}  // namespace holdfast::inline v1
