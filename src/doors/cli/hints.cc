#include "doors/cli/hints.h"

#include <fmt/core.h>

#include <algorithm>

#include "doors/cli/render_cells.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

bool is_empty(JsonView list) { return list.elements().begin() == list.elements().end(); }

// A write may tell a total as well.
bool is_list(JsonView answer) {
  return answer.find("total").kind() == JsonKind::number &&
         std::ranges::any_of(answer.fields(),
                             [](const JsonItem& item) { return item.value.kind() == JsonKind::array; });
}

std::string about_hits(JsonView answer, JsonView params) {
  const auto count = answer.find("total").as_int64();
  if (count == 0) return "no messages match\n";
  if (!count) return "there are more hits: -n N shows more, --count counts all\n";
  const bool elsewhere = answer.find("remote").kind() == JsonKind::object;
  const std::string machine = elsewhere ? "NAME" : line_of(params.find("machine"));
  return fmt::format("{} in {}; holdfast show ID --at N{} opens one\n", counted(*count, "hit"),
                     counted(answer.find("sessions").as_int64().value_or(0), "session"),
                     machine.empty() ? "" : " --machine " + machine);
}

// Of a list: whether there is more of it than was shown.
std::string about_page(JsonView answer, JsonView params, bool sessions) {
  const auto total = answer.find("total").as_int64();
  const JsonView next = answer.find("next");
  if (total == 0 && answer.find("broken_sessions")) return {};
  if (total == 0) return sessions ? no_sessions(params) : "nothing found\n";
  if (!total || !next || next.is_null()) return {};
  return fmt::format("{} in all: --skip {} shows the next, -n {} all\n", *total, next.raw(), *total);
}

}  // namespace

std::string no_sessions(JsonView params) {
  for (const std::string_view filter : {"agent", "project", "since", "until", "status", "archived", "layout", "machine",
                                        "remote", "starred", "tag", "module", "skip"})
    if (params.find(filter)) return "no sessions match\n";
  return "no sessions yet; holdfast doctor lists the stores it looks at\n";
}

std::string hints_of(JsonView answer, JsonView params) {
  std::string out;
  const bool verified = answer.find("damage") && answer.find("notes_total");
  if (answer.find("query") && answer.find("truncated")) {
    out += about_hits(answer, params);
  } else if (verified) {
    if (answer.find("total").as_int64().value_or(0) > 0) out += about_page(answer, params, false);
  } else if (const JsonView remotes = answer.find("remotes"); remotes && is_empty(remotes)) {
    out += "no remotes; holdfast remote add NAME dir:/path adds one\n";
  } else if (is_list(answer)) {
    out += about_page(answer, params, answer.find("sessions").kind() == JsonKind::array);
  } else if (answer.find("rows") && answer.find("by") && is_empty(answer.find("rows"))) {
    out += no_sessions(params);
  }
  if (const JsonView words = answer.find("masked_words")) out += line_of(words, 10000) + "\n";
  for (const JsonItem& one : answer.find("remedies").elements()) out += line_of(one.value, 1000) + "\n";
  return out;
}

}  // namespace holdfast::inline v1
