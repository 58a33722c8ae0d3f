// Looking for words in what was said: over decoded text, a message a hit. Exact:
// what stands between the files and the answer only ever saves work.
// Thread-safety: one thread a search; it uses all cores.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "find/matcher.h"
#include "find/said.h"

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
  std::vector<std::string> words = {};  // all in one message
  bool regex = false;
  bool match_case = false;
  SearchIn in = {};
  SessionFilter filter = {};
  std::string session = {};  // only in this one; a whole id
  std::size_t limit = 0;     // of hits; 0: all
  bool count_only = false;
  bool redact = false;  // snippets without secrets
};

struct SearchCounts {
  std::uint64_t hits = 0;
  std::uint64_t sessions = 0;  // with hits
  bool truncated = false;      // there is more
  std::vector<Finding> findings = {};
};

// Called with each hit as it is found, on the calling thread: sessions newest
// first, whoever's they are, messages in stored order. False: no more is wanted.
using TakeHit = std::function<bool(const SearchHit&)>;

// A search over any number of stores as if they were one.
class Search {
 public:
  // Both outlive it, and so does every store that is added.
  Search(const Context& context, const SearchQuery& query, const Matcher& matcher);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Looks at what a store holds; from any thread. An error when its sessions cannot be listed.
  class Part;
  using Prepared = std::shared_ptr<Part>;
  Result<Prepared> prepare(Store& store) const;
  void add(Prepared store) { parts_.push_back(std::move(store)); }
  // Once. A session that cannot be read is a finding.
  Result<SearchCounts> run(const TakeHit& take);

 private:
  struct Turn;
  static std::vector<Turn> those_that_may_hold(std::span<const Turn> turns);

  const Context& context_;
  const SearchQuery& query_;
  const Matcher& matcher_;
  std::vector<Prepared> parts_;
};

}  // namespace holdfast::inline v1
