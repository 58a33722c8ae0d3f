#include "text/mask_paths.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestWord = 200;

bool is_letter(char c) { return is_ascii_letter(c) || (c & 0x80) != 0; }

bool is_between_words(char c) {
  return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'`<>()[]{},;=|*").contains(c);
}

bool is_address(std::string_view word) { return word.starts_with("http://") || word.starts_with("https://"); }

// Windows separates names with backslashes, also after a variable: %APPDATA%\x, src\x.
bool has_backslash_inside(std::string_view word) {
  for (std::size_t at = word.find('\\', 1); at != std::string_view::npos; at = word.find('\\', at + 1))
    if (at + 1 < word.size() && word[at - 1] != '\\' && word[at + 1] != '\\') return true;
  return false;
}

bool is_path(std::string_view word) {
  if (is_address(word) || std::ranges::none_of(word, is_letter)) return false;
  const std::size_t drive = word.find(":\\");
  return word.contains('/') || drive != std::string_view::npos || word.starts_with("\\\\") || word.starts_with("~") ||
         has_backslash_inside(word);
}

// The end of a quoted path at `at`, which may have spaces in it; `at` if there is none. Only a whole path: a relative
// one cannot be told from other quoted words.
std::size_t quoted_path_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestPath = 4096;
  if (at == 0 || !std::string_view("\"'`").contains(text[at - 1])) return at;
  const std::string_view rest = text.substr(at, kLongestPath);
  const std::size_t end = rest.find_first_of(std::string{text[at - 1], '\n'});
  if (end == std::string_view::npos || rest[end] == '\n') return at;
  const std::string_view quoted = rest.substr(0, end);
  const bool has_drive =
      quoted.size() > 2 && is_ascii_letter(quoted[0]) && quoted[1] == ':' && (quoted[2] == '\\' || quoted[2] == '/');
  const bool has_variable = quoted.starts_with('%') && quoted.contains("%\\");
  const bool begins = quoted.starts_with('/') || quoted.starts_with('~') || quoted.starts_with("\\\\");
  if (!begins && !has_drive && !has_variable) return at;
  return std::ranges::any_of(quoted, is_letter) ? at + end : at;
}

void write_masked(JsonWriter& json, JsonView value, bool named) {
  switch (value.kind()) {
    case JsonKind::object:
      json.begin_object();
      for (const JsonItem& item : value.fields()) {
        std::string key = item.key();
        json.key(without_paths(key));
        key = in_lower_case(key);
        const bool says_so = key.contains("path") || key.contains("file") || key.contains("dir") || key.contains("cwd");
        write_masked(json, item.value, named || says_so);
      }
      json.end_object();
      return;
    case JsonKind::array:
      json.begin_array();
      for (const JsonItem& item : value.elements()) write_masked(json, item.value, named);
      json.end_array();
      return;
    case JsonKind::string:
      json.string(named ? std::string(kMaskedPath) : without_paths(value.as_string().value_or("")));
      return;
    default: json.raw(value.raw());
  }
}

}  // namespace

std::string without_paths(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = quoted_path_end(text, at);
    if (end > at) {
      out += kMaskedPath;
      at = end;
    }
    while (end < text.size() && !is_between_words(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.size() > kLongestWord && !is_address(word))
      out += kMaskedBytes;
    else if (is_path(word))
      out += kMaskedPath;
    else
      out += word;
    for (at = end; at < text.size() && is_between_words(text[at]); ++at) out += text[at];
  }
  return out;
}

std::string json_without_paths(std::string_view json) {
  if (!check_json(json).ok()) return {};
  JsonWriter writer;
  write_masked(writer, JsonView(json), false);
  return writer.take();
}

}  // namespace holdfast::inline v1
