// What may follow on a command line that is being typed: the one source of
// completions for all shells, made from the tables of commands and operations.
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
  std::vector<Candidate> words = {};  // all begin with the typed text
};

// Candidates that only this machine knows; called when needed.
struct CompletionSources {
  std::function<std::vector<Candidate>()> sessions;  // newest first
  std::function<std::vector<Candidate>()> stores;    // LAYOUT:ROOT
};

// `words` follow `holdfast`; the last one is being typed and may be empty. Thread-safety: pure except for the sources.
Completion complete_words(const std::vector<std::string>& words, const CompletionSources& sources);

// The output of `holdfast complete`: the kind, then one word per line with its help after a tab.
std::string completion_lines(const Completion& completion);

// The script for "bash", "zsh" or "fish"; empty for any other shell.
std::string_view completion_script(std::string_view shell);

}  // namespace holdfast::inline v1
