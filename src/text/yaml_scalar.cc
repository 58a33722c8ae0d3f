#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

// Characters that a reader may refuse, drop, or treat as a line end unless they are
// escaped.
bool must_escape(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xFDD0 && c <= 0xFDEF);
}

char32_t decode(std::string_view sequence) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(sequence[at]); };
  if (sequence.size() == 1) return byte(0);
  char32_t c = byte(0) & (0x7F >> sequence.size());
  for (std::size_t at = 1; at < sequence.size(); ++at) c = (c << 6) | (byte(at) & 0x3F);
  return c;
}

// Words that YAML 1.1 or 1.2 reads as a boolean, null or number, in any case.
bool is_reserved_word(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kWords = {"y",     "n",    "yes",  "no",   "on",  "off", "true",
                                                              "false", "null", ".inf", ".nan", "inf", "nan"};
  if (text.size() > 5) return false;
  return std::ranges::find(kWords, in_lower_case(text)) != kWords.end();
}

bool may_start_plain(std::string_view text) {
  const char first = text[0];
  if (is_ascii_letter(first) || first == '_' || first == '/' || static_cast<unsigned char>(first) >= 0x80) return true;
  return first == '.' && text.size() > 1 && is_ascii_letter(text[1]);
}

bool is_plain(std::string_view text) {
  if (text.empty() || !may_start_plain(text) || text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || must_escape(decode(text.substr(at, length)))) return false;
    at += length;
  }
  return !is_reserved_word(text);
}

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(value >> shift) & 0xF]);
}

void append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (c <= 0xFF) {
    append_hex(out += "\\x", c, 2);
  } else if (c <= 0xFFFF) {
    append_hex(out += "\\u", c, 4);
  } else {
    append_hex(out += "\\U", c, 8);
  }
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out("\"");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const std::string_view sequence = text.substr(at, std::max<std::size_t>(length, 1));
    at += sequence.size();
    if (length == 0) {
      append_utf8(out, 0xFFFD);
    } else if (const char32_t c = decode(sequence); must_escape(c)) {
      append_escaped(out, c);
    } else {
      if (c == '"' || c == '\\') out.push_back('\\');
      out.append(sequence);
    }
  }
  out.push_back('"');
  return out;
}

}  // namespace holdfast::inline v1
