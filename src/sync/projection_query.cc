// Queries on the tables for search.
#include <algorithm>
#include <tuple>

#include "sync/projection.h"
#include "sync/projection_sql.h"
#include "sync/seal.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxRow = std::size_t{4} << 20;       // bytes of a session
constexpr std::size_t kMaxAnswer = std::size_t{128} << 20;  // bytes of a page
constexpr std::uint64_t kRowsAtOnce = 200;
constexpr std::uint64_t kFoundAtOnce = 50;  // messages with their texts
constexpr std::size_t kMaxName = std::size_t{64} << 10;

std::string with_those_below(const std::string& identity) {
  if (identity.empty()) return identity;
  return identity + (identity.starts_with("path:") || identity.contains("//") ? "/" : "//");
}

void revoked_devices(PqParameters& parameters, const std::vector<std::string>& revoked) {
  std::vector<std::string> raw;
  for (const std::string& device : revoked) raw.push_back(from_hex(device).value_or(""));
  parameters.many_bytes(std::vector<std::string_view>(raw.begin(), raw.end()));
}

// The first 13 parameters of a statement.
PqParameters meant(const ProjectionFilter& filter) {
  PqParameters parameters;
  revoked_devices(parameters, filter.revoked);
  parameters.text(filter.layout).text(filter.machine).text(filter.since).text(filter.until).text(filter.status);
  parameters.number(filter.subagents ? 1 : 0).number(filter.inner ? 1 : 0).text(filter.project);
  parameters.text(filter.also_project).text(filter.identity).text(with_those_below(filter.identity));
  return parameters.text(filter.id);
}

// Takes the texts of a row from `column` on; false if one is missing or too long.
bool take_texts(PqRow& row, std::size_t column, std::size_t limit, std::initializer_list<std::string*> into) {
  for (std::string* const text : into) {
    if (column >= row.size() || !row[column] || row[column]->size() > limit) return false;
    *text = std::move(*row[column++]);
  }
  return true;
}

// The order of kFound.
bool stands_before(const FoundMessage& a, const FoundMessage& b) {
  if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
  return std::tie(a.id, a.key, a.ordinal) < std::tie(b.id, b.key, b.ordinal);
}

}  // namespace

Result<ProjectionState> Projection::state(const Context& context, const std::vector<std::string>& revoked) {
  HOLDFAST_TRY(check(context));
  PqParameters parameters;
  revoked_devices(parameters, revoked);
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kState, parameters, 1024));
  if (answer.rows.empty()) return corrupt("the state");
  const PqRow& row = answer.rows[0];
  return ProjectionState{pq_bytes(row, 0, 64).value_or(""), pq_number(row, 1).value_or(0),
                         pq_number(row, 2).value_or(0), pq_number(row, 3).value_or(0)};
}

Result<ListedPage> Projection::list(const Context& context, const ProjectionFilter& filter, const ListedAfter& after,
                                    std::uint64_t skip, std::uint64_t limit) {
  PqParameters counted = meant(filter);
  counted.text(after.updated_at).text(after.id).text(after.store);
  HOLDFAST_LET(counts, session_->read(context, projection_sql::kCountListed, counted, 1024));
  ListedPage page;
  page.total = counts.rows.empty() ? 0 : pq_number(counts.rows[0], 0).value_or(0);
  page.skip = after.id.empty() || counts.rows.empty() ? skip : pq_number(counts.rows[0], 1).value_or(0);
  while (page.rows.size() < limit) {
    PqParameters which = meant(filter);
    which.number(std::min<std::uint64_t>(limit - page.rows.size(), kRowsAtOnce)).number(page.skip + page.rows.size());
    HOLDFAST_LET(answer, session_->read(context, projection_sql::kListed, which, kMaxAnswer));
    if (answer.rows.empty()) break;
    for (PqRow& row : answer.rows) {
      ListedProjection& one = page.rows.emplace_back();
      if (!take_texts(row, 0, kMaxRow, {&one.listed, &one.machine, &one.counted})) return corrupt("a session");
    }
  }
  return page;
}

Result<void> Projection::each_counted(const Context& context, const ProjectionFilter& filter, const TakeCounted& take) {
  std::string last;
  while (true) {
    PqParameters which = meant(filter);
    which.bytes(last).number(kRowsAtOnce);
    HOLDFAST_LET(answer, session_->read(context, projection_sql::kCounted, which, kMaxAnswer));
    if (answer.rows.empty()) return {};
    for (PqRow& row : answer.rows) {
      std::string listed, counted;
      const auto key = pq_bytes(row, 0, 16);
      const auto inner = pq_number(row, 2);
      if (!key || !inner || *key <= last || !take_texts(row, 1, kMaxRow, {&listed}) ||
          !take_texts(row, 3, kMaxRow, {&counted}))
        return corrupt("a session");
      last = *key;
      take(listed, *inner != 0, counted);
    }
  }
}

Result<std::vector<std::string>> Projection::ids_like(const Context& context, const ProjectionFilter& filter,
                                                      std::string_view prefix) {
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kIdsLike, meant(filter).text(prefix), kMaxAnswer));
  std::vector<std::string> ids;
  for (PqRow& row : answer.rows)
    if (!take_texts(row, 0, kMaxName, {&ids.emplace_back()})) return corrupt("a session");
  return ids;
}

Result<std::vector<FoundMessage>> Projection::find(const Context& context, const WordsQuery& query,
                                                   const ProjectionFilter& filter, const FoundMessage* after) {
  PqParameters which = meant(filter);
  which.text(query.words).text(query.kind);
  static const FoundMessage kFirst;
  const FoundMessage& last = after == nullptr ? kFirst : *after;
  // Sessions without a time come last.
  which.number(after == nullptr ? 0 : 1).text(last.updated_at).text(last.id).bytes(last.key).number(last.ordinal);
  which.number(kFoundAtOnce);
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kFound, which, kMaxAnswer));
  std::vector<FoundMessage> found;
  for (PqRow& row : answer.rows) {
    FoundMessage& one = found.emplace_back();
    const auto ordinal = pq_number(row, 1), same = pq_number(row, 2);
    if (!ordinal || !same || !take_texts(row, 0, 16, {&one.key}) ||
        !take_texts(row, 3, 2 * kMaxProjectedText, {&one.role, &one.at, &one.said, &one.thought, &one.tools}) ||
        !take_texts(row, 8, kMaxName, {&one.id, &one.layout, &one.store, &one.project, &one.updated_at, &one.machine}))
      return corrupt("a message");
    one.ordinal = *ordinal;
    one.same = *same;
    // The caller continues after the last message, so a server that repeats itself would never end.
    const FoundMessage* const before = found.size() > 1 ? &found[found.size() - 2] : after;
    if (before != nullptr && !stands_before(*before, one)) return corrupt("a message");
  }
  return found;
}

Result<FoundCount> Projection::count(const Context& context, const WordsQuery& query, const ProjectionFilter& filter) {
  PqParameters which = meant(filter);
  which.text(query.words).text(query.kind);
  HOLDFAST_LET(answer, session_->read(context, projection_sql::kCountFound, which, 1024));
  if (answer.rows.empty()) return corrupt("a count");
  return FoundCount{pq_number(answer.rows[0], 0).value_or(0), pq_number(answer.rows[0], 1).value_or(0)};
}

}  // namespace holdfast::inline v1
