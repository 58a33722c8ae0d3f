// The one table of commands. Help, docs/cli.md and the parser are made from it.
// Thread-safety: constant data.
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
  char letter = '\0';  // a short spelling: 'f' for -f
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
  bool json = true;  // whether --json means something; what prints a text for people or a shell has no other form
};

std::span<const Command> commands();
std::span<const Option> global_options();                    // of every command
std::vector<Option> shared_options(const Command& command);  // those of them that it offers
const Command* find_command(std::string_view name);          // hidden ones too

struct ExitCode {
  int number;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

}  // namespace holdfast::inline v1
