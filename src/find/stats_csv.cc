#include "find/stats_csv.h"

#include <cmath>

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// A spreadsheet must not take a title for a formula.
std::string cell(std::string_view text) {
  std::string out = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").contains(text.front())) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

bool is_plain(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") ==
             std::string_view::npos &&
         text.front() != '-';
}

// Rounded to a millionth of a dollar: the digits after that are rounding errors of the sum.
std::string money(double dollars) { return JsonWriter().number(std::round(dollars * 1e6) / 1e6).take(); }

}  // namespace

std::string stats_csv(std::string_view by, const Statistics& statistics) {
  const bool sessions = by == "session";
  std::string out(by);
  out += sessions ? ",agent,title" : "";
  out +=
      ",sessions,prompts,answers,tool_calls,tool_results,input,output,cache_read,cache_write,cost_usd,estimated_"
      "usd\r\n";
  for (const auto& [key, title, agent, row] : statistics.ordered()) {
    out += is_plain(key) ? key : cell(key);
    if (sessions) out += "," + agent + "," + cell(title);
    for (const std::int64_t figure : {row.sessions, row.prompts, row.answers, row.tool_calls, row.tool_results,
                                      row.usage.input, row.usage.output, row.usage.cache_read, row.usage.cache_write})
      out += "," + std::to_string(figure);
    out += "," + money(row.cost_usd) + "," + money(row.estimated_usd) + "\r\n";
  }
  return out;
}

}  // namespace holdfast::inline v1
