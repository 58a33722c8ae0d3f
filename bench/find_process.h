// Whole processes, as a user starts them: how long, how much memory, what they said.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace holdfast::bench {

struct Ran {
  int code = 0;          // exit code; 127 when it could not be started
  double ms = 0;         // on the wall clock
  double mib = 0;        // most that was resident
  std::string out = {};  // standard output
};

// `home` is HOME, with the cache in HOME/cache; nothing else of this environment but PATH.
Ran run_process(const std::vector<std::string>& arguments, const std::string& home, bool keep_output = false);

// Where a program is, looked for in PATH; empty: nowhere.
std::string program_path(const std::string& name);

// Variants take turns, `rounds` times; each one's samples of milliseconds.
struct Timed {
  std::function<double()> once;
  std::vector<double> samples = {};
};
void in_turns(std::vector<Timed>& jobs, int rounds);

}  // namespace holdfast::bench
