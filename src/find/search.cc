#include "find/search.h"

#include "base/in_order.h"
#include "find/session_search.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

Result<SearchCounts> search_store(const Context& context, Store& store, const SearchQuery& query,
                                  const Matcher& matcher, const TakeHit& take) {
  HOLDFAST_LET(engine, engine_of(store));
  SessionFilter filter = query.filter;
  filter.inner = true;
  HOLDFAST_LET(rows, engine->rows(context, filter, EntryWish::identity));
  const std::string& cache = engine->options().cache;
  FilterStore filters(engine->file_system(), cache, store.name());
  const SessionSearch search(context, *engine, query, matcher, filters, !cache.empty() && !engine->unwritten());
  SearchCounts counts;
  counts.findings = std::move(rows.findings);
  std::optional<Error> ended;
  std::atomic<bool> stop = false;
  const auto look = [&](std::size_t at) {
    const std::size_t i = rows.order[at];
    return search.look(rows.sessions[i], rows.refs[i], rows.entries[i], stop);
  };
  std::size_t taken = 0;
  in_order(rows.order.size(), threads_for(rows.order.size()), look, [&](SessionFound found) {
    const std::size_t i = rows.order[taken++];
    if (found.error) {
      if (found.error->code == Code::cancelled || found.error->code == Code::deadline_exceeded) ended = found.error;
      counts.findings.push_back({rows.sessions[i].path, 0, 0, std::string(code_name(found.error->code)),
                                 "this session is left out: " + found.error->message});
    }
    if (found.filter) filters.put(rows.refs[i], std::move(found.filter->entry), found.filter->bits);
    if (found.hits > 0) ++counts.sessions;
    if (query.count_only) counts.hits += found.hits;
    for (const SearchHit& hit : found.found) {
      if (query.limit != 0 && counts.hits >= query.limit) {
        counts.truncated = true;
        break;
      }
      ++counts.hits;
      take(hit);
    }
    stop = counts.truncated || ended;
    return !stop;
  });
  if (ended) return fail(std::move(*ended));
  filters.save(rows.refs);
  return counts;
}

}  // namespace holdfast::inline v1
