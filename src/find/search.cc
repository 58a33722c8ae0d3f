#include "find/search.h"

#include "base/in_order.h"
#include "base/sort_stably.h"
#include "find/filter_making.h"
#include "find/session_search.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

namespace {

bool looks_at_all(const SessionFilter& filter) {
  return filter.project.empty() && filter.since.empty() && filter.until.empty() && !filter.status;
}

}  // namespace

// One store of the search; its filters are saved when it is done.
class Search::Part {
 public:
  Part(const Context& context, FileStore& engine, const std::string& name, const SearchQuery& query,
       const Matcher& matcher)
      : build(!engine.options().cache.empty() && !engine.unwritten()),
        filters(engine.file_system(), engine.options().cache, name),
        search(context, engine, query, matcher, filters, build) {}

  void save_filters() {
    std::vector<std::uint64_t> keys;
    for (const SessionRow& session : rows.all) keys.push_back(session.key.hash);
    filters.save(keys);
  }

  SessionRows rows = {};
  bool build;
  FilterStore filters;
  SessionSearch search;
};

Search::Search(const Context& context, const SearchQuery& query, const Matcher& matcher)
    : context_(context), query_(query), matcher_(matcher) {}
Search::~Search() = default;

Result<Search::Prepared> Search::prepare(Store& store) const {
  HOLDFAST_LET(engine, engine_of(store));
  SessionFilter filter = query_.filter;
  filter.inner = true;
  auto part = std::make_shared<Part>(context_, *engine, store.name(), query_, matcher_);
  // Sessions that nobody knows yet are read once, for the index and their filters, where all of them are looked at.
  FilterMaker maker(engine->file_system(), part->filters);
  const bool along = part->build && looks_at_all(query_.filter);
  HOLDFAST_LET(rows, engine->rows(context_, filter, along ? &maker : nullptr));
  part->rows = std::move(rows);
  part->save_filters();
  return part;
}

Result<SearchCounts> Search::run(const TakeHit& take) {
  struct Turn {
    Part* part;
    std::size_t row;
    const SessionRow& session() const { return part->rows.all[row]; }
  };
  std::vector<Turn> turns;
  SearchCounts counts;
  for (const auto& part : parts_) {
    for (const std::size_t row : part->rows.order) turns.push_back({part.get(), row});
    std::ranges::move(part->rows.findings, std::back_inserter(counts.findings));
  }
  if (parts_.size() > 1)
    sort_stably(turns, [](const Turn& a, const Turn& b) {
      return a.session().head.row.updated_at > b.session().head.row.updated_at;
    });
  std::optional<Error> ended;
  std::atomic<bool> stop = false;
  const auto look = [&](std::size_t at) { return turns[at].part->search.look(turns[at].session(), stop); };
  std::size_t taken = 0;
  in_order(turns.size(), threads_for(turns.size()), look, [&](SessionFound found) {
    const Turn& at = turns[taken++];
    if (found.error) {
      if (found.error->code == Code::cancelled || found.error->code == Code::deadline_exceeded) ended = found.error;
      counts.findings.push_back({at.session().ref.place.path, 0, 0, std::string(code_name(found.error->code)),
                                 "this session is left out: " + found.error->message});
    }
    if (found.filter) at.part->filters.put(at.session().key, std::move(found.filter->entry), found.filter->bits);
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
  for (const auto& part : parts_) part->save_filters();
  return counts;
}

}  // namespace holdfast::inline v1
