#include "transfer/index_checks.h"

#include "layout/change.h"
#include "layout/index_files.h"
#include "layout/moment.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {

// Compares the file with the index that the layout would write now.
Result<std::vector<IndexFinding>> check_index(const IndexFiles& index, Feed& feed, std::string_view group,
                                              std::span<const Session> rows, const Moment& moment) {
  std::vector<IndexFinding> found;
  HOLDFAST_LET(changes, index.write_index(feed, group, rows, moment));
  for (const Change& change : changes.list()) {
    HOLDFAST_LET(old, feed.document(change.place));
    if (!old || !check_json(*old).ok()) continue;
    const auto says = index.entries(*old);
    const auto is = index.entries(change.bytes);
    for (const auto& [id, entry] : says) {
      if (!is.contains(id))
        found.push_back({change.place, "index_lies", "it lists session " + id + ", which does not exist", id, true});
    }
    for (const auto& [id, entry] : is) {
      const auto said = says.find(id);
      if (said == says.end())
        found.push_back({change.place, "index_lies", "it does not list session " + id, id});
      else if (said->second != entry)
        found.push_back({change.place, "index_stale", "its figures for session " + id + " are out of date", id});
    }
  }
  return found;
}

Result<bool> is_still_wrong(const IndexFiles& index, Feed& feed, const IndexFinding& finding,
                            const std::set<std::string, std::less<>>& ids) {
  HOLDFAST_LET(now, feed.document(finding.file));
  if (!now || !check_json(*now).ok()) return false;  // derived if missing; the layout reports an unreadable file
  const bool named = index.entries(*now).contains(finding.session), there = ids.contains(finding.session);
  return finding.named ? named && !there : there && !named;
}

}  // namespace holdfast::inline v1
