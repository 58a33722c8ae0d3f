#include "doors/cli/left_out.h"

#include <fmt/core.h>
#include <holdfast/error.h>

#include "doors/cli/render_cells.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMost = 5;

bool is_error(JsonView kind) {
  for (int code = 0; code < kCodeCount; ++code) {
    if (kind.is_string(code_name(static_cast<Code>(code)))) return true;
  }
  return false;
}

}  // namespace

std::string left_out_lines(JsonView answer) {
  std::string lines;
  int count = 0;
  for (const JsonItem& item : answer.find("findings").elements()) {
    const JsonView finding = item.value;
    if (!is_error(finding.find("kind")) || ++count > kMost) continue;
    lines += fmt::format("{}: {}\n", line_of(finding.find("file"), 300), line_of(finding.find("consequence"), 300));
  }
  if (count > kMost) lines += fmt::format("and {} more that could not be read; --json names them\n", count - kMost);
  return lines.empty() ? lines : "\n" + lines;
}

}  // namespace holdfast::inline v1
