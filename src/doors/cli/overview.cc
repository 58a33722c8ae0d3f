#include "doors/cli/overview.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "api/known_layouts.h"
#include "doors/cli/columns.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/render_sessions.h"
#include "text/clean.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kEmpty =
    "There are no sessions on this machine yet.\n\n"
    "Holdfast finds the sessions of coding agents where the agents keep them; there\n"
    "is nothing to set up. To get started:\n"
    "  holdfast demo              watch messages survive kill -9\n"
    "  holdfast init              keep sessions in the current project\n"
    "  holdfast session create    create a first session\n\n"
    "Run holdfast help for everything else.\n";

constexpr std::string_view kTry =
    "\nTry\n"
    "  holdfast pick              browse sessions; enter opens one\n"
    "  holdfast search WORDS      search all messages\n"
    "  holdfast stats --by model  show tokens and cost\n"
    "\nRun holdfast help for everything else.\n";

// One agent on this machine.
struct OverviewRow {
  std::string agent, root, age;
  std::int64_t sessions = 0, bytes = 0, damage = 0;
};

// If there is no room for everything, drops the directory first, then the size. Nothing is cut to a meaningless piece.
std::string row_text(const OverviewRow& row, const RenderStyle& style) {
  constexpr std::size_t kWithSize = 60, kWithRoot = 68;
  const auto fits = [&](std::size_t columns) { return style.width == 0 || style.width >= columns; };
  std::string line = "  " + pad_columns(row.agent, 18) +
                     fmt::format(" {:>6} {:<8}", row.sessions, row.sessions == 1 ? "session" : "sessions");
  if (fits(kWithSize))
    line += fmt::format(" {:>9}", row.bytes > 0 ? human_size(static_cast<std::uint64_t>(row.bytes)) : "");
  line += "  " + pad_columns(row.age, 11);
  if (fits(kWithRoot)) line += row.root;
  if (style.width > 0) line = fit_columns(line, style.width);
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

}  // namespace

std::string overview_of(JsonView stores, JsonView newest, const RenderStyle& style, std::string_view home,
                        std::chrono::system_clock::time_point now) {
  std::vector<OverviewRow> rows;
  std::int64_t sessions = 0, bytes = 0, damage = 0;
  for (const JsonItem& item : stores.find("stores").elements()) {
    const JsonView store = item.value;
    const auto figure = [&](std::string_view key) { return store.find(key).as_int64().value_or(0); };
    if (figure("sessions") == 0) continue;
    std::string root = line_of(store.find("root"), 200);
    if (home.size() > 1 && root.starts_with(home) && (root.size() == home.size() || root[home.size()] == '/'))
      root.replace(0, home.size(), "~");
    rows.push_back({agent_of(store.find("layout").as_string().value_or("")), std::move(root),
                    short_age(store.find("updated_at").as_string().value_or(""), now), figure("sessions"),
                    figure("bytes"), figure("damage")});
    sessions += figure("sessions");
    bytes += figure("bytes");
    damage += figure("damage");
  }
  std::int64_t odd = 0;
  for (const JsonItem& finding : stores.find("findings").elements()) odd += finding.value ? 1 : 0;
  const std::string unread =
      odd > 0 ? counted(odd, "store") + " could not be read, or only in part; run holdfast doctor to see why\n"
              : std::string();
  const auto listed = newest.find("total").as_int64().value_or(0);
  if (rows.empty() && listed == 0) return std::string(kEmpty) + (unread.empty() ? "" : "\n" + unread);
  const std::string head = rows.empty() ? counted(listed, "session") + " on this machine, only in the archive"
                                        : counted(sessions, "session") + " on this machine" +
                                              (bytes > 0 ? ", " + human_size(static_cast<std::uint64_t>(bytes)) : "");
  std::string out = painted(style.colour, "1", head) + (rows.empty() ? "\n" : "\n\n");
  for (const OverviewRow& row : rows) out += row_text(row, style);
  for (const JsonItem& item : newest.find("sessions").elements()) {
    const JsonView session = item.value;
    std::string line =
        fmt::format("last: {}  {}  ", short_age(session.find("updated_at").as_string().value_or(""), now),
                    line_of(session.find("id"), 60)) +
        session_title(session);
    while (line.ends_with(' ')) line.pop_back();
    out += "\n" + fit_columns(line, style.width > 0 ? style.width : 100) + "\n";
  }
  if (damage > 0)
    out += fmt::format("\n{} of them {} damaged lines; run holdfast verify to see where\n", damage,
                       damage == 1 ? "has" : "have");
  if (!unread.empty()) out += "\n" + unread;
  return out + std::string(kTry);
}

}  // namespace holdfast::inline v1
