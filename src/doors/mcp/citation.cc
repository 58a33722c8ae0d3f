#include "doors/mcp/citation.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/percent.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kScheme = "session://";

std::string encoded(std::string_view text) { return percent_encoded(text, ":@"); }

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
  cited.layout = percent_decoded(uri.substr(0, slash));
  cited.id = percent_decoded(uri.substr(slash + 1));
  return cited;
}

std::optional<std::int64_t> ordinal_of(std::string_view message) {
  const bool digits = std::ranges::all_of(message, is_ascii_digit);
  if (message.empty() || message.size() > 9 || !digits) return std::nullopt;
  return std::stol(std::string(message));
}

std::string session_named(std::string_view text) {
  const auto cited = read_citation(text);
  return cited ? cited->session() : std::string(text);
}

}  // namespace holdfast::inline v1
