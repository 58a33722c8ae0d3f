#include "text/clean.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

struct Character {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = false;
};

Character character_at(std::string_view text, std::size_t at) {
  const std::size_t length = utf8_length(text, at);
  if (length == 0) return {};
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[at + index]); };
  char32_t value = length == 1 ? byte(0) : byte(0) & (0x7F >> length);
  for (std::size_t index = 1; index < length; ++index) value = (value << 6) | (byte(index) & 0x3F);
  return {value, length, true};
}

bool is_bidi(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}
bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

std::size_t skip_range(std::string_view text, std::size_t at, char low, char high) {
  while (at < text.size() && text[at] >= low && text[at] <= high) ++at;
  return at;
}

// Finds the ends of string sequences, in linear time however many are opened.
class StringEnds {
 public:
  explicit StringEnds(std::string_view text) : text_(text) {}

  // Returns the offset past the string that starts at `at` if BEL, ESC \ or U+009C closes it on its line, else `at`.
  std::size_t find(std::size_t at) {
    if (at < open_until_) return at;
    std::size_t end = at;
    for (; end < text_.size() && text_[end] != '\n'; ++end) {
      if (text_[end] == '\x07') return end + 1;
      if (text_.substr(end).starts_with("\x1b\\") || text_.substr(end).starts_with("\xC2\x9C")) return end + 2;
    }
    open_until_ = end;
    return at;
  }

 private:
  std::string_view text_;
  std::size_t open_until_ = 0;  // no string that starts before this offset is closed
};

// Returns the offset past the parameters and the final byte of a control sequence, which may be incomplete.
std::size_t csi_end(std::string_view text, std::size_t at) {
  at = skip_range(text, skip_range(text, at, 0x30, 0x3F), 0x20, 0x2F);
  return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : at;
}

// Returns the offset past the terminal sequence whose introducer is the control character at `at`.
std::size_t sequence_end(std::string_view text, std::size_t at, const Character& c, StringEnds& strings) {
  std::size_t next = at + c.length;
  char32_t kind = c.value;
  if (c.value == 0x1B) {
    if (next == text.size()) return next;
    const auto byte = static_cast<unsigned char>(text[next]);
    if (byte >= 0x20 && byte <= 0x2F) {
      next = skip_range(text, next, 0x20, 0x2F);
      return next < text.size() && text[next] >= 0x30 && text[next] <= 0x7E ? next + 1 : next;
    }
    if (byte < 0x30 || byte > 0x7E) return next;
    ++next;
    kind = byte >= 0x40 && byte <= 0x5F ? byte + 0x40U : 0;
  }
  switch (kind) {
    case 0x9B: return csi_end(text, next);
    case 0x90:
    case 0x98:
    case 0x9D:
    case 0x9E:
    case 0x9F: return strings.find(next);
    default: return next;
  }
}

void append_visible(std::string& out, char32_t c) {
  if (c < 0x20) return append_utf8(out, 0x2400 + c);
  if (c == 0x7F) return append_utf8(out, 0x2421);
  out.append("<U+");
  for (int shift = 12; shift >= 0; shift -= 4) out.push_back("0123456789ABCDEF"[(c >> shift) & 0xF]);
  out.push_back('>');
}

// Returns the offset past ESC [ digits ; ... m at `at`; `at` if there is no such sequence.
std::size_t colour_end(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("\x1b[")) return at;
  const std::size_t end = skip_range(text, at + 2, '0', ';');  // ':' too: some programs use it in colors
  return end < text.size() && text[end] == 'm' ? end + 1 : at;
}

// Returns the end of the printable ASCII that starts at `at`, at most `most` bytes.
std::size_t printable_end(std::string_view text, std::size_t at, std::size_t most) {
  const std::size_t stop = at + std::min(most, text.size() - at);
  return skip_range(text.substr(0, stop), at, ' ', '~');
}

void cut(std::string& out, std::size_t max_bytes) {
  if (out.size() <= max_bytes) return;
  const std::string_view ellipsis = "\xE2\x80\xA6";
  out.resize(utf8_prefix(out, max_bytes < ellipsis.size() ? 0 : max_bytes - ellipsis.size()).size());
  if (max_bytes >= ellipsis.size()) out.append(ellipsis);
}

}  // namespace

std::string clean_for_terminal(std::string_view text, const CleanOptions& options) {
  std::string out;
  StringEnds strings(text);
  for (std::size_t at = 0; at < text.size() && out.size() <= options.max_bytes;) {
    // Appends at least one byte, so output over the limit shows that the text must be cut.
    if (const std::size_t end = printable_end(text, at, std::max<std::size_t>(options.max_bytes - out.size(), 1));
        end > at) {
      out.append(text.substr(at, end - at));
      at = end;
      continue;
    }
    if (const std::size_t end = options.keep_colours ? colour_end(text, at) : at; end > at) {
      out.append(text.substr(at, end - at));
      at = end;
      continue;
    }
    const Character c = character_at(text, at);
    const std::size_t next = at + c.length;
    if (!c.valid) {
      append_utf8(out, 0xFFFD);
    } else if (c.value == '\n' || c.value == '\t') {
      out.push_back(options.one_line ? ' ' : text[at]);
    } else if (c.value == '\r' && text.substr(next).starts_with('\n')) {
      // Drop it: the "\n" follows.
    } else if (!is_control(c.value) && !is_bidi(c.value)) {
      out.append(text.substr(at, c.length));
    } else if (options.visible) {
      append_visible(out, c.value);
    } else if (is_control(c.value)) {
      at = sequence_end(text, at, c, strings);
      continue;
    }
    at = next;
  }
  cut(out, options.max_bytes);
  return out;
}

std::string escape_controls_in_json(std::string_view json) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < json.size();) {
    if (static_cast<unsigned char>(json[at]) < 0x7F) {
      ++at;
      continue;
    }
    const Character c = character_at(json, at);
    if (c.valid && (c.value >= 0x7F && (is_control(c.value) || is_bidi(c.value)))) {
      out.append(json.substr(copied, at - copied)).append("\\u");
      for (int shift = 12; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(c.value >> shift) & 0xF]);
      copied = at + c.length;
    }
    at += c.length;
  }
  return out.append(json.substr(copied));
}

}  // namespace holdfast::inline v1
