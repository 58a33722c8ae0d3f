// Results: rows with medians, 99th percentiles, ratios and goals, as a table for people and JSON for programs.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::bench {

struct Row {
  std::string name;
  double p50 = NAN;
  double p99 = NAN;  // NAN: not measured
  std::string unit;
  double ratio = NAN;  // relative to the row named in `against`
  std::string against;
  std::string goal;         // as text; empty if there is none
  std::optional<bool> met;  // whether the goal was met
  double cpu_ms = NAN;      // CPU time of this process; NAN: not measured
};

struct Group {
  std::string title;
  std::vector<Row> rows;
};

// The value below which `share` of the samples lie; sorts them.
double percentile(std::vector<double>& samples, double share);

// A row of microseconds with median and 99th percentile.
Row timing(std::string name, std::vector<double> samples);

// Adds a ratio and its goal: at_most with an upper limit `most`, at_least with a lower limit `least`.
Row& at_most(Row& row, const Row& base, double most);
Row& at_least(Row& row, const Row& base, double least);
Row& against(Row& row, const Row& base);  // without a goal

void print_group(const Group& group);
// Prints the numbers of met and missed goals in one line.
void print_sum(const std::vector<Group>& groups);
void write_json(const std::string& path, const std::vector<Group>& groups, const std::string& note);

// Ends the program with a message.
[[noreturn]] void stop(const std::string& why);

}  // namespace holdfast::bench
