// A message as the tables for search hold it: texts that a PostgreSQL server takes, and the words by which it finds
// them. docs/formats/sync.md. Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

inline constexpr std::size_t kMaxProjectedText = std::size_t{1} << 20;     // of a message
inline constexpr std::size_t kMaxProjectedWords = std::size_t{384} << 10;  // the server takes 1 MiB, with what it adds
inline constexpr char kTextEnd = '\x1e';                                   // between the texts of a kind

// Texts of one kind, and their words.
struct ProjectedText {
  std::string text = {};
  std::string words = {};
};

struct ProjectedMessage {
  std::uint64_t ordinal = 0;
  std::uint64_t same = 0;  // the first ordinal with the same id
  std::string role = {}, kind = {}, at = {};
  ProjectedText said = {}, thought = {}, tools = {};
  bool cut = false;  // something is missing, or not as it was

  // Of everything in it, 8 bytes.
  std::string hash() const;
  // The texts are gone, and it says so.
  void empty();
  std::size_t size() const;
};

// The texts of a message, in the three kinds of them. `message` gets what fits.
void project_texts(std::span<const std::string_view> said, std::span<const std::string_view> thought,
                   std::span<const std::string_view> tools, ProjectedMessage& message);

// Without NUL and what is not UTF-8; `changed` becomes true where there was any.
std::string projected_text(std::string_view text, bool& changed);

// Words as they are found: folded, in their order.
std::vector<std::string> words_in(std::string_view text);

// "race:A & cond:*A": what finds messages that may have each term in texts of these kinds ("": of any). A term without
// a word in it cannot be asked for: empty.
std::string words_query(std::span<const std::string> terms, std::string_view weights);

// Whether whatever the server finds for the term has it in its text: it is one word, and case does not matter.
bool is_one_word(std::string_view term);

}  // namespace holdfast::inline v1
