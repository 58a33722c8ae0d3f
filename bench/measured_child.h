// Runs a program as a child and measures what it took, and when its first byte came.
#pragma once

#include <string>
#include <vector>

namespace holdfast::bench {

struct ChildRun {
  double wall = 0;        // seconds
  double processor = 0;   // of all its threads, including system time
  double first_byte = 0;  // seconds until something was printed
  double megabytes = 0;   // peak resident memory
  std::string output = {};
  bool ok = false;
};

// `words[0]` is searched in PATH; the program's errors go to our stderr. Keeps at
// most the first `keep` bytes of its output.
ChildRun run_child(const std::vector<std::string>& words, std::size_t keep = 4096);

}  // namespace holdfast::bench
