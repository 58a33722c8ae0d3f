// Finds the records of a log that pass a sieve, without parsing the others.
#pragma once

#include <holdfast/context.h>

#include <functional>

#include "find/sieve.h"
#include "index/directory_feed.h"

namespace holdfast::inline v1 {

enum class CandidateVerdict {
  none,     // no record of this log can match
  some,     // at least one record was passed to `take`
  stopped,  // `take` returned false
  unclear,  // something unexpected: the whole log must be read
};

struct CandidateQuery {
  std::uint64_t sound = 0;  // this many bytes are known to be whole records
  bool every = false;       // if any line may match, pass the other lines too, marked to be skimmed
};

// Calls `take` with each line that may match, in order, until `take` returns false.
// Returns `unclear` at a line that is not a whole record, which only a full read
// handles. Lines that are neither within `sound` nor passed to `take` are not checked.
// Memory: a few MiB plus the longest line.
using TakeCandidate = std::function<bool(const FeedRecord&)>;
Result<CandidateVerdict> find_candidates(const Context& context, Directory& directory, const std::string& path,
                                         const Sieves& sieves, const CandidateQuery& request,
                                         const TakeCandidate& take);

}  // namespace holdfast::inline v1
