// The one table of commands, from which help, docs/cli.md and the parser are made. Thread-safety: constant data.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct Option {
  std::string_view name;   // "--seconds"
  std::string_view value;  // "N"; empty for a switch
  std::string_view text;
  bool hidden = false;
  char letter = '\0';  // short form: 'f' for -f
};

struct Example {
  std::string_view line;
  std::string_view text;
};

struct Command {
  std::string_view name;
  std::string_view arguments;  // "[COMMAND]"
  std::string_view summary;    // one line
  std::string_view text;       // a paragraph or two, lines of at most 78 columns
  std::vector<Option> options;
  std::vector<Example> examples;
  bool hidden = false;
  bool json = true;  // accepts --json; false if the output is text for people or a shell and has no other form
};

std::span<const Command> commands();
std::span<const Option> global_options();                    // available in every command
std::vector<Option> shared_options(const Command& command);  // the global options that it offers
const Command* find_command(std::string_view name);          // includes hidden ones

struct ExitCode {
  int number;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

}  // namespace holdfast::inline v1
