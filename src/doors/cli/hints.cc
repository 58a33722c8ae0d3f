#include "doors/cli/hints.h"

#include <fmt/core.h>

#include <algorithm>

#include "doors/cli/render_cells.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// A write may report a total, too.
bool is_list(JsonView answer) {
  return answer.find("total").kind() == JsonKind::number &&
         std::ranges::any_of(answer.fields(),
                             [](const JsonItem& item) { return item.value.kind() == JsonKind::array; });
}

// What else `show` needs to open a hit.
std::string machine_option(JsonView answer, JsonView params, const std::set<std::string>& machines) {
  if (answer.find("remote").kind() == JsonKind::object) return " --machine NAME";
  const std::string asked = line_of(params.find("machine"));
  if (asked != "all") return asked.empty() ? asked : " --machine " + shell_word(asked);
  if (machines.size() > 1) return ", with --machine NAME for a session of [NAME]";
  return machines.empty() || machines.begin()->empty() ? std::string() : " --machine " + shell_word(*machines.begin());
}

std::string about_hits(JsonView answer, JsonView params, const std::set<std::string>& machines) {
  const auto count = answer.find("total").as_int64();
  if (count == 0) return "no messages match\n";
  if (!count) return "there are more hits; use -n N to show more, or --count to count them all\n";
  const std::string counts =
      counted(*count, "hit") + " in " + counted(answer.find("sessions").as_int64().value_or(0), "session");
  if (params.find("count").as_bool().value_or(false)) return counts + "\n";  // none was shown
  return fmt::format("{}; open one with holdfast show ID --at N{}\n", counts, machine_option(answer, params, machines));
}

// For a list: whether there is more than was shown.
std::string about_page(JsonView answer, JsonView params) {
  const auto is_listed = [&](std::string_view name) { return answer.find(name).kind() == JsonKind::array; };
  const auto total = answer.find("total").as_int64();
  const JsonView next = answer.find("next");
  if (total == 0 && answer.find("broken_sessions")) return {};
  // A list of messages may have the session of each beside it.
  if (total == 0 && is_listed("messages")) return "no messages yet\n";
  if (total == 0) return is_listed("sessions") ? no_sessions(params, answer.find("findings")) : "nothing found\n";
  if (!total || !next || next.is_null()) return {};
  return fmt::format("{} in total; use --skip {} for the next page, or -n {} for all\n", *total, next.raw(), *total);
}

std::string remedies_in(JsonView answer) {
  std::string out;
  for (const JsonItem& one : answer.find("remedies").elements()) out += line_of(one.value, 1000) + "\n";
  return out;
}

}  // namespace

std::string no_sessions(JsonView params, JsonView findings) {
  for (const std::string_view filter : {"agent", "project", "since", "until", "status", "archived", "layout", "machine",
                                        "remote", "starred", "tag", "module", "skip"})
    if (params.find(filter)) return "no sessions match\n";
  if (!findings.elements().empty()) return "no sessions can be shown\n";
  return "no sessions yet; run holdfast doctor to see which stores it looks at\n";
}

std::string hints_of(JsonView answer, JsonView params, const std::set<std::string>& machines) {
  std::string out;
  const bool verified = answer.find("damage") && answer.find("notes_total");
  if (answer.find("query") && answer.find("truncated")) {
    out += about_hits(answer, params, machines);
  } else if (verified) {
    if (answer.find("total").as_int64().value_or(0) > 0) out += about_page(answer, params);
  } else if (const JsonView remotes = answer.find("remotes"); remotes && remotes.elements().empty()) {
    out += "no remotes; add one with holdfast remote add NAME dir:/path\n";
  } else if (is_list(answer)) {
    out += about_page(answer, params);
  } else if (answer.find("rows") && answer.find("by") && answer.find("rows").elements().empty()) {
    out += no_sessions(params);
  }
  if (const JsonView words = answer.find("masked_words")) out += line_of(words, 10000) + "\n";
  // Files of another machine must be repaired there.
  if (!params.find("machine")) out += remedies_in(answer);
  return out;
}

}  // namespace holdfast::inline v1
