#include "text/json_string.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/json_blocks.h"
#include "text/json_plain.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt";       // the letter after the backslash
constexpr std::string_view kEscaped = "\"\\/\b\f\n\r\t";  // the decoded characters, in the same order
constexpr std::size_t kShort = 128;                       // longer strings usually have escapes
constexpr std::ptrdiff_t kBlock = 64;                     // bytes of a JsonBlock
constexpr char32_t kBroken = 0xFFFFFFFF;                  // not four hex digits

// Indexed by the letter after the backslash; 0 if that is not a simple escape.
constexpr auto kPlainEscape = [] {
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < kEscapes.size(); ++i) table[static_cast<unsigned char>(kEscapes[i])] = kEscaped[i];
  return table;
}();

constexpr bool is_high(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
constexpr bool is_low(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Returns the UTF-16 unit of "\uXXXX" at `at`; kBroken if it is not one.
char32_t unit_at(std::string_view text, std::size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return kBroken;
  char32_t unit = 0;
  for (const char byte : text.substr(at + 2, 4)) {
    const char lower = static_cast<char>(byte | 0x20);
    if (byte >= '0' && byte <= '9') {
      unit = unit * 16 + static_cast<char32_t>(byte - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<char32_t>(lower - 'a' + 10);
    } else {
      return kBroken;
    }
  }
  return unit;
}

// Decodes the escape at `at` and steps over it; returns false if it is not one.
bool decode_escape(std::string_view body, std::size_t& at, std::string& out, bool& exact) {
  if (body.size() - at < 2) return false;
  if (const std::size_t simple = kEscapes.find(body[at + 1]); simple != std::string_view::npos) {
    out.push_back(kEscaped[simple]);
    at += 2;
    return true;
  }
  const char32_t unit = unit_at(body, at);
  if (unit == kBroken) return false;
  at += 6;
  if (is_high(unit)) {
    if (const char32_t next = unit_at(body, at); next != kBroken && is_low(next)) {
      append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00));
      at += 6;
      return true;
    }
  }
  exact = exact && !is_high(unit) && !is_low(unit);
  append_utf8(out, unit);
  return true;
}

// Decodes from `at` to `to`, advancing both, up to the first byte that is neither plain
// nor a simple escape, or close to the end. All backslashes of a block are located
// before any is removed, so no step waits for another. `to` must have room for
// everything that is left.
void decode_blocks(const char*& at, const char* end, char*& to, JsonBlock::Range& range) {
  constexpr std::ptrdiff_t kRead = 2 * kBlock;  // one block, and the bytes copied from after its last escape
  while (end - at >= kRead) {
    const JsonBlock block(at);
    block.widen_up(range);
    std::memcpy(to, at, kBlock);
    const std::uint64_t backslashes = block.equal('\\');
    const std::uint64_t stops = block.string_stops();
    std::ptrdiff_t length = kBlock, removed = 0;
    if ((backslashes | stops) != 0) {
      const std::uint64_t escaped = EscapedBytes().next(backslashes);
      if ((stops & ~escaped) != 0) return;
      for (std::uint64_t left = backslashes & ~escaped; left != 0; left &= left - 1) {
        const std::ptrdiff_t here = std::countr_zero(left);
        const char simple = kPlainEscape[static_cast<unsigned char>(at[here + 1])];
        if (simple == '\0' || here == kBlock - 1) {  // left for the next block
          length = here;
          break;
        }
        char* const letter = to + here - removed;
        *letter = simple;
        std::memcpy(letter + 1, at + here + 2, kBlock);
        ++removed;
      }
      if (length == 0) return;
    }
    at += length;
    to += length - removed;
  }
}

// Same as decode for a body that is UTF-8; `valid` returns whether it was. The output
// is never longer than the input, so it is written directly to its final place.
bool decode_valid(std::string_view body, std::string& out, bool& exact, bool& valid) {
  std::string unusual;  // decoded \\u escapes
  JsonBlock::Range range;
  bool whole = true, runs_valid = true;
  out.resize_and_overwrite(body.size(), [&](char* into, std::size_t) {
    char* to = into;
    const char* const end = body.data() + body.size();
    for (const char* at = body.data(); at != end;) {
      decode_blocks(at, end, to, range);
      const char* const stop = skip_json_plain(at, end);
      const auto run = static_cast<std::size_t>(stop - at);
      runs_valid = runs_valid && utf8_fault({at, run}) == std::string_view::npos;
      std::memcpy(to, at, run);
      to += run;
      at = stop;
      if (at == end) break;
      if (*at != '\\' || end - at < 2) {
        whole = false;
        break;
      }
      if (const char simple = kPlainEscape[static_cast<unsigned char>(at[1])]; simple != '\0') {
        *to++ = simple;
        at += 2;
        continue;
      }
      unusual.clear();
      auto offset = static_cast<std::size_t>(at - body.data());
      if (!decode_escape(body, offset, unusual, exact)) {
        whole = false;
        break;
      }
      std::memcpy(to, unusual.data(), unusual.size());
      to += unusual.size();
      at = body.data() + offset;
    }
    return static_cast<std::size_t>(to - into);
  });
  // A character may have been split between blocks and runs.
  valid = (runs_valid && !range.high()) || utf8_fault(body) == std::string_view::npos;
  return whole;
}

// Returns false if `token` is not a string token. Sets `exact` to false if the text had
// to be repaired.
bool decode(std::string_view token, std::string& out, bool& exact) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return false;
  const std::string_view body = token.substr(1, token.size() - 2);
  if (out.empty() && body.size() < kShort && is_json_plain_ascii(body)) {
    out = body;
    return true;
  }
  if (out.empty()) {
    bool valid = true, as_written = exact;
    const bool whole = decode_valid(body, out, as_written, valid);
    if (valid) {
      exact = as_written;
      return whole;
    }
    out.clear();
  }
  const char* const end = body.data() + body.size();
  for (std::size_t at = 0; at < body.size();) {
    const auto stop = static_cast<std::size_t>(skip_json_plain(body.data() + at, end) - body.data());
    const std::string_view run = body.substr(at, stop - at);
    if (utf8_fault(run) == std::string_view::npos) {
      out.append(run);
    } else {
      append_clean_utf8(out, run);
      exact = false;
    }
    at = stop;
    if (at == body.size()) break;
    if (body[at] != '\\' || !decode_escape(body, at, out, exact)) return false;
  }
  return true;
}

// Returns the escape of a valid sequence that some readers mishandle; empty for all others.
std::string_view wary_escape(std::string_view sequence) {
  if (sequence == "\xC2\x85") return "\\u0085";
  if (sequence == "\xE2\x80\xA8") return "\\u2028";
  if (sequence == "\xE2\x80\xA9") return "\\u2029";
  if (sequence == "\xEF\xBB\xBF") return "\\ufeff";
  return {};
}

void append_control(std::string& out, char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('\\');
  if (const std::size_t simple = kEscaped.find(byte); simple != std::string_view::npos) {
    out.push_back(kEscapes[simple]);
    return;
  }
  out.append("u00");
  out.push_back(kHex[static_cast<unsigned char>(byte) >> 4]);
  out.push_back(kHex[static_cast<unsigned char>(byte) & 0xF]);
}

// Whether eight bytes need no escape and no UTF-8 check.
bool is_plain_ascii(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return ((bytes & 0x8080808080808080U) | json_stops_in(at)) == 0;
}

std::size_t own_long_escape(std::string_view body, std::size_t at) {
  constexpr std::string_view kLong[] = {"0085", "2028", "2029", "feff"};
  const char32_t unit = unit_at(body, at);
  if (unit == kBroken) return 0;
  if (unit < 0x20) {
    std::string own;
    append_control(own, static_cast<char>(unit));
    return body.substr(at, 6) == own ? 6 : 0;
  }
  for (const std::string_view digits : kLong) {
    if (body.substr(at + 2, 4) == digits) return 6;
  }
  return 0;
}

// Returns the length of the escape at `at` if append_json_string writes it like that, else 0.
std::size_t own_escape(std::string_view body, std::size_t at) {
  if (body.size() - at < 2) return 0;
  const char letter = body[at + 1];
  if (kPlainEscape[static_cast<unsigned char>(letter)] != '\0') return letter == '/' ? 0 : 2;
  return own_long_escape(body, at);
}

// Whether every escape is written like that, and every other byte stands for itself. Looks at whole blocks only, and
// moves `at` to where the rest begins.
bool are_own_escapes(std::string_view body, std::size_t& at, JsonBlock::Range& range) {
  constexpr auto kSize = static_cast<std::size_t>(kBlock);
  while (body.size() - at >= kSize) {
    const JsonBlock block(body.data() + at);
    block.widen_up(range);
    const std::uint64_t stops = block.string_stops(), slashes = block.equal('\\');
    std::size_t length = kSize;
    if ((stops | slashes) != 0) {
      const std::uint64_t escaped = EscapedBytes().next(slashes);
      if ((stops & ~escaped) != 0) return false;
      for (std::uint64_t left = slashes & ~escaped; left != 0; left &= left - 1) {
        const auto here = static_cast<std::size_t>(std::countr_zero(left));
        if (here == kSize - 1)
          length = here;  // left for the next block
        else if (own_escape(body, at + here) == 0)
          return false;
      }
    }
    at += length;
  }
  return true;
}

// Whether append_json_string writes the text of this body with exactly these bytes.
bool is_own_spelling(std::string_view body) {
  JsonBlock::Range range;
  std::size_t at = 0;
  if (!are_own_escapes(body, at, range)) return false;
  bool high = range.high();
  while (at < body.size()) {
    if (body.size() - at >= 8 && is_plain_ascii(body.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t length = body[at] == '\\' ? own_escape(body, at) : is_json_plain(body[at]) ? 1 : 0;
    if (length == 0) return false;
    high = high || static_cast<unsigned char>(body[at]) >= 0x80;
    at += length;
  }
  if (!high) return true;
  for (const std::string_view wary : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF"})
    if (body.contains(wary)) return false;
  return utf8_fault(body) == std::string_view::npos;
}

void append_quoted(std::string& out, std::string_view body) {
  const std::size_t before = out.size(), after = before + body.size() + 2;
  out.resize_and_overwrite(after, [&](char* bytes, std::size_t /*room*/) {
    bytes[before] = '"';
    std::memcpy(bytes + before + 1, body.data(), body.size());
    bytes[after - 1] = '"';
    return after;
  });
}

}  // namespace

std::optional<std::string> decode_json_string(std::string_view token) {
  std::optional<std::string> out(std::in_place);
  bool exact = true;
  if (!decode(token, *out, exact)) out.reset();
  return out;
}

bool json_string_equals(std::string_view token, std::string_view text) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return false;
  const std::string_view body = token.substr(1, token.size() - 2);
  if (body.find('\\') == std::string_view::npos) return body == text;
  if (body.size() < text.size()) return false;  // no escape is shorter than its character
  std::string out;
  bool exact = true;
  return decode(token, out, exact) && exact && out == text;
}

bool json_string_is_text(std::string_view token) {
  for (std::size_t at = token.find('\\'); at != std::string_view::npos; at = token.find('\\', at)) {
    const char32_t unit = unit_at(token, at);
    if (unit == kBroken) {
      at += 2;
      continue;
    }
    at += 6;
    if (is_low(unit)) return false;
    if (!is_high(unit)) continue;
    const char32_t next = at < token.size() ? unit_at(token, at) : kBroken;
    if (next == kBroken || !is_low(next)) return false;
    at += 6;
  }
  return true;
}

void append_json_string(std::string& out, std::string_view text) {
  if (is_json_plain_ascii(text)) return append_quoted(out, text);
  out.push_back('"');
  std::size_t run = 0;  // start of the bytes to copy unchanged
  for (std::size_t at = 0; at < text.size();) {
    if (text.size() - at >= 8 && is_plain_ascii(text.data() + at)) {
      at += 8;
      continue;
    }
    if (static_cast<signed char>(text[at]) >= 0x20 && is_json_plain(text[at])) {
      ++at;
      continue;
    }
    const bool plain = is_json_plain(text[at]);
    const std::size_t length = plain ? utf8_length(text, at) : 1;
    const std::string_view escape = length > 1 ? wary_escape(text.substr(at, length)) : std::string_view{};
    if (plain && length != 0 && escape.empty()) {
      at += length;
      continue;
    }
    out.append(text.substr(run, at - run));
    if (!plain) {
      append_control(out, text[at]);
    } else if (length == 0) {
      append_utf8(out, 0xFFFD);
    } else {
      out.append(escape);
    }
    at += length == 0 ? 1 : length;
    run = at;
  }
  out.append(text.substr(run));
  out.push_back('"');
}

bool is_own_json_token(std::string_view token) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return false;
  const std::string_view body = token.substr(1, token.size() - 2);
  return (body.size() < kShort && is_json_plain_ascii(body)) || is_own_spelling(body);
}

}  // namespace holdfast::inline v1
