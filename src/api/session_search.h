// The handler of session.search.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "find/search.h"

namespace holdfast::inline v1 {

// As a stream, passes on each hit as it is found; the search ends when the receiver stops.
Result<std::string> search_sessions(Call& call);
// The same, by the server of a remote.
Result<std::string> search_at_remote(Call& call);

// What a call searches for, without the filter of sessions.
SearchQuery query_of(const Call& call);

// Takes the hits of one call; formats those of its page, or streams them.
class HitCollector {
 public:
  explicit HitCollector(const Call& call) : call_(call), page_(page_of(call)) { hits_.begin_array(); }

  std::size_t wanted() const { return page_.skip + page_.limit; }
  // `machine` is empty for this machine. Returns false if the receiver wants no more.
  bool take(const SearchHit& hit, std::string_view machine);
  // Returns the answer as an object that is still open.
  JsonWriter answer(const SearchQuery& query, const SearchCounts& counts);

 private:
  const Call& call_;
  const Page page_;
  std::size_t told_ = 0;
  JsonWriter hits_;
};

}  // namespace holdfast::inline v1
