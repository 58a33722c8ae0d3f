// A program run as a child: what it took, and when its first byte came.
#pragma once

#include <string>
#include <vector>

namespace holdfast::bench {

struct ChildRun {
  double wall = 0;        // seconds
  double processor = 0;   // of all its threads, system included
  double first_byte = 0;  // seconds until something was printed
  double megabytes = 0;   // resident at most
  std::string output = {};
  bool ok = false;
};

// `words[0]` is looked for in PATH; errors of the program go to this one's stderr.
// Keeps no more than the first `keep` bytes of what it prints.
ChildRun run_child(const std::vector<std::string>& words, std::size_t keep = 4096);

}  // namespace holdfast::bench
