// What a hand-off carries, changes and leaves behind; part of the result of every hand-off.
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

// Adds to the line with this kind and reason, or starts one. Does nothing if the count is 0.
void note(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason, std::uint64_t count = 1);

}  // namespace holdfast::inline v1
