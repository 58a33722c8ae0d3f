// What may stand at the end of a command line that is being typed: the one source
// of the completions of all shells. Made from the tables of commands and operations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Candidate {
  std::string word;
  std::string help;  // for shells that show it; one line
};

struct Completion {
  enum class Kind { words, files, directories };
  Kind kind = Kind::words;
  std::vector<Candidate> words = {};  // all begin with what is typed
};

// What only this machine knows; asked for when it is needed.
struct CompletionSources {
  std::function<std::vector<Candidate>()> sessions;  // newest first
  std::function<std::vector<Candidate>()> stores;    // LAYOUT:ROOT
};

// `words` stand behind `holdfast`; the last one is being typed and may be empty.
// Thread-safety: pure, but for the sources.
Completion complete_words(const std::vector<std::string>& words, const CompletionSources& sources);

// What `holdfast complete` prints: the kind, then a word a line with its help behind a tab.
std::string completion_lines(const Completion& completion);

// The script for "bash", "zsh" or "fish"; empty for any other shell.
std::string_view completion_script(std::string_view shell);

}  // namespace holdfast::inline v1
