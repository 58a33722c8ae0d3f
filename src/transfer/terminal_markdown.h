// Formats Markdown for a terminal, line by line: headings, emphasis, code and lists are
// styled; long lines are wrapped at spaces. Thread-safety: pure.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Adds colors, if enabled.
struct Paint {
  bool colour = false;

  std::string bold(std::string_view text) const { return in("1", text); }
  std::string dim(std::string_view text) const { return in("2", text); }
  std::string name(std::string_view text) const { return in("1;35", text); }
  std::string prompt(std::string_view text) const { return in("1;36", text); }
  std::string tool(std::string_view text) const { return in("33", text); }
  std::string code(std::string_view text) const { return in("32", text); }
  std::string bad(std::string_view text) const { return in("31", text); }
  std::string diff(char mark, std::string_view text) const {
    return mark == '+' ? in("32", text) : mark == '-' ? in("31", text) : dim(text);
  }

 private:
  std::string in(std::string_view code, std::string_view text) const {
    if (!colour) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
};

// `text` must already be clean. Every line begins with `indent`.
std::string terminal_markdown(std::string_view text, const Paint& paint, std::size_t width, std::string_view indent);

}  // namespace holdfast::inline v1
