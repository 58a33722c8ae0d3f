#include "store/git_ignore.h"

namespace holdfast::inline v1 {
namespace {

// Matches "[a-z]" or "[!x]" at the front of `pattern`; returns its length, 0 if it is not a set.
std::size_t match_set(std::string_view pattern, char letter, bool& matched) {
  std::size_t at = 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool inside = false;
  for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false, ++at) {
    const char from = pattern[at];
    char to = from;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      to = pattern[at + 2];
      at += 2;
    }
    inside = inside || (letter >= from && letter <= to);
  }
  if (at >= pattern.size()) return 0;
  matched = inside != negated && letter != '/';
  return at + 1;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**/")) {
      for (std::size_t at = 0; at != std::string_view::npos;) {
        if (matches_pattern(pattern.substr(3), text.substr(at))) return true;
        const std::size_t slash = text.find('/', at);
        at = slash == std::string_view::npos ? slash : slash + 1;
      }
      return false;
    }
    if (pattern == "**") return true;
    if (pattern.front() == '*') {
      while (pattern.starts_with('*')) pattern.remove_prefix(1);
      for (std::size_t at = 0; at <= text.size(); ++at) {
        if (matches_pattern(pattern, text.substr(at))) return true;
        if (at < text.size() && text[at] == '/') return false;
      }
      return false;
    }
    if (text.empty()) return false;
    bool matched = false;
    if (const std::size_t length = pattern.front() == '[' ? match_set(pattern, text.front(), matched) : 0;
        length != 0) {
      if (!matched) return false;
      pattern.remove_prefix(length);
    } else {
      if (pattern.front() == '\\' && pattern.size() > 1) {
        pattern.remove_prefix(1);
        matched = pattern.front() == text.front();
      } else {
        matched = pattern.front() == '?' ? text.front() != '/' : pattern.front() == text.front();
      }
      if (!matched) return false;
      pattern.remove_prefix(1);
    }
    text.remove_prefix(1);
  }
  return text.empty();
}

void IgnoreRules::add(std::string_view base, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    Rule rule{.base = std::string(base)};
    if (line.starts_with('!')) {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      rule.only_directories = true;
      line.remove_suffix(1);
    }
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    rule.pattern = line;
    if (!rule.pattern.empty()) rules_.push_back(std::move(rule));
  }
}

bool IgnoreRules::ignores_name(std::string_view path, bool directory) const {
  bool ignored = false;
  for (const Rule& rule : rules_) {
    if (!path.starts_with(rule.base) || (rule.only_directories && !directory)) continue;
    const std::string_view below = path.substr(rule.base.size());
    const std::string_view name = rule.anchored ? below : below.substr(below.rfind('/') + 1);
    if (matches_pattern(rule.pattern, name)) ignored = !rule.negated;
  }
  return ignored;
}

bool IgnoreRules::ignores(std::string_view path) const {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (ignores_name(path.substr(0, slash), true)) return true;
  }
  return ignores_name(path, false);
}

}  // namespace holdfast::inline v1
