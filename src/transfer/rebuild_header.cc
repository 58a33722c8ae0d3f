#include "transfer/rebuild_header.h"

#include <algorithm>
#include <string_view>

#include "layout/layout.h"
#include "layout/session_rescue.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLargestLog = std::uint64_t{256} << 20U;  // in a larger log the torn line is not read

constexpr std::string_view kPacked = ".zst";

// The bytes before the first saved record; empty for a compressed log.
std::string torn_head(Feed& feed, const Place& log, std::string_view first) {
  if (log.path.ends_with(kPacked)) return {};
  const auto bytes = feed.document(log, kLargestLog);
  if (!bytes || !*bytes) return {};
  return (*bytes)->substr(0, std::min((*bytes)->find('\n'), (*bytes)->find(first)));
}

}  // namespace

std::string rebuild_header(Feed& feed, const Place& log, std::span<const RescuedRecord> records) {
  const SessionRescue* agent = nullptr;  // of the first record that follows a header
  for (std::size_t n = 0; n < records.size(); ++n) {
    const JsonView json(records[n].bytes);
    for (const Layout* layout : layouts()) {
      const SessionRescue* const rescue = layout->rescue();
      if (rescue == nullptr) continue;
      if (n < kHeaderWithin && rescue->is_header(json)) return "";
      if (agent == nullptr && rescue->follows_header(json)) agent = rescue;
    }
  }
  if (agent == nullptr) return "";
  std::string_view name = std::string_view(log.path).substr(log.path.rfind('/') + 1);
  if (name.ends_with(kPacked)) name.remove_suffix(kPacked.size());
  return agent->make_header(feed, log,
                            {.records = records, .name = name, .piece = torn_head(feed, log, records.front().bytes)});
}

}  // namespace holdfast::inline v1
