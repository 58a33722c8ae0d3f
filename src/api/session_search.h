// The handler of session.search.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "find/search.h"

namespace holdfast::inline v1 {

// As a stream it tells each hit as it is found; the search ends when nobody reads on.
Result<std::string> search_sessions(Call& call);
// The same at the server of a remote.
Result<std::string> search_there(Call& call);

// What a call looks for, but in which sessions.
SearchQuery query_of(const Call& call);

// Takes hits of one call and puts down those of its page.
class ToldHits {
 public:
  explicit ToldHits(const Call& call) : call_(call), page_(page_of(call)) { hits_.begin_array(); }

  std::size_t wanted() const { return page_.skip + page_.limit; }
  // `machine`: another one; empty: this one. False: nobody reads on.
  bool take(const SearchHit& hit, std::string_view machine);
  // The answer, still open.
  JsonWriter answer(const SearchQuery& query, const SearchCounts& counts);

 private:
  const Call& call_;
  const Page page_;
  std::size_t told_ = 0;
  JsonWriter hits_;
};

}  // namespace holdfast::inline v1
