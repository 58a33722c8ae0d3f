// What a hand-off carries, changes and leaves behind: said with every one of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ReportLine {
  std::string kind;         // "tool calls"
  std::uint64_t count = 0;  // how many of them
  std::string reason = {};  // empty for what is carried
};

struct HandoffReport {
  std::vector<ReportLine> carried = {};
  std::vector<ReportLine> changed = {};
  std::vector<ReportLine> left_behind = {};
};

// Adds to the line of that kind and reason, or begins it. Nothing for a count of 0.
void note(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason, std::uint64_t count = 1);

}  // namespace holdfast::inline v1
