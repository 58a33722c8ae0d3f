#include "find/matcher.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/utf8.h"
#include "find/literal.h"
#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kShortestAtom = 3;
constexpr std::size_t kMaxAtoms = 6;

struct Word {
  std::optional<Literal> literal;
  std::unique_ptr<RE2> pattern;  // nullptr for a literal
};

RE2::Options options_of(bool match_case) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(match_case);
  return options;
}

// RE2 reports the literals that a pattern needs in its own lower case; only for plain
// ASCII is that certain to equal our folding.
bool is_plain(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (static_cast<unsigned char>(pattern[i]) >= 0x80) return false;
    if (pattern[i] == '\\' && i + 1 < pattern.size() && std::string_view("xpPCQ01234567").contains(pattern[i + 1]))
      return false;
  }
  return true;
}

// Returns literals; everything that the expression matches contains one of them. Empty if none are known.
std::vector<std::string> needed_by(const std::string& pattern, bool match_case) {
  std::vector<std::string> needed;
  if (!is_plain(pattern)) return needed;
  re2::FilteredRE2 filtered(kShortestAtom);
  int id = 0;
  if (filtered.Add(pattern, options_of(match_case), &id) != RE2::NoError) return needed;
  std::vector<std::string> atoms;
  filtered.Compile(&atoms);
  const auto possible = [&](const std::vector<int>& there) {
    std::vector<int> all;
    filtered.AllPotentials(there, &all);
    return !all.empty();
  };
  if (atoms.empty() || possible({})) return needed;
  std::string longest;
  for (std::size_t without = 0; without < atoms.size(); ++without) {
    std::vector<int> others;
    for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
      if (atom != without) others.push_back(static_cast<int>(atom));
    }
    if (!possible(others) && atoms[without].size() > longest.size()) longest = atoms[without];
  }
  if (!longest.empty()) return {folded(longest)};
  if (atoms.size() > kMaxAtoms) return needed;
  for (const std::string& atom : atoms) needed.push_back(folded(atom));
  return needed;
}

}  // namespace

struct Matcher::Parts {
  std::vector<Word> words;
  std::vector<std::vector<std::string>> needed;
  std::vector<std::optional<Sieves>> sieves;  // of each word
  std::optional<Sieves> any;                  // of all words
  std::size_t best = 0;
};

Matcher::Matcher(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::make(std::span<const std::string> words, bool regex, bool match_case) {
  auto parts = std::make_unique<Parts>();
  std::size_t best_size = 0;
  // The sieve of the word whose shortest literal is longest is the best one.
  const auto need = [&](const std::vector<std::string>& literals, const std::vector<std::string>& spelled, bool exact) {
    if (!literals.empty()) parts->needed.push_back(literals);
    parts->sieves.push_back(Sieves::of(spelled, exact));
    if (!parts->sieves.back()) return;
    const std::size_t size = std::ranges::min_element(spelled, {}, &std::string::size)->size();
    if (size <= best_size) return;
    best_size = size;
    parts->best = parts->sieves.size() - 1;
  };
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (!is_utf8(word)) return fail(Code::invalid_argument, "the query is not UTF-8");
    Word& one = parts->words.emplace_back();
    if (!regex) {
      one.literal.emplace(word, match_case);
      need({one.literal->needle()}, {match_case ? word : one.literal->needle()}, match_case);
      continue;
    }
    one.pattern = std::make_unique<RE2>(word, options_of(match_case));
    if (!one.pattern->ok())
      return fail(Code::invalid_argument, "\"" + word + "\" is not a regular expression: " + one.pattern->error());
    const std::vector<std::string> literals = needed_by(word, match_case);
    need(literals, literals, false);
  }
  if (parts->words.empty()) return fail(Code::invalid_argument, "the query is empty");
  parts->any = Sieves::all_of(parts->sieves);
  return Matcher(std::move(parts));
}

std::size_t Matcher::words() const { return parts_->words.size(); }
const std::vector<std::vector<std::string>>& Matcher::needed() const { return parts_->needed; }
const Sieves* Matcher::sieves() const {
  const std::optional<Sieves>& best = parts_->sieves[parts_->best];
  return best ? &*best : nullptr;
}

const Sieves* Matcher::sieves_of_any() const { return parts_->any ? &*parts_->any : nullptr; }

bool Matcher::may_hold_any(std::string_view bytes) const {
  return std::ranges::any_of(parts_->sieves, [&](const auto& sieves) { return !sieves || sieves->stand_in(bytes); });
}

bool Matcher::has(std::size_t word, std::string_view text) const {
  const Word& one = parts_->words[word];
  if (one.literal) return one.literal->occurs_in(text);
  return RE2::PartialMatch({text.data(), text.size()}, *one.pattern);
}

std::vector<TextSpan> Matcher::spans(std::string_view text) const {
  std::vector<TextSpan> all;
  const re2::StringPiece whole(text.data(), text.size());
  for (const Word& word : parts_->words) {
    if (word.literal) {
      word.literal->add_spans(text, all);
      continue;
    }
    re2::StringPiece found;
    for (std::size_t at = 0; at <= text.size();) {
      if (!word.pattern->Match(whole, at, text.size(), RE2::UNANCHORED, &found, 1)) break;
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
