#include "find/search.h"

#include <algorithm>
#include <functional>

#include "base/parallel.h"
#include "base/run_in_order.h"
#include "find/filter_builder.h"
#include "find/finding_places.h"
#include "find/session_search.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

namespace {

constexpr std::size_t kFirstAsked = 256;  // sessions in the first batch
constexpr std::size_t kMoreAsked = 32;    // factor for the next batch, if a page is not full
constexpr std::size_t kLookedUpAtOnce = 512;
constexpr std::size_t kCountedAtOnce = 8;

bool is_unfiltered(const SessionFilter& filter) {
  return filter.project.empty() && filter.since.empty() && filter.until.empty() && !filter.status;
}

}  // namespace

// One store of the search; saves its filters at the end.
class Search::Part {
 public:
  Part(const Context& context, FileStore& engine, const std::string& name, const SearchQuery& query,
       const Matcher& matcher)
      : store(engine),
        build(!engine.options().cache.empty() && !engine.unwritten()),
        filters(engine.file_system(), engine.options().cache, name),
        search(context, engine, query, matcher, filters, build) {}

  void save_filters() {
    if (!filters.unsaved()) return;
    std::vector<std::uint64_t> keys;
    for (const SessionRow& session : rows.all) keys.push_back(session.found.key.hash);
    filters.save(keys);
  }

  FileStore& store;
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
  // If the query covers all sessions, those not yet indexed are read only once, for the index and for their filters.
  FilterBuilder maker(engine->file_system(), part->filters);
  const bool along =
      part->build && is_unfiltered(query_.filter) && engine->layout().traits().raw_text != RawText::elsewhere;
  HOLDFAST_LET(rows, engine->rows(context_, filter, along ? &maker : nullptr));
  part->rows = std::move(rows);
  if (!query_.session.empty())
    std::erase_if(part->rows.order, [&](std::size_t row) { return part->rows.all[row].head.row.id != query_.session; });
  part->save_filters();
  return part;
}

// A session to be searched.
struct Search::Turn {
  Part* part;
  std::size_t row;
  const SessionRow& session() const { return part->rows.all[row]; }
};

// Filters that were written together are evaluated together: one read serves all of them.
std::vector<Search::Turn> Search::filter_candidates(std::span<const Turn> turns) {
  struct Question {
    const Part* part = nullptr;
    const SessionFilterEntry* filter = nullptr;
    std::size_t turn = 0;
    auto batch() const { return std::pair(part, filter->place.offset); }
  };
  std::vector<char> may(turns.size(), 1);
  std::vector<Question> questions(turns.size());
  in_parallel((turns.size() + kLookedUpAtOnce - 1) / kLookedUpAtOnce, 2, [&](std::size_t block) {
    const std::size_t end = std::min(turns.size(), (block + 1) * kLookedUpAtOnce);
    for (std::size_t at = block * kLookedUpAtOnce; at < end; ++at)
      questions[at] = {turns[at].part, turns[at].part->search.filter_of(turns[at].session()), at};
  });
  std::erase_if(questions, [](const Question& one) { return one.filter == nullptr; });
  std::ranges::sort(questions, {}, &Question::batch);
  std::vector<std::span<const Question>> batches;
  for (auto begin = questions.begin(); begin != questions.end();) {
    const auto end = std::ranges::find_if(begin, questions.end(),
                                          [&](const Question& one) { return one.batch() != begin->batch(); });
    batches.emplace_back(begin, end);
    begin = end;
  }
  in_parallel(batches.size(), 4, [&](std::size_t batch) {
    thread_local FilterRows rows;
    rows.begin(batches[batch].front().filter->place.offset, batches[batch].size());
    for (const Question& one : batches[batch]) may[one.turn] = one.part->search.may_contain(*one.filter, rows) ? 1 : 0;
  });
  std::vector<Turn> maybe;
  for (std::size_t at = 0; at < turns.size(); ++at) {
    if (may[at] != 0) maybe.push_back(turns[at]);
  }
  return maybe;
}

Result<SearchCounts> Search::run(const TakeHit& take) {
  std::vector<Turn> turns;
  SearchCounts counts;
  for (const auto& part : parts_) {
    if (query_.whole_paths) place_findings(part->store, part->rows.findings);
    std::ranges::move(part->rows.findings, std::back_inserter(counts.findings));
    // Each store already has its sessions newest first.
    std::vector<Turn> own;
    own.reserve(part->rows.order.size());
    for (const std::size_t row : part->rows.order) own.push_back({part.get(), row});
    if (turns.empty()) {
      turns = std::move(own);
      continue;
    }
    std::vector<Turn> both;
    both.reserve(turns.size() + own.size());
    const auto when = [](const Turn& turn) { return turn.session().head.row.updated_at; };
    std::ranges::merge(turns, own, std::back_inserter(both), std::ranges::greater(), when, when);
    turns = std::move(both);
  }
  std::optional<Error> ended;
  std::atomic<bool> stop = false;
  std::vector<Turn> maybe;
  // A search that only counts need not wake this thread for every session.
  const std::size_t at_once = query_.count_only ? kCountedAtOnce : 1;
  const auto look = [&](std::size_t block) {
    std::vector<SessionHits> found;
    for (std::size_t at = block * at_once; at < std::min(maybe.size(), (block + 1) * at_once); ++at)
      found.push_back(maybe[at].part->search.look(maybe[at].session(), stop));
    return found;
  };
  const auto take_one = [&](const Turn& at, SessionHits found) {
    if (found.error) {
      if (found.error->code == Code::cancelled || found.error->code == Code::deadline_exceeded) ended = found.error;
      counts.findings.push_back({std::string(at.session().found.path), 0, 0, std::string(code_name(found.error->code)),
                                 "this session is left out: " + found.error->message});
      if (query_.whole_paths) place_findings(at.part->store, std::span(&counts.findings.back(), 1));
    }
    if (found.filter) at.part->filters.put(at.session().found.key, std::move(found.filter->entry), found.filter->bits);
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
  };
  // Filters are evaluated before anything is read, for more and more sessions at once: a page needs few of them.
  for (std::size_t begin = 0, size = query_.limit == 0 ? turns.size() : kFirstAsked; begin < turns.size() && !stop;
       size *= kMoreAsked) {
    const std::size_t end = std::min(turns.size(), begin + size);
    maybe = filter_candidates(std::span(turns).subspan(begin, end - begin));
    begin = end;
    std::size_t taken = 0;
    const std::size_t blocks = (maybe.size() + at_once - 1) / at_once;
    run_in_order(blocks, threads_for(blocks), look, [&](std::vector<SessionHits> found) {
      return std::ranges::all_of(found, [&](SessionHits& one) { return take_one(maybe[taken++], std::move(one)); });
    });
  }
  if (ended) return fail(std::move(*ended));
  for (const auto& part : parts_) part->save_filters();
  return counts;
}

}  // namespace holdfast::inline v1
