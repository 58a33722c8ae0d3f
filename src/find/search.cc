#include "find/search.h"

#include "base/in_order.h"
#include "base/sort_stably.h"
#include "find/session_search.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

// One store of the search; its filters are saved when it is done.
struct Search::Part {
  Part(const Context& context, FileStore& engine, const std::string& name, const SearchQuery& query,
       const Matcher& matcher, SessionRows listed)
      : rows(std::move(listed)),
        filters(engine.file_system(), engine.options().cache, name),
        search(context, engine, query, matcher, filters, !engine.options().cache.empty() && !engine.unwritten()) {}

  SessionRows rows;
  FilterStore filters;
  SessionSearch search;
};

Search::Search(const Context& context, const SearchQuery& query, const Matcher& matcher)
    : context_(context), query_(query), matcher_(matcher) {}
Search::~Search() = default;

Result<void> Search::add(Store& store) {
  HOLDFAST_LET(engine, engine_of(store));
  SessionFilter filter = query_.filter;
  filter.inner = true;
  HOLDFAST_LET(rows, engine->rows(context_, filter, EntryWish::identity));
  parts_.push_back(std::make_unique<Part>(context_, *engine, store.name(), query_, matcher_, std::move(rows)));
  return {};
}

Result<SearchCounts> Search::run(const TakeHit& take) {
  struct Turn {
    Part* part;
    std::size_t row;
    const Session& session() const { return part->rows.sessions[row]; }
  };
  std::vector<Turn> turns;
  SearchCounts counts;
  for (const auto& part : parts_) {
    for (const std::size_t row : part->rows.order) turns.push_back({part.get(), row});
    std::ranges::move(part->rows.findings, std::back_inserter(counts.findings));
  }
  if (parts_.size() > 1)
    sort_stably(turns, [](const Turn& a, const Turn& b) { return a.session().updated_at > b.session().updated_at; });
  std::optional<Error> ended;
  std::atomic<bool> stop = false;
  const auto look = [&](std::size_t at) {
    const auto& [part, row] = turns[at];
    return part->search.look(part->rows.sessions[row], part->rows.refs[row], part->rows.entries[row], stop);
  };
  std::size_t taken = 0;
  in_order(turns.size(), threads_for(turns.size()), look, [&](SessionFound found) {
    const Turn& at = turns[taken++];
    if (found.error) {
      if (found.error->code == Code::cancelled || found.error->code == Code::deadline_exceeded) ended = found.error;
      counts.findings.push_back({at.session().path, 0, 0, std::string(code_name(found.error->code)),
                                 "this session is left out: " + found.error->message});
    }
    if (found.filter)
      at.part->filters.put(at.part->rows.refs[at.row], std::move(found.filter->entry), found.filter->bits);
    if (found.hits > 0) ++counts.sessions;
    if (query_.count_only) counts.hits += found.hits;
    for (const SearchHit& hit : found.found) {
      if (query_.limit != 0 && counts.hits >= query_.limit) {
        counts.truncated = true;
        break;
      }
      ++counts.hits;
      if (take(hit)) continue;
      counts.truncated = true;
      break;
    }
    stop = counts.truncated || ended;
    return !stop;
  });
  if (ended) return fail(std::move(*ended));
  for (const auto& part : parts_) part->filters.save(part->rows.refs);
  return counts;
}

}  // namespace holdfast::inline v1
