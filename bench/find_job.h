// The jobs of find_bench on one synthetic store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/table.h"

namespace holdfast::bench {

struct FindStore {
  std::string home;          // HOME of every process, with .claude, .codex and the cache
  std::string binary;        // holdfast
  std::string ccusage = {};  // the program; empty: not measured
  std::string sdk = {};      // a directory with the Claude Agent SDK in its node_modules; empty: not measured
  std::uint64_t bytes = 0;   // size of the logs
  std::size_t sessions = 0;
  int rounds = 9;
};

// A word that is in 8 sessions and nowhere else, and one that is in nearly all of them.
inline constexpr const char* kRareWord = "zyzzogeton";
inline constexpr const char* kCommonWord = "nullptr";

// Creates the store below `home` and inserts the rare word.
FindStore make_find_store(const std::string& home, const std::string& binary, std::uint64_t bytes,
                          std::size_t sessions);

// The table of the issue; `growth` gets (job, milliseconds) for the plot.
struct FindFigures {
  std::vector<Group> groups = {};
  std::vector<std::pair<std::string, double>> growth = {};
};
FindFigures find_jobs(const FindStore& store);

// A plot of how each job grows: a line for each over gigabytes, with logarithmic axes.
struct FindSize {
  double gigabytes = 0;
  std::vector<std::pair<std::string, double>> jobs = {};
};
std::string growth_plot(const std::vector<FindSize>& sizes);

}  // namespace holdfast::bench
