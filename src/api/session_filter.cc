#include "api/session_filter.h"

#include <algorithm>
#include <charconv>

#include "base/time.h"
#include "layout/layout.h"
#include "model/when.h"

namespace holdfast::inline v1 {
namespace {

// Minutes of "36h"; nullopt when it is no age.
std::optional<std::int64_t> age_of(std::string_view text) {
  if (text.size() < 2 || text.size() > 6) return std::nullopt;
  constexpr std::pair<char, std::int64_t> kUnits[] = {{'m', 1}, {'h', 60}, {'d', 24 * 60}, {'w', 7 * 24 * 60}};
  std::int64_t number = 0;
  const char* const end = text.data() + text.size() - 1;
  if (std::from_chars(text.data(), end, number).ptr != end || number < 0) return std::nullopt;
  for (const auto& [unit, minutes] : kUnits) {
    if (text.back() == unit) return number * minutes;
  }
  return std::nullopt;
}

Result<std::string> moment_of(const Call& call, std::string_view name) {
  const std::string text = call.text(name);
  if (text.empty()) return std::string();
  if (const auto age = age_of(text)) return iso8601(call.context.clock->now() - std::chrono::minutes(*age));
  const bool day = text.size() == 10;
  std::string when = iso_when(day ? text + (name == "until" ? "T23:59:59.999Z" : "T00:00:00Z") : text);
  if (when.empty())
    return fail(Code::invalid_argument, std::string(name) + " takes a time (2026-11-15, 2026-11-15T08:00:00Z) or an " +
                                            "age (90m, 36h, 7d, 2w), not \"" + text + "\"");
  return when;
}

}  // namespace

std::vector<Parameter> filter_parameters() {
  return {{.name = "project", .help = "only those of this directory", .path = true},
          {.name = "since", .help = "changed at or after this time: a day, ISO-8601, or an age like 7d"},
          {.name = "until", .help = "changed at or before this time"},
          {.name = "status",
           .help = "only those that stand like this",
           .words = {"running", "interrupted", "active", "complete", "failed", "stopped", "archived", "unknown"}},
          {.name = "layout", .help = "only stores of this layout"},
          {.name = "subagents", .help = "with those of sub-agents; default true", .type = ParamType::boolean}};
}

Result<SessionFilter> filter_of(const Call& call) {
  SessionFilter filter;
  filter.project = call.project();
  if (const std::string given = call.text("project"); given != filter.project) filter.also_project = given;
  HOLDFAST_LET(since, moment_of(call, "since"));
  HOLDFAST_LET(until, moment_of(call, "until"));
  filter.since = std::move(since);
  filter.until = std::move(until);
  if (call.has("status")) filter.status = status_of(call.text("status"));
  filter.subagents = call.flag("subagents", true);
  return filter;
}

Result<std::vector<StoreOptions>> stores_of(const Call& call) {
  const std::string layout = call.text("layout");
  if (!layout.empty() && find_layout(layout) == nullptr) {
    std::string known;
    for (const Layout* one : layouts()) (known += known.empty() ? "" : ", ") += one->name();
    return fail(Code::invalid_argument, "there is no layout \"" + layout + "\"; there are " + known);
  }
  auto stores = call.stores.meant(call.text("store"), call.text("layout"), Use::read);
  if (!stores && stores.error().code == Code::not_found) stores.emplace();  // no store, so no session
  if (stores && !call.has("store"))
    std::ranges::move(call.stores.archived(call.context, layout), std::back_inserter(*stores));
  return stores;
}

OpenedStores open_to_read(const Call& call, const std::vector<StoreOptions>& stores) {
  OpenedStores opened;
  for (const StoreOptions& options : stores) opened.push_back(call.stores.open(call.context, options, Use::read));
  return opened;
}

Finding left_out(const StoreOptions& store, const Error& error) {
  return {.file = store_name(store),
          .kind = std::string(code_name(error.code)),
          .consequence = "this store is left out: " + error.message};
}

}  // namespace holdfast::inline v1
