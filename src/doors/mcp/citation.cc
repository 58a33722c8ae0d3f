#include "doors/mcp/citation.h"

#include <algorithm>

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kScheme = "session://";
constexpr std::string_view kHex = "0123456789ABCDEF";

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '-' || c == '.' || c == '_' || c == '~' || c == ':' || c == '@';
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

int digit(char c) {
  const char upper = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto at = kHex.find(upper);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// Anything that is not an encoding stays as it is.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int high = text[at] == '%' && text.size() - at > 2 ? digit(text[at + 1]) : -1;
    const int low = high < 0 ? -1 : digit(text[at + 2]);
    if (low < 0) {
      out += text[at];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

}  // namespace

std::string citation(std::string_view layout, std::string_view id) {
  return std::string(kScheme).append(encoded(layout)).append("/").append(encoded(id));
}
std::string citation(std::string_view layout, std::string_view id, std::int64_t ordinal) {
  return citation(layout, id) + "#" + std::to_string(ordinal);
}

std::optional<ParsedCitation> read_citation(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  ParsedCitation cited;
  if (const auto mark = uri.find('#'); mark != std::string_view::npos) {
    cited.message = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  const auto slash = uri.find('/');
  if (slash == 0 || slash == std::string_view::npos || slash + 1 == uri.size()) return std::nullopt;
  cited.layout = decoded(uri.substr(0, slash));
  cited.id = decoded(uri.substr(slash + 1));
  return cited;
}

std::optional<std::int64_t> ordinal_of(std::string_view message) {
  const bool digits = std::ranges::all_of(message, [](char c) { return c >= '0' && c <= '9'; });
  if (message.empty() || message.size() > 9 || !digits) return std::nullopt;
  return std::stol(std::string(message));
}

std::string session_named(std::string_view text) {
  const auto cited = read_citation(text);
  return cited ? cited->session() : std::string(text);
}

}  // namespace holdfast::inline v1
