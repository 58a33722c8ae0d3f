// Runs whole processes as a user starts them, and measures time, memory and output.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace holdfast::bench {

struct ProcessRun {
  int code = 0;          // exit code; 127 if it could not be started
  double ms = 0;         // wall clock time
  double mib = 0;        // peak resident memory
  std::string out = {};  // standard output
};

// `home` is HOME, with the cache in HOME/cache; of this environment only PATH is passed on.
ProcessRun run_process(const std::vector<std::string>& arguments, const std::string& home, bool keep_output = false);

// The path of a program in PATH; empty if there is none.
std::string program_path(const std::string& name);

// Runs the variants in turns, `rounds` times, and collects samples in milliseconds.
struct Timed {
  std::function<double()> once;
  std::vector<double> samples = {};
};
void run_in_turns(std::vector<Timed>& jobs, int rounds);

}  // namespace holdfast::bench
