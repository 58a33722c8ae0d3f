// Results: rows with medians, 99th percentiles, ratios and goals; a table for
// people and JSON for programs.
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
  double ratio = NAN;  // against the row that `against` names
  std::string against;
  std::string goal;         // in words; empty when there is none
  std::optional<bool> met;  // of the goal
};

struct Group {
  std::string title;
  std::vector<Row> rows;
};

// `share` of the samples lie below; sorts them.
double percentile(std::vector<double>& samples, double share);

// A row of microseconds with median and 99th percentile.
Row timing(std::string name, std::vector<double> samples);

// Adds a ratio and its goal; the goal is "at most" with a positive `most`, "at least" with `least`.
Row& at_most(Row& row, const Row& base, double most);
Row& at_least(Row& row, const Row& base, double least);
Row& against(Row& row, const Row& base);  // for information

void print_group(const Group& group);
// Goals met and missed in one line.
void print_sum(const std::vector<Group>& groups);
void write_json(const std::string& path, const std::vector<Group>& groups, const std::string& note);

// Ends the program with a sentence.
[[noreturn]] void stop(const std::string& why);

}  // namespace holdfast::bench
