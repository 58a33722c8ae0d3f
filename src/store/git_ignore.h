// Decides whether git would ignore a file: the rules of gitignore(5), over
// patterns that the caller provides. Thread-safety: plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class IgnoreRules {
 public:
  // Adds the lines of a .gitignore in the directory `base` ("" or "a/b/"); later lines win.
  void add(std::string_view base, std::string_view text);

  // `path` is relative to the top directory. Also true if a directory above it is ignored.
  bool ignores(std::string_view path) const;

 private:
  struct Rule {
    std::string base, pattern;
    bool negated = false, only_directories = false, anchored = false;
  };
  bool ignores_name(std::string_view path, bool directory) const;
  std::vector<Rule> rules_;
};

// fnmatch with git's "**"; '*' and '?' do not match '/'.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace holdfast::inline v1
