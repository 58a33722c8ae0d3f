#include "transfer/added_text.h"

#include <algorithm>
#include <array>

namespace holdfast::inline v1 {
namespace {

constexpr auto kAdded = std::to_array<std::string_view>(
    {"system-reminder", "ide_selection", "ide_opened_file", "ide_diagnostics", "environment_context",
     "environment_details", "user_instructions", "session_context", "untrusted_context"});

constexpr std::string_view kSpace = " \t\r\n";

// The name of the element that begins at `at`, or nothing.
std::string_view added_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 1);
  for (const std::string_view name : kAdded) {
    if (!rest.starts_with(name) || rest.size() == name.size()) continue;
    const char next = rest[name.size()];
    if (next == '>' || next == ' ') return name;
  }
  return {};
}

}  // namespace

std::string without_added_text(std::string_view text) {
  std::string kept;
  std::size_t from = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::string_view name = added_at(text, at);
    if (name.empty()) {
      ++at;
      continue;
    }
    kept += text.substr(from, at - from);
    kept.resize(kept.find_last_not_of(kSpace) + 1);
    const std::string close = "</" + std::string(name) + ">";
    const std::size_t end = text.find(close, at);
    if (end == std::string_view::npos) return kept;
    from = end + close.size();
    if (kept.empty()) from = std::min(text.find_first_not_of(kSpace, from), text.size());
    at = from;
  }
  return kept.append(text.substr(from));
}

}  // namespace holdfast::inline v1
