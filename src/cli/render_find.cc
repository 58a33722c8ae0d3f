#include "cli/render_find.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBar = 20;

std::string line_of(JsonView value, std::size_t most = 200) {
  return clean_for_terminal(value.as_string().value_or(""), {.one_line = true, .max_bytes = most});
}

std::string painted(bool colour, std::string_view code, const std::string& text) {
  return colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

// The snippet, its matches marked where there are colours.
std::string marked(JsonView hit, bool colour) {
  const std::string text = hit.find("snippet").as_string().value_or("");
  if (!colour) return line_of(hit.find("snippet"), 400);
  std::string out;
  std::size_t at = 0;
  for (const JsonItem& span : hit.find("spans").elements()) {
    std::vector<std::size_t> ends;
    for (const JsonItem& end : span.value.elements())
      ends.push_back(static_cast<std::size_t>(end.value.as_int64().value_or(0)));
    if (ends.size() != 2 || ends[0] < at || ends[1] > text.size() || ends[1] < ends[0]) continue;
    const auto part = [&](std::size_t from, std::size_t to) {
      return clean_for_terminal(std::string_view(text).substr(from, to - from), {.one_line = true});
    };
    out += part(at, ends[0]) + painted(true, "1;31", part(ends[0], ends[1]));
    at = ends[1];
  }
  return out + clean_for_terminal(std::string_view(text).substr(at), {.one_line = true});
}

std::int64_t figure(JsonView row, std::string_view name) { return row.find(name).as_int64().value_or(0); }

std::string short_figure(std::int64_t number) {
  if (number < 100'000) return std::to_string(number);
  if (number < 100'000'000) return fmt::format("{}k", number / 1000);
  return fmt::format("{}M", number / 1'000'000);
}

std::string stats_line(const std::string& key, JsonView row, std::int64_t largest) {
  const JsonView usage = row.find("usage");
  const std::int64_t out = figure(usage, "output");
  const auto length = largest > 0 ? static_cast<std::size_t>(out * static_cast<std::int64_t>(kBar) / largest) : 0;
  std::string bar;
  const std::size_t least = largest > 0 && out > 0 ? 1 : 0;
  for (std::size_t i = 0; i < std::max(length, least); ++i) bar += "█";
  const std::int64_t in = figure(usage, "input") + figure(usage, "cache_read") + figure(usage, "cache_write");
  std::string line = fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}  {}", key, figure(row, "sessions"),
                                 figure(row, "prompts"), figure(row, "answers"), figure(row, "tool_calls"),
                                 short_figure(in), short_figure(out), bar);
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

}  // namespace

std::string render_hits(JsonView answer, const RenderStyle& style) {
  std::string out, session;
  for (const JsonItem& item : answer.find("hits").elements()) {
    const JsonView hit = item.value;
    if (const std::string id = line_of(hit.find("session")); id != session) {
      out += (out.empty() ? "" : "\n") + painted(style.colour, "1;36", id) + "  " + line_of(hit.find("layout")) + "  " +
             line_of(hit.find("project"), 80) + "\n";
      session = id;
    }
    const std::string when = line_of(hit.find("timestamp")).substr(0, 16);
    out += "  " +
           painted(style.colour, "2",
                   fmt::format("[{}] {} {}", hit.find("ordinal").raw(), when, line_of(hit.find("role")))) +
           "  " + marked(hit, style.colour) + "\n";
  }
  const JsonView total = answer.find("total");
  if (const auto count = total.as_int64(); count == 0)
    out += "nothing found\n";
  else if (count)
    out += fmt::format("\n{} hits in {} sessions; holdfast show ID --at N opens one\n", *count,
                       answer.find("sessions").raw());
  else
    out += "\nthere is more: --limit N shows more, --count counts all\n";
  return out;
}

std::string render_stats(JsonView answer, const RenderStyle& style) {
  std::int64_t largest = 0;
  for (const JsonItem& row : answer.find("rows").elements())
    largest = std::max(largest, figure(row.value.find("usage"), "output"));
  const std::string head = fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}", line_of(answer.find("by")),
                                       "sessions", "prompts", "answers", "tools", "tokens in", "out");
  std::string out = painted(style.colour, "1", head) + "\n";
  for (const JsonItem& row : answer.find("rows").elements()) {
    std::string key = line_of(row.value.find("key"), 200);
    if (key.size() > 28)
      key = "…" + clean_for_terminal(std::string_view(key).substr(key.size() - 26), {.one_line = true});
    out += stats_line(key.empty() ? "(not known)" : key, row.value, largest);
  }
  return out + stats_line("total", answer.find("total"), 0);
}

}  // namespace holdfast::inline v1
