#include "handoff/report.h"

#include <algorithm>

namespace holdfast::inline v1 {

void note(std::vector<ReportLine>& lines, std::string_view kind, std::string_view reason, std::uint64_t count) {
  if (count == 0) return;
  const auto same = [&](const ReportLine& line) { return line.kind == kind && line.reason == reason; };
  const auto found = std::ranges::find_if(lines, same);
  if (found != lines.end())
    found->count += count;
  else
    lines.push_back({std::string(kind), count, std::string(reason)});
}

}  // namespace holdfast::inline v1
