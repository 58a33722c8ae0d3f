// Searches the decoded text of messages; each matching message is one hit. Exact:
// indexes, filters and sieves only save work.
// Thread-safety: one thread per search; it uses all cores.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "find/matcher.h"
#include "find/searchable_texts.h"

namespace holdfast::inline v1 {

struct SearchHit {
  std::string session = {}, layout = {}, store = {}, project = {};
  std::string updated_at = {};  // of the session
  std::int64_t ordinal = 0;
  Role role = Role::user;
  std::string timestamp = {};
  std::string snippet = {};          // one line around the first match
  std::vector<TextSpan> spans = {};  // in the snippet
};

struct SearchQuery {
  std::vector<std::string> words = {};  // all must occur in one message
  bool regex = false;
  bool match_case = false;
  SearchScope in = {};
  SessionFilter filter = {};
  std::string session = {};  // search only this session; a full id
  std::size_t limit = 0;     // on hits; 0: no limit
  bool count_only = false;
  bool redact = false;       // remove secrets from snippets
  bool whole_paths = false;  // of files in findings
};

struct SearchCounts {
  std::uint64_t hits = 0;
  std::uint64_t sessions = 0;  // with hits
  bool truncated = false;      // there are more hits
  std::vector<Finding> findings = {};
};

// Called with each hit as it is found, on the calling thread: sessions of all stores
// newest first, messages in stored order. Return false to stop.
using TakeHit = std::function<bool(const SearchHit&)>;

// A search over any number of stores as if they were one.
class Search {
 public:
  // `query` and `matcher` must outlive this object, and so must every added store.
  Search(const Context& context, const SearchQuery& query, const Matcher& matcher);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Reads what a store contains; may be called from any thread. Fails if its sessions cannot be listed.
  class Part;
  using Prepared = std::shared_ptr<Part>;
  Result<Prepared> prepare(Store& store) const;
  void add(Prepared store) { parts_.push_back(std::move(store)); }
  // Must be called once. A session that cannot be read becomes a finding.
  Result<SearchCounts> run(const TakeHit& take);

 private:
  struct Turn;
  static std::vector<Turn> filter_candidates(std::span<const Turn> turns);

  const Context& context_;
  const SearchQuery& query_;
  const Matcher& matcher_;
  std::vector<Prepared> parts_;
};

}  // namespace holdfast::inline v1
