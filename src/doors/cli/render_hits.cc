#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "doors/cli/columns.h"
#include "doors/cli/local_time.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/render_find.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

struct Piece {
  std::string text;
  bool match = false;
};

// A snippet split at its matches, each piece cleaned for a terminal.
std::vector<Piece> pieces_of(JsonView hit) {
  const std::string text = hit.find("snippet").as_string().value_or("");
  std::vector<Piece> pieces;
  std::size_t at = 0;
  const auto add = [&](std::size_t to, bool match) {
    pieces.push_back({clean_for_terminal(std::string_view(text).substr(at, to - at), {.one_line = true}), match});
    at = to;
  };
  for (const JsonItem& span : hit.find("spans").elements()) {
    std::vector<std::size_t> ends;
    for (const JsonItem& end : span.value.elements())
      ends.push_back(static_cast<std::size_t>(end.value.as_int64().value_or(0)));
    if (ends.size() != 2 || ends[0] < at || ends[1] > text.size() || ends[1] < ends[0]) continue;
    add(ends[0], false);
    add(ends[1], true);
  }
  add(text.size(), false);
  return pieces;
}

// The snippet in one line of `columns` (0: any width), around its first match, with matches marked.
std::string marked(JsonView hit, std::size_t columns, bool colour) {
  std::vector<Piece> pieces = pieces_of(hit);
  std::size_t all = 0;
  for (const Piece& piece : pieces) all += shown_width(piece.text);
  if (columns != 0 && all > columns) pieces.front().text = fit_end(pieces.front().text, columns / 3);
  std::string out;
  for (const Piece& piece : pieces) {
    const std::string fitted = columns == 0 ? piece.text : fit_columns(piece.text, columns);
    out += painted(colour && piece.match, "1;31", fitted);
    if (columns == 0) continue;
    if (fitted != piece.text || (columns -= shown_width(fitted)) == 0) break;
  }
  return out;
}

}  // namespace

std::string HitLines::of(JsonView hit) {
  std::string out;
  const std::string id = line_of(hit.find("session")), machine = line_of(hit.find("machine"));
  machines_.insert(machine);
  // Sessions of several agents or stores may have one id: an imported copy has that of its original.
  std::string name;
  for (const std::string_view key : {"session", "layout", "store", "machine"}) name.append(hit.find(key).raw()) += '\n';
  if (name != session_) {
    const std::string about =
        "  " + line_of(hit.find("layout")) + "  " + (machine.empty() ? machine : "[" + machine + "]  ");
    std::string project = line_of(hit.find("project"), 300);
    if (style_.width != 0) {
      const std::size_t left = style_.width - std::min(style_.width, shown_width(id) + shown_width(about));
      project = fit_end(project, left);
    }
    if (!session_.empty()) out += "\n";
    out.append(painted(style_.colour, "1;36", id)).append(about).append(project).append("\n");
    session_ = std::move(name);
    sessions_.emplace(hit.find("layout").as_string().value_or(""), hit.find("session").as_string().value_or(""));
  }
  const std::string when = local_time(line_of(hit.find("timestamp")));
  const std::string margin = fmt::format("[{}] {} {}", hit.find("ordinal").raw(), when, line_of(hit.find("role")));
  constexpr std::size_t kLeastSnippet = 24;
  const std::size_t used = shown_width(margin) + 4;
  const std::size_t columns =
      style_.width == 0 ? 0 : std::max(kLeastSnippet, style_.width - std::min(style_.width, used));
  return out + "  " + painted(style_.colour, "2", margin) + "  " + marked(hit, columns, style_.colour) + "\n";
}

std::string render_hits(JsonView answer, const RenderStyle& style) {
  std::string out;
  HitLines lines(style);
  for (const JsonItem& item : answer.find("hits").elements()) out += lines.of(item.value);
  return out;
}

}  // namespace holdfast::inline v1
