#include "sync/projected_message.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "base/utf8.h"
#include "model/packing.h"
#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestWord = 128;
constexpr std::uint64_t kWordsVersion = 1;  // changes when texts are projected differently
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Range {
  char32_t from, to;
};
// Punctuation and symbols. Servers disagree on what a letter is, so these are never sent.
constexpr Range kSigns[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},       {0xD7, 0xD7},       {0xF7, 0xF7},
    {0x2000, 0x2BFF}, {0x2E00, 0x2E7F}, {0x3000, 0x3004}, {0x3008, 0x3020},   {0xD800, 0xF8FF},   {0xFE00, 0xFE6F},
    {0xFF00, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFFF0, 0xFFFF}, {0x1F000, 0x1FFFF}, {0xE0000, 0x10FFFF}};
// Scripts without spaces, in which every letter is a word.
constexpr Range kAlone[] = {{0x0E00, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17FF},
                            {0x2E80, 0xA4CF}, {0xF900, 0xFAFF}, {0x20000, 0x3FFFF}};

bool is_in(std::span<const Range> ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.from && c <= range.to; });
}

bool is_word_byte(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char32_t char_at(std::string_view text, std::size_t at, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  char32_t c = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) c = (c << 6U) | (byte(i) & 0x3FU);
  return c;
}

// Calls take(word) with each folded word until it returns false.
template <typename Take>
void each_word(std::string_view text, const Take& take) {
  std::string word;
  bool full = false;  // the rest of a long word is dropped
  const auto end = [&] {
    full = false;
    if (word.empty()) return true;
    const bool more = take(word);
    word.clear();
    return more;
  };
  const auto add = [&](std::string_view bytes) {
    full = full || word.size() + bytes.size() > kLongestWord;
    if (!full) word += bytes;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      ++at;
      if (!is_word_byte(c)) {
        if (!end()) return;
        continue;
      }
      const char folded = fold_ascii(c);
      add({&folded, 1});
      continue;
    }
    const std::size_t length = utf8_length(text, at);
    const char32_t letter = length == 0 ? 0x80 : char_at(text, at, length);
    const bool alone = is_in(kAlone, letter);
    const bool sign = is_in(kSigns, letter);
    if ((alone || sign) && !end()) return;
    if (!sign) {
      const FoldedChar folded = fold_at(text, at);
      add({folded.bytes, folded.size});
    }
    if (alone && !end()) return;
    at += std::max<std::size_t>(length, 1);
  }
  end();
}

// Each word once, separated by spaces.
std::string distinct_words(std::string_view text, std::size_t room, bool& cut) {
  std::unordered_set<std::string> seen;
  std::string words;
  each_word(text, [&](const std::string& word) {
    if (seen.contains(word)) return true;
    if (words.size() + word.size() + 1 > room) {
      cut = true;
      return false;
    }
    (words.empty() ? words : words += ' ') += word;
    seen.insert(word);
    return true;
  });
  return words;
}

// As much as fits, without splitting a character.
std::string_view fitting(std::string_view text, std::size_t room, bool& cut) {
  if (text.size() <= room) return text;
  cut = true;
  while (room > 0 && is_utf8_tail(text[room])) --room;
  return text.substr(0, room);
}

ProjectedText project(std::span<const std::string_view> texts, std::size_t& room, std::size_t& words, bool& cut) {
  ProjectedText all;
  for (const std::string_view text : texts) {
    if (!all.text.empty() && all.text.size() < room) all.text += kTextEnd;
    const std::size_t left = room - all.text.size();
    // Replacements may be longer than what they replace.
    const std::string clean = projected_text(fitting(text, left, cut), cut);
    all.text += fitting(clean, left, cut);
  }
  room -= all.text.size();
  all.words = distinct_words(all.text, words, cut);
  words -= all.words.size();
  return all;
}

}  // namespace

std::string projected_text(std::string_view text, bool& changed) {
  std::string clean;
  clean.reserve(text.size());
  append_clean_utf8(clean, text);
  changed = changed || clean != text;
  for (std::size_t at = clean.find('\0'); at != std::string::npos; at = clean.find('\0', at)) {
    clean.replace(at, 1, kReplacement);
    changed = true;
  }
  return clean;
}

void project_texts(std::span<const std::string_view> said, std::span<const std::string_view> thought,
                   std::span<const std::string_view> tools, ProjectedMessage& message) {
  std::size_t room = kMaxProjectedText, words = kMaxProjectedWords;
  message.said = project(said, room, words, message.cut);
  message.thought = project(thought, room, words, message.cut);
  message.tools = project(tools, room, words, message.cut);
}

std::string ProjectedMessage::hash() const {
  Packer out;
  out.number(kWordsVersion);
  out.number(ordinal);
  out.number(same);
  out.number(cut ? 1 : 0);
  for (const std::string* part : {&role, &kind, &at, &said.text, &thought.text, &tools.text}) out.text(*part);
  std::uint64_t hash = xxh3_64(out.take());
  std::string bytes(8, '\0');
  for (std::size_t i = bytes.size(); i-- > 0; hash >>= 8U) bytes[i] = static_cast<char>(hash & 0xFFU);
  return bytes;
}

void ProjectedMessage::empty() {
  said = thought = tools = {};
  cut = true;
}

std::size_t ProjectedMessage::size() const {
  std::size_t bytes = 128 + role.size() + kind.size() + at.size();
  for (const ProjectedText* one : {&said, &thought, &tools}) bytes += one->text.size() + one->words.size();
  return bytes;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  each_word(text, [&](const std::string& word) {
    words.push_back(word);
    return true;
  });
  return words;
}

std::string words_query(std::span<const std::string> terms, std::string_view weights) {
  std::string query;
  for (const std::string& term : terms) {
    const std::vector<std::string> words = words_in(term);
    if (words.empty()) return {};
    for (const std::string& word : words) {
      // The last word may continue in the text.
      const bool last = &word == &words.back();
      query.append(query.empty() ? "" : " & ").append(word);
      if (last || !weights.empty()) query.append(":").append(last ? "*" : "").append(weights);
    }
  }
  return query;
}

bool is_one_word(std::string_view term) {
  const std::vector<std::string> words = words_in(term);
  return words.size() == 1 && words.front() == folded(term);
}

}  // namespace holdfast::inline v1
