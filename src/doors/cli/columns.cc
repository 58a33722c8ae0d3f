#include "doors/cli/columns.h"

#include <algorithm>

#include "doors/cli/column_ranges.h"

namespace holdfast::inline v1 {
namespace {

template <std::size_t N>
bool is_in(const CodeRange (&ranges)[N], std::uint32_t code) {
  const auto at = std::ranges::lower_bound(ranges, code, {}, &CodeRange::last);
  return at != std::end(ranges) && at->first <= code;
}

// One step through a line: a character or a color sequence, and its columns.
struct Step {
  std::size_t bytes;
  std::size_t columns;
};

bool is_printable_ascii(char byte) { return byte >= ' ' && byte <= '~'; }

Step step(std::string_view text) {
  if (is_printable_ascii(text.front())) return {1, 1};
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead == 0x1B && text.size() > 1 && text[1] == '[') {
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return {end == std::string_view::npos ? text.size() : end + 1, 0};
  }
  if (lead < 0x80) return {1, lead < 0x20 || lead == 0x7F ? 0U : 1U};
  const std::size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  std::uint32_t code = wanted == 4 ? lead & 7U : wanted == 3 ? lead & 15U : lead & 31U;
  std::size_t bytes = 1;
  while (bytes < wanted && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
    code = code << 6 | (static_cast<unsigned char>(text[bytes++]) & 0x3FU);
  if (bytes != wanted || wanted == 1) return {bytes, 1};
  if (is_in(kNone, code)) return {bytes, 0};
  return {bytes, is_in(kWide, code) ? 2U : 1U};
}

// The number of bytes of the longest prefix that fits into `columns`.
std::size_t bytes_within(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return text.size();  // no character takes more columns than bytes
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Step next = step(text.substr(at));
    if (used + next.columns > columns) break;
    used += next.columns;
    at += next.bytes;
  }
  return at;
}

}  // namespace

std::size_t shown_width(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = at;
    while (at < line.size() && is_printable_ascii(line[at])) ++at;
    columns += at - begin;
    if (at == line.size()) break;
    const Step next = step(line.substr(at));
    columns += next.columns;
    at += next.bytes;
  }
  return columns;
}

std::string fit_columns(std::string_view text, std::size_t columns) {
  if (bytes_within(text, columns) == text.size()) return std::string(text);
  if (columns == 0) return {};
  return std::string(text.substr(0, bytes_within(text, columns - 1))) + "…";
}

std::string pad_columns(std::string_view text, std::size_t columns) {
  std::string fitted = fit_columns(text, columns);
  return fitted + std::string(columns - std::min(columns, shown_width(fitted)), ' ');
}

std::string fit_end(std::string_view text, std::size_t columns) {
  const std::size_t all = shown_width(text);
  if (all <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t gone = 0, at = 0;
  while (at < text.size() && (all - gone > columns - 1 || step(text.substr(at)).columns == 0)) {
    const Step next = step(text.substr(at));
    gone += next.columns;
    at += next.bytes;
  }
  return "…" + std::string(text.substr(at));
}

}  // namespace holdfast::inline v1
