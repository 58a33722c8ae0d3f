#include "doors/cli/resume_command.h"

#include "api/agents.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";

}  // namespace

bool is_plain_word(std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  return !text.empty() && text.size() <= kLongest && text.find_first_not_of(kPlain) == std::string_view::npos &&
         !text.starts_with('-') && !text.starts_with('=') && !text.starts_with('%');
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string resume_command(JsonView session) {
  const auto resume = resume_words(session);
  if (!resume || !is_plain_word(session.find("id").as_string().value_or(""))) return {};
  std::string line;
  if (!resume->directory.empty()) line = "cd " + shell_word(resume->directory) + " && ";
  for (const std::string& word : resume->words) line += (&word == resume->words.data() ? "" : " ") + shell_word(word);
  return clean_for_terminal(line, {.one_line = true}) == line ? line : std::string();
}

}  // namespace holdfast::inline v1
