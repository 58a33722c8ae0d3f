// A message as the tables for search contain it: texts that a PostgreSQL server accepts, and the words by
// which it finds them. docs/formats/sync.md. Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxProjectedText = std::size_t{1} << 20;     // per message
inline constexpr std::size_t kMaxProjectedWords = std::size_t{384} << 10;  // the server's limit is 1 MiB with overhead
inline constexpr char kTextEnd = '\x1e';                                   // separates the texts of one kind

// The texts of one kind, and their words.
struct ProjectedText {
  std::string text = {};
  std::string words = {};
};

struct ProjectedMessage {
  std::uint64_t ordinal = 0;
  std::uint64_t same = 0;  // the first ordinal with the same id
  std::string role = {}, kind = {}, at = {};
  ProjectedText said = {}, thought = {}, tools = {};
  bool cut = false;  // a text is incomplete or was altered

  // 8 bytes, over everything in the message.
  std::string hash() const;
  // Removes the texts and sets `cut`.
  void empty();
  std::size_t size() const;
};

// Adds the texts of a message, by kind, as far as they fit.
void project_texts(std::span<const std::string_view> said, std::span<const std::string_view> thought,
                   std::span<const std::string_view> tools, ProjectedMessage& message);

// Replaces NUL and what is not UTF-8; sets `changed` if there was any.
std::string projected_text(std::string_view text, bool& changed);

// The words for searching: folded, in order.
std::vector<std::string> words_in(std::string_view text);

// "race:A & cond:*A": the query for messages that may contain each term in texts of these kinds ("": any kind). Empty
// if there is a term without a word in it.
std::string words_query(std::span<const std::string> terms, std::string_view weights);

// Whether the term is one word, so that every message the server finds for it contains it (ignoring case).
bool is_one_word(std::string_view term);

}  // namespace holdfast::inline v1
