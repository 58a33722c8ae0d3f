// Starts another program from a list of words, never through a shell: each word is just an argument.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

struct ProgramCommand {
  std::vector<std::string> words;  // the first is the program, found through $PATH; "holdfast" is this one
  std::string directory = {};      // working directory; empty: the current one
  std::string variable = {};       // environment variable to set; empty: none
  std::string value = {};
};

// Fails with unsupported if become() would not find the program. A name that depends on the directory counts as found.
Result<void> find_program(const std::string& name);

// Replaces this process with the program; returns only on failure. not_found: the program or the directory is missing.
Error become(const ProgramCommand& program);

// Runs it and waits. Returns its exit code, or 128 plus the number of the signal that ended it.
Result<int> execute_program(const ProgramCommand& program);

}  // namespace holdfast::inline v1
