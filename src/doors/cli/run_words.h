// Another program, started by its words and never by a shell: nothing in them is read as
// anything but an argument.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

struct ProgramWords {
  std::vector<std::string> words;  // the first names the program, looked for in $PATH; "holdfast" is this one
  std::string directory = {};      // where it runs; empty: here
  std::string variable = {};       // set for it; empty: none
  std::string value = {};
};

// unsupported: become() would not find the program of that name. What only the directory decides is taken to be there.
Result<void> find_program(const std::string& name);

// Becomes the program: returns only when it cannot be started. not_found: it, or the directory, is not there.
Error become(const ProgramWords& program);

// Runs it and waits; its exit code, or 128 and the number of the signal that ended it.
Result<int> run_words(const ProgramWords& program);

}  // namespace holdfast::inline v1
