// One session of a search: decides which of its bytes must be read, and reads them.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "find/filter_builder.h"
#include "find/search.h"
#include "index/filter_store.h"
#include "store/engine.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {

struct SessionHits {
  std::uint64_t hits = 0;
  std::vector<SearchHit> found = {};
  std::optional<NewFilter> filter = {};
  std::optional<Error> error = {};
};

class SessionSearch {
 public:
  // All arguments must outlive this object. If `build`, missing filters are created.
  SessionSearch(const Context& context, FileStore& engine, const SearchQuery& query, const Matcher& matcher,
                const FilterStore& filters, bool build);

  // The following may be called from any thread.
  // Returns the filter that is valid for the session; nullptr if there is none.
  const SessionFilterEntry* filter_of(const SessionRow& row) const;
  // Returns false if the filter rules out a match.
  bool may_contain(const SessionFilterEntry& filter, FilterRows& rows) const;
  // Searches a session that may match.
  SessionHits look(const SessionRow& row, const std::atomic<bool>& stop) const;

 private:
  bool can_sieve(const SessionRef& ref, const SessionEntry& entry) const;
  bool holds(const SessionFilterEntry& filter, const SessionHead& head) const;
  std::optional<SessionHits> search_candidates(const Session& session, const SessionRef& ref, std::uint64_t sound,
                                               const std::atomic<bool>& stop) const;
  SessionHits search_all_records(const Session& session, const SessionRef& ref, const SessionEntry& entry, bool sieved,
                                 bool build, const std::atomic<bool>& stop) const;
  std::optional<NewFilter> grown(const SessionRef& ref, const SessionEntry& entry,
                                 const SessionFilterEntry& before) const;

  const Context& context_;
  FileStore& engine_;
  const SearchQuery& query_;
  const Matcher& matcher_;
  const FilterStore& filters_;
  bool build_;
  bool own_phrases_disjoint_;  // text that the layout itself adds cannot match the query
  std::vector<std::vector<std::vector<std::uint32_t>>> trigrams_;  // one of each list must occur
};

}  // namespace holdfast::inline v1
