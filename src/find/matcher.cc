#include "find/matcher.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/utf8.h"

namespace holdfast::inline v1 {

struct Matcher::Parts {
  std::vector<std::unique_ptr<RE2>> words;
};

Matcher::Matcher(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::make(std::span<const std::string> words, bool regex, bool match_case) {
  auto parts = std::make_unique<Parts>();
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (!is_utf8(word)) return fail(Code::invalid_argument, "what to look for is not UTF-8");
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(match_case);
    options.set_literal(!regex);
    auto pattern = std::make_unique<RE2>(word, options);
    if (!pattern->ok())
      return fail(Code::invalid_argument, "\"" + word + "\" is not a regular expression: " + pattern->error());
    parts->words.push_back(std::move(pattern));
  }
  if (parts->words.empty()) return fail(Code::invalid_argument, "there is nothing to look for");
  return Matcher(std::move(parts));
}

std::size_t Matcher::words() const { return parts_->words.size(); }

bool Matcher::has(std::size_t word, std::string_view text) const {
  return RE2::PartialMatch({text.data(), text.size()}, *parts_->words[word]);
}

std::vector<TextSpan> Matcher::spans(std::string_view text) const {
  std::vector<TextSpan> all;
  const re2::StringPiece whole(text.data(), text.size());
  for (const auto& pattern : parts_->words) {
    re2::StringPiece found;
    for (std::size_t at = 0; at <= text.size();) {
      if (!pattern->Match(whole, at, text.size(), RE2::UNANCHORED, &found, 1)) break;
      const auto from = static_cast<std::size_t>(found.data() - text.data());
      if (!found.empty()) all.push_back({from, from + found.size()});
      at = from + std::max<std::size_t>(found.size(), 1);
    }
  }
  std::ranges::sort(all, {}, [](const TextSpan& span) { return std::pair(span.from, span.to); });
  std::vector<TextSpan> apart;
  for (const TextSpan& span : all) {
    if (!apart.empty() && span.from < apart.back().to)
      apart.back().to = std::max(apart.back().to, span.to);
    else
      apart.push_back(span);
  }
  return apart;
}

}  // namespace holdfast::inline v1
