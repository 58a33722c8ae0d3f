// Looking for words in what was said: over decoded text, a message a hit. Exact:
// what stands between the files and the answer only ever saves work.
// Thread-safety: one thread a search; it uses all cores.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
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
  std::size_t limit = 0;  // of hits; 0: all
  bool count_only = false;
};

struct SearchCounts {
  std::uint64_t hits = 0;
  std::uint64_t sessions = 0;  // with hits
  bool truncated = false;      // there is more
  std::vector<StoreFinding> findings = {};
};

// Called with each hit as it is found, on the calling thread: sessions newest
// first, messages in stored order.
using TakeHit = std::function<void(const SearchHit&)>;

Result<SearchCounts> search_store(const Context& context, Store& store, const SearchQuery& query,
                                  const Matcher& matcher, const TakeHit& take);

}  // namespace holdfast::inline v1
