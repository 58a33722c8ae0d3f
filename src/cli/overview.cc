#include "cli/overview.h"

#include <fmt/core.h>

#include "layout/layout.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

std::string line_of(JsonView value, std::size_t most) {
  return clean_for_terminal(value.as_string().value_or(""), {.one_line = true, .max_bytes = most});
}

std::string size_of(std::int64_t bytes) {
  if (bytes <= 0) return "";
  if (bytes < 1024 * 1024) return fmt::format("{} KB", (bytes + 1023) / 1024);
  if (bytes < std::int64_t{1} << 30) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / (1 << 30));
}

std::string agent_of(const std::string& layout) {
  const Layout* const known = find_layout(layout);
  return known == nullptr ? layout : std::string(known->agent());
}

constexpr std::string_view kEmpty =
    "There is no session on this machine yet.\n\n"
    "Try\n"
    "  holdfast demo              watch messages survive kill -9\n"
    "  holdfast init              keep the sessions of this project here\n"
    "  holdfast help              everything else\n";

constexpr std::string_view kTry =
    "\nTry\n"
    "  holdfast ls                every session, newest first\n"
    "  holdfast search WORDS      in what was said, everywhere\n"
    "  holdfast stats --by model  what was spent\n"
    "  holdfast help              everything else\n";

}  // namespace

std::string overview_of(JsonView stores, JsonView newest, const RenderStyle& style) {
  std::string rows;
  std::int64_t sessions = 0;
  for (const JsonItem& item : stores.find("stores").elements()) {
    const JsonView store = item.value;
    const std::int64_t count = store.find("sessions").as_int64().value_or(0);
    if (count == 0) continue;
    sessions += count;
    rows += fmt::format("  {:<20} {:>6} sessions {:>10}  {}\n", agent_of(store.find("layout").as_string().value_or("")),
                        count, size_of(store.find("bytes").as_int64().value_or(0)), line_of(store.find("root"), 200));
  }
  if (sessions == 0) return std::string(kEmpty);
  std::string out = fmt::format("{} sessions on this machine\n\n", sessions) + rows;
  for (const JsonItem& item : newest.find("sessions").elements()) {
    const JsonView session = item.value;
    const std::string title = line_of(session.find("title"), 60);
    out +=
        fmt::format("\nlast: {}  {}  {}\n", line_of(session.find("updated_at"), 40).substr(0, 16),
                    line_of(session.find("id"), 60), title.empty() ? line_of(session.find("first_prompt"), 60) : title);
  }
  std::int64_t odd = 0;
  for (const JsonItem& finding : stores.find("findings").elements()) odd += finding.value ? 1 : 0;
  if (odd > 0) out += fmt::format("\n{} stores could not be read; holdfast stores says why\n", odd);
  if (style.colour && out.find('\n') != std::string::npos) out = "\x1b[1m" + out.insert(out.find('\n'), "\x1b[0m");
  return out + std::string(kTry);
}

}  // namespace holdfast::inline v1
